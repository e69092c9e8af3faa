/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:statistics: statistics of the whole image; the output is the input. */
#ifdef GEGL_PROPERTIES

/* Only the properties that all operations have. */

#else

#define GEGL_OP_NAME statistics
#define GEGL_OP_C_FILE "statistics.c"
#include "plugin/capra-op.h"

#include "algorithms/statistics/statistics.h"
#include "plugin/buffers/output-format.h"
#include "plugin/compute/table-output.h"
#include "plugin/compute/whole-bands.h"

/* Integers of 32 bits are numbers, such as those of regions. As brightness they would be fractions of 2^32. */
static const Babl *
input_format (CapraJob *job)
{
  const Babl *format = gegl_buffer_get_format (capra_job_get_buffer (job, "input"));
  const Babl *space = babl_format_get_space (format);

  if (format == babl_format_with_space ("Y u32", space) || format == babl_format_with_space ("Y' u32", space))
    return format;
  return capra_format_working (gegl_operation_get_format (job->operation, "input"), CAPRA_WORK_VALUES);
}

/* A CapraWholeRead. */
static gboolean
get_values (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  return capra_job_get_pixels (job, "input", rect, input_format (job), CAPRA_FIT_EXACT, pixels, error);
}

static gboolean
find_in_bands (CapraJob *job, CapraStatistics *found, GError **error)
{
  g_auto (CapraWholeBands) bands;
  CapraShape shape;
  CapraBandSource source;

  capra_whole_bands_init (&bands, job, get_values);
  if (!capra_format_get_shape (input_format (job), 1, 1, &shape))
    g_return_val_if_reached (FALSE);
  source = capra_whole_bands_get_source (&bands, shape.channels, shape.type);
  return capra_statistics_bands (&source, CAPRA_STATISTICS_ALL, found, error);
}

static gboolean
find (CapraJob *job, CapraStatistics *found, GError **error)
{
  g_auto (CapraPixels) input = { NULL };

  if (job->band_rows > 0)
    return find_in_bands (job, found, error);
  return get_values (job, &job->roi, &input, error)
         && capra_statistics (input.array, CAPRA_STATISTICS_ALL, found, error);
}

static gboolean
compute (CapraJob *job, GError **error)
{
  g_autoptr (CapraTable) table = NULL;
  CapraStatistics found;

  if (!find (job, &found, error))
    return FALSE;
  capra_properties_set_results (job->operation,
                                (double[]){ found.count, found.min, found.max, found.mean, found.std, found.median,
                                            found.sum, found.nan_count, found.inf_count },
                                9);
  capra_job_set_output (job, capra_job_get_buffer (job, "input"));
  table = capra_statistics_table (&found);
  return capra_table_output_write (job->operation, table, error);
}

static void
install_results (GeglOperationClass *klass)
{
  const struct {
    const char *name, *label, *about;
  } results[] = {
    { "count", _ ("Count"), _ ("Number of values other than NaN") },
    { "min", _ ("Minimum"), _ ("The smallest value") },
    { "max", _ ("Maximum"), _ ("The largest value") },
    { "mean", _ ("Mean"), _ ("The mean of the values") },
    { "std", _ ("Standard deviation"), _ ("The standard deviation of the values") },
    { "median", _ ("Median"), _ ("The median of the values") },
    { "sum", _ ("Sum"), _ ("The sum of the values") },
    { "nan-count", _ ("NaN values"), _ ("Number of values that are NaN") },
    { "inf-count", _ ("Infinite values"), _ ("Number of values that are infinite") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    capra_properties_install_result (klass, i,
                                     g_param_spec_double (results[i].name, results[i].label, results[i].about,
                                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0.0, G_PARAM_STATIC_STRINGS));
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraOperationClass *capra_class = CAPRA_OPERATION_CLASS (klass);

  capra_class->needs_whole = capra_operation_always;
  capra_class->in_bands = capra_operation_always;
  capra_class->compute = compute;

  gegl_operation_class_set_keys (
    operation_class, "name", "capra:statistics", "title", _ ("Statistics (Capra)"), "categories", "measure",
    CAPRA_KEY_TABLE, "true", CAPRA_KEY_READS_NUMBERS, "true", "description",
    _ ("Count, minimum, maximum, mean, standard deviation, median and sum of all linear values except alpha and NaN, "
       "or of the numbers of labels, and how many values are NaN or infinite, on an OpenCL device. The table is "
       "written to the file that CAPRA_TABLES names"),
    "gimp:menu-label", _ ("_Statistics..."), NULL);
  install_results (operation_class);
}

#endif
