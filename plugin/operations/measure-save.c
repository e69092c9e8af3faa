/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:measure-save: a sink that measures the labeled regions and writes the table to a file. */
#ifdef GEGL_PROPERTIES

/* clang-format off */

enum_start (capra_measure_save_sort)
  enum_value (CAPRA_MEASURE_SAVE_SORT_LABEL, "label", N_ ("By label"))
  enum_value (CAPRA_MEASURE_SAVE_SORT_BRIGHTNESS, "brightness", N_ ("Brightest first"))
enum_end (CapraMeasureSaveSort)

property_file_path (path, _ ("File"), "")
  description (_ ("File to write: JSON if its name ends in .json, an array of NumPy if in .npy, otherwise CSV; "
                  "\"-\" is standard output"))

property_enum (sort, _ ("Order"), CapraMeasureSaveSort, capra_measure_save_sort, CAPRA_MEASURE_SAVE_SORT_LABEL)
  description (_ ("The order of the table's rows: by label, or by falling sum of the intensities"))

/* clang-format on */

#else

#define GEGL_OP_NAME measure_save
#define GEGL_OP_C_FILE "measure-save.c"
#define CAPRA_OP_SINK
#include "plugin/capra-op.h"

#include "plugin/compute/dispatch.h"
#include "plugin/compute/forecast.h"
#include "plugin/buffers/output-format.h"
#include "plugin/compute/region-table.h"
#include "plugin/compute/result-cache.h"
#include "plugin/compute/table-output.h"
#include "runtime/base/error.h"

G_STATIC_ASSERT ((int) CAPRA_MEASURE_SAVE_SORT_LABEL == (int) CAPRA_REGION_SORT_LABEL);
G_STATIC_ASSERT ((int) CAPRA_MEASURE_SAVE_SORT_BRIGHTNESS == (int) CAPRA_REGION_SORT_BRIGHTNESS);

/* One pass over the image, which GEGL makes in parts: the first part measures the whole image. */
typedef struct {
  CapraResultCache *measured; /* says whether the labels are measured; without a result */
  GMutex lock;                /* guards the rest */
  double passed;              /* number of pixels in the parts so far */
} State;

static State *
get_state (GeglOperation *operation)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);

  return o->user_data;
}

static void
attach (GeglOperation *operation)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);
  State *state = g_new0 (State, 1);

  GEGL_OPERATION_CLASS (gegl_op_parent_class)->attach (operation);
  capra_operation_create_aux_pad (operation);

  g_mutex_init (&state->lock);
  state->measured = capra_result_cache_new ();
  capra_result_cache_watch (state->measured, operation, NULL);
  o->user_data = state;
}

static gboolean
is_measured (const State *state, guint *generation)
{
  g_auto (CapraStoredResult) stored;

  capra_result_cache_get (state->measured, &stored);
  *generation = stored.generation;
  return stored.computed;
}

static GeglRectangle
get_required_for_output (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, pad);
  guint generation = 0;

  if (!extent || is_measured (get_state (operation), &generation))
    return (GeglRectangle){ 0, 0, 0, 0 };
  return gegl_rectangle_is_infinite_plane (extent) ? *roi : *extent;
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  return gegl_operation_get_bounding_box (operation);
}

static gboolean
save (CapraJob *job, GError **error)
{
  const char *path = GEGL_PROPERTIES (job->operation)->path;
  g_autoptr (CapraTable) table = NULL;

  if (!path || !*path)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("no file; set the property \"path\""));
      return FALSE;
    }
  if (!capra_operation_require_bounds (&job->roi, error))
    return FALSE;
  table = capra_region_table_new (job, (CapraRegionSort) GEGL_PROPERTIES (job->operation)->sort, error);
  return table && capra_table_output_check (job->operation, error) && capra_table_save (table, path, error);
}

/* Measures the labels and saves the table, unless that is done, or another thread does it. Returns FALSE after a
 * failure. */
static gboolean
measure_once (CapraJob *job, State *state)
{
  CapraStoredResult result = { .computed = TRUE };
  g_autoptr (GError) error = NULL;
  gboolean done = TRUE;

  if (is_measured (state, &result.generation)
      || !capra_result_cache_begin (state->measured, &job->roi, &job->roi, result.generation))
    return TRUE;
  if (!is_measured (state, &result.generation))
    {
      done = capra_dispatch (job, save, &error);
      capra_error_report_set (capra_properties_get (job->operation)->report, error, job->device);
      g_mutex_lock (&state->lock);
      state->passed = 0.0;
      g_mutex_unlock (&state->lock);
      capra_result_cache_store (state->measured, &result);
    }
  capra_result_cache_end (state->measured, !done);
  return done;
}

/* Counts the pixels of a part. After the last one, the next pass measures again. */
static void
count_part (State *state, const GeglRectangle *roi, const GeglRectangle *whole)
{
  gboolean last = FALSE;

  g_mutex_lock (&state->lock);
  state->passed += (double) roi->width * roi->height;
  last = state->passed >= (double) whole->width * whole->height;
  g_mutex_unlock (&state->lock);
  if (last)
    capra_result_cache_invalidate (state->measured);
}

static gboolean
process (GeglOperation *operation, GeglOperationContext *context, const gchar *pad, const GeglRectangle *roi,
         gint level)
{
  GeglRectangle whole = gegl_operation_get_bounding_box (operation);
  CapraJob job = { .operation = operation, .context = context, .roi = whole, .in_bands = TRUE };
  GeglBuffer *input = capra_job_get_buffer (&job, "input");
  State *state = get_state (operation);
  gboolean done = TRUE;

  if (input && !gegl_rectangle_is_empty (gegl_buffer_get_extent (input)))
    done = measure_once (&job, state);
  count_part (state, roi, &whole);
  return done;
}

static void
finalize (GObject *object)
{
  State *state = get_state (GEGL_OPERATION (object));

  if (state)
    {
      capra_result_cache_free (state->measured);
      g_mutex_clear (&state->lock);
      g_free (state);
    }
  G_OBJECT_CLASS (gegl_op_parent_class)->finalize (object);
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  operation_class->attach = attach;
  operation_class->get_required_for_output = get_required_for_output;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  operation_class->process = process;
  operation_class->threaded = FALSE;
  capra_forecast_install (G_TYPE_FROM_CLASS (klass), NULL);

  capra_operation_class_set_aux (operation_class, _ ("Intensities"),
                                 _ ("The image whose values are measured in each region"));
  gegl_operation_class_set_keys (
    operation_class, "name", "capra:measure-save", "title", _ ("Save Measurements (Capra)"), "categories", "output",
    CAPRA_KEY_READS_LABELS, "true", "description",
    _ ("Measures labeled regions as capra:measure does and writes the table to a file"), NULL);
}

#endif
