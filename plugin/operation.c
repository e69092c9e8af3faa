/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraOperation: the base class of the operations. */
#include "plugin/operation.h"

#include <glib/gi18n-lib.h>

#include "plugin/compute/result-cache.h"
#include "plugin/compute/dispatch.h"
#include "runtime/device/error.h"

/* Keys of the class. */
#define AUX_TITLE "capra:aux-title"
#define AUX_DESCRIPTION "capra:aux-description"

typedef struct {
  CapraResultCache cache;
} CapraOperationPrivate;

G_DEFINE_DYNAMIC_TYPE_EXTENDED (CapraOperation, capra_operation, GEGL_TYPE_OPERATION_FILTER, G_TYPE_FLAG_ABSTRACT,
                                G_ADD_PRIVATE_DYNAMIC (CapraOperation))

static CapraResultCache *
get_result_cache (GeglOperation *operation)
{
  CapraOperationPrivate *priv = capra_operation_get_instance_private (CAPRA_OPERATION (operation));

  return &priv->cache;
}

void
capra_operation_register (GTypeModule *module)
{
  capra_operation_register_type (module);
}

static gboolean
needs_whole (GeglOperation *operation)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);

  return klass->needs_whole && klass->needs_whole (operation);
}

/* Nothing while the result is cached. */
static GeglRectangle
get_required_whole (GeglOperation *operation, const char *pad, const GeglRectangle *roi)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, pad);

  if (!extent || capra_result_cache_is_valid (get_result_cache (operation)))
    return (GeglRectangle){ 0, 0, 0, 0 };
  if (gegl_rectangle_is_infinite_plane (extent))
    return *roi; /* process_whole() fails */
  return *extent;
}

const GeglRectangle *
capra_operation_get_aux (GeglOperation *operation)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "aux");

  return extent && !gegl_rectangle_is_empty (extent) ? extent : NULL;
}

gboolean
capra_operation_require_bounds (const GeglRectangle *extent, GError **error)
{
  if (gegl_rectangle_is_infinite_plane (extent))
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("the input is unbounded; insert gegl:crop before this operation"));
  return !gegl_rectangle_is_infinite_plane (extent);
}

gboolean
capra_operation_always (GeglOperation *operation)
{
  return TRUE;
}

void
capra_operation_class_set_aux (GeglOperationClass *klass, const char *title, const char *description)
{
  gegl_operation_class_set_key (klass, AUX_TITLE, title);
  gegl_operation_class_set_key (klass, AUX_DESCRIPTION, description);
}

void
capra_operation_create_aux_pad (GeglOperation *operation)
{
  const char *description = gegl_operation_class_get_key (GEGL_OPERATION_GET_CLASS (operation), AUX_DESCRIPTION);
  GParamSpec *spec = NULL;

  if (!description)
    return;
  spec = g_param_spec_object ("aux", _ ("Auxiliary input"), description, GEGL_TYPE_BUFFER,
                              G_PARAM_READWRITE | GEGL_PARAM_PAD_INPUT);
  gegl_operation_create_pad (operation, spec);
  g_param_spec_sink (spec);
}

void
capra_operation_class_set_menu (GeglOperationClass *klass)
{
  if (gegl_operation_class_get_key (klass, "gimp:menu-label"))
    gegl_operation_class_set_key (klass, "gimp:menu-path", "<Image>/Filters/Capra");
}

static void
set_formats (GeglOperation *operation, const Babl *format)
{
  gegl_operation_set_format (operation, "input", format);
  gegl_operation_set_format (operation, "output", format);
}

void
capra_operation_prepare_average (GeglOperation *operation)
{
  const Babl *source = gegl_operation_get_source_format (operation, "input");

  set_formats (operation, capra_format_working (source, CAPRA_WORK_AVERAGE));
}

static void
prepare (GeglOperation *operation)
{
  const Babl *source = gegl_operation_get_source_format (operation, "input");

  set_formats (operation, source ? source : babl_format ("RGBA float"));
}

static GeglRectangle
get_required_for_output (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  if (needs_whole (operation))
    return get_required_whole (operation, pad, roi);
  return *roi;
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  if (needs_whole (operation))
    return gegl_operation_get_bounding_box (operation);
  return *roi;
}

static void
attach (GeglOperation *operation)
{
  GEGL_OPERATION_CLASS (capra_operation_parent_class)->attach (operation);
  capra_operation_create_aux_pad (operation);
  capra_result_cache_watch (get_result_cache (operation), operation);
}

/* Sets the output after a failure: the input, or zeros where the input cannot replace the result. */
static void
set_substitute (CapraJob *job)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (job->operation);
  GeglBuffer *input = capra_job_get_buffer (job, "input");

  if (!input || (klass->fails_to_zeros && klass->fails_to_zeros (job->operation)))
    {
      const Babl *format = gegl_operation_get_format (job->operation, "output");

      g_clear_object (&job->output);
      job->output = gegl_buffer_new (&job->roi, format);
    }
  else
    capra_job_set_output (job, input);
}

static void
compute (CapraJob *job)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (job->operation);
  g_autoptr (GError) error = NULL;

  if (!capra_dispatch (job, klass->compute, &error))
    set_substitute (job);
  capra_error_report_set (capra_properties_get (job->operation)->report, error, job->device);
}

/* The input is missing if the cached result was dropped after get_required_for_output() had asked for nothing. GEGL
 * then renders again, so the result of this run does not matter. */
static gboolean
input_is_missing (CapraJob *job)
{
  GeglBuffer *input = capra_job_get_buffer (job, "input");

  return !input || gegl_rectangle_is_empty (gegl_buffer_get_extent (input));
}

static void
process_whole (CapraJob *job)
{
  CapraResultCache *cache = get_result_cache (job->operation);
  GeglRectangle whole = gegl_operation_get_bounding_box (job->operation);
  guint generation = capra_result_cache_begin (cache);
  g_autoptr (GError) error = NULL;

  job->output = capra_result_cache_get (cache);
  if (job->output)
    return;
  if (!capra_operation_require_bounds (&whole, &error))
    {
      set_substitute (job);
      capra_error_report_set (capra_properties_get (job->operation)->report, error, job->device);
      return;
    }
  job->roi = whole;
  if (input_is_missing (job))
    {
      set_substitute (job);
      return;
    }
  compute (job);
  gegl_object_set_has_forked (G_OBJECT (job->output));
  capra_result_cache_store (cache, job->output, generation);
}

static gboolean
process (GeglOperation *operation, GeglOperationContext *context, const gchar *output_pad, const GeglRectangle *roi,
         gint level)
{
  CapraJob job = { .operation = operation, .context = context, .roi = *roi };

  job.divisible = !needs_whole (operation);
  if (!job.divisible)
    process_whole (&job);
  else
    compute (&job);
  gegl_operation_context_take_object (context, "output", G_OBJECT (job.output));
  return TRUE;
}

static void
capra_operation_finalize (GObject *object)
{
  capra_result_cache_clear (get_result_cache (GEGL_OPERATION (object)));
  G_OBJECT_CLASS (capra_operation_parent_class)->finalize (object);
}

static void
capra_operation_class_init (CapraOperationClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = capra_operation_finalize;
  operation_class->threaded = FALSE;
  operation_class->opencl_support = FALSE;
  operation_class->attach = attach;
  operation_class->prepare = prepare;
  operation_class->get_required_for_output = get_required_for_output;
  operation_class->get_invalidated_by_change = get_invalidated_by_change;
  operation_class->process = process;
}

static void
capra_operation_class_finalize (CapraOperationClass *klass)
{
}

static void
capra_operation_init (CapraOperation *self)
{
  capra_result_cache_init (get_result_cache (GEGL_OPERATION (self)));
}
