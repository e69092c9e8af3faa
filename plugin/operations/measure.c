/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:measure: measures the labeled regions; the output is the input. */
#ifdef GEGL_PROPERTIES

/* clang-format off */

enum_start (capra_measure_sort)
  enum_value (CAPRA_MEASURE_SORT_LABEL, "label", N_ ("By label"))
  enum_value (CAPRA_MEASURE_SORT_BRIGHTNESS, "brightness", N_ ("Brightest first"))
enum_end (CapraMeasureSort)

property_enum (sort, _ ("Order"), CapraMeasureSort, capra_measure_sort, CAPRA_MEASURE_SORT_LABEL)
  description (_ ("The order of the table's rows: by label, or by falling sum of the intensities"))

/* clang-format on */

#else

#define GEGL_OP_NAME measure
#define GEGL_OP_C_FILE "measure.c"
#include "plugin/capra-op.h"

#include "plugin/buffers/output-format.h"
#include "plugin/compute/region-table.h"
#include "plugin/compute/table-output.h"

G_STATIC_ASSERT ((int) CAPRA_MEASURE_SORT_LABEL == (int) CAPRA_REGION_SORT_LABEL);
G_STATIC_ASSERT ((int) CAPRA_MEASURE_SORT_BRIGHTNESS == (int) CAPRA_REGION_SORT_BRIGHTNESS);

static gboolean
compute (CapraJob *job, GError **error)
{
  g_autoptr (CapraTable) table = capra_region_table_new (job, (CapraRegionSort) GEGL_PROPERTIES (job->operation)->sort,
                                                         error);
  double count = 0.0;

  if (!table)
    return FALSE;
  count = capra_table_get_rows (table);
  capra_properties_set_results (job->operation, &count, 1);
  capra_job_set_output (job, capra_job_get_buffer (job, "input"));
  return capra_table_output_write (job->operation, table, error);
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  capra_class->needs_whole = capra_operation_always;
  capra_class->in_bands = capra_operation_always;
  capra_class->compute = compute;

  capra_operation_class_set_aux (operation_class, _ ("Intensities"),
                                 _ ("The image whose values are measured in each region"));
  gegl_operation_class_set_keys (
    operation_class, "name", "capra:measure", "title", _ ("Measure Regions (Capra)"), "categories", "measure",
    CAPRA_KEY_TABLE, "true", CAPRA_KEY_READS_LABELS, "true", "description",
    _ ("Measures labeled regions on an OpenCL device: areas, positions, and the intensities on the aux pad. The table "
       "is written to the file that CAPRA_TABLES names"),
    "gimp:menu-label", _ ("_Measure Regions..."), NULL);
  capra_properties_install_result (
    operation_class, 0,
    g_param_spec_int ("count", _ ("Count"), _ ("Number of regions measured"), 0, G_MAXINT, 0, G_PARAM_STATIC_STRINGS));
}

#endif
