/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* CapraOperation: the base class of the operations. */
#include "plugin/operation.h"

#include <glib/gi18n-lib.h>

#include "plugin/buffers/resident.h"
#include "plugin/compute/compute-ahead.h"
#include "plugin/compute/dispatch.h"
#include "plugin/compute/forecast.h"
#include "plugin/compute/request.h"
#include "plugin/compute/result-cache.h"
#include "runtime/base/error.h"

/* Keys of the class. */
#define AUX_TITLE "capra:aux-title"
#define AUX_DESCRIPTION "capra:aux-description"

typedef struct {
  CapraResultCache *cache;
  CapraRequestList requests;
} CapraOperationPrivate;

G_DEFINE_DYNAMIC_TYPE_EXTENDED (CapraOperation, capra_operation, GEGL_TYPE_OPERATION_FILTER, G_TYPE_FLAG_ABSTRACT,
                                G_ADD_PRIVATE_DYNAMIC (CapraOperation))

static CapraResultCache *
get_result_cache (GeglOperation *operation)
{
  CapraOperationPrivate *priv = capra_operation_get_instance_private (CAPRA_OPERATION (operation));

  return priv->cache;
}

static CapraRequestList *
get_requests (GeglOperation *operation)
{
  CapraOperationPrivate *priv = capra_operation_get_instance_private (CAPRA_OPERATION (operation));

  return &priv->requests;
}

static gboolean
needs_whole (GeglOperation *operation)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);

  return klass->needs_whole && klass->needs_whole (operation);
}

static gboolean
computes_in_bands (GeglOperation *operation)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);

  return klass->in_bands && klass->in_bands (operation);
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
get_required (GeglOperation *operation, const char *pad, const GeglRectangle *roi)
{
  return *roi;
}

/* The whole image; process() fails if it is unbounded. */
static GeglRectangle
get_required_whole (GeglOperation *operation, const char *pad, const GeglRectangle *roi)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, pad);

  if (!extent)
    return (GeglRectangle){ 0, 0, 0, 0 };
  return gegl_rectangle_is_infinite_plane (extent) ? *roi : *extent;
}

/* A CapraForecastFunc. */
static guint64
forecast (GeglOperation *operation, guint64 *largest)
{
  GeglRectangle result = gegl_operation_get_bounding_box (operation), required;

  if (needs_whole (operation))
    required = get_required_whole (operation, "input", &result);
  else
    required = CAPRA_OPERATION_GET_CLASS (operation)->get_required (operation, "input", &result);
  return capra_forecast_get (operation, &required, largest);
}

void
capra_operation_register (GTypeModule *module)
{
  capra_operation_register_type (module);
  capra_forecast_install (CAPRA_TYPE_OPERATION, forecast);
}

static gboolean
converts (GeglOperation *operation)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);

  return klass->converts && klass->converts (operation);
}

static guint
get_state (GeglOperation *operation)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);

  return klass->get_state ? klass->get_state (operation) : 0;
}

static void
init_request (CapraRequest *request, GeglOperation *operation, const GeglRectangle *roi)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);
  CapraResultKind kind = { klass->get_required, get_state (operation), needs_whole (operation), converts (operation) };

  capra_request_init (request, operation, get_result_cache (operation), &kind, roi);
}

/* What is required of the input to compute @compute. If that fails, the output is the input of all of @roi. */
static GeglRectangle
get_required_with_substitute (GeglOperation *operation, const char *pad, const GeglRectangle *compute,
                              const GeglRectangle *roi)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (operation);
  GeglRectangle required = klass->get_required (operation, pad, compute);

  if (g_str_equal (pad, "input") && !gegl_rectangle_is_infinite_plane (&required)
      && !(klass->fails_to_zeros && klass->fails_to_zeros (operation)))
    gegl_rectangle_bounding_box (&required, &required, roi);
  return required;
}

static GeglRectangle
get_required_for_output (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  CapraRequestList *requests = get_requests (operation);
  GeglRectangle compute;
  gboolean substitute = FALSE;

  if (!capra_request_list_find (requests, pad, roi, &compute, &substitute))
    {
      CapraRequest request;

      init_request (&request, operation, roi);
      compute = request.compute;
      substitute = request.substitute;
      capra_request_list_put (requests, pad, &request);
    }
  if (gegl_rectangle_is_empty (&compute))
    return compute;
  if (substitute)
    return g_str_equal (pad, "input") ? *roi : (GeglRectangle){ 0, 0, 0, 0 };
  return needs_whole (operation) ? get_required_whole (operation, pad, roi)
                                 : get_required_with_substitute (operation, pad, &compute, roi);
}

static GeglRectangle
get_invalidated_by_change (GeglOperation *operation, const gchar *pad, const GeglRectangle *roi)
{
  if (needs_whole (operation))
    return gegl_operation_get_bounding_box (operation);
  return *roi;
}

static CapraHiddenReach
get_hidden_reach (GeglOperation *operation)
{
  CapraOperationClass *klass = CAPRA_IS_OPERATION (operation) ? CAPRA_OPERATION_GET_CLASS (operation) : NULL;

  return klass && klass->get_hidden_reach ? klass->get_hidden_reach (operation) : (CapraHiddenReach){ 0, 0 };
}

static void
add_hidden_reach (GeglOperation *operation, GeglRectangle *rect)
{
  capra_hidden_reach_add (operation, get_hidden_reach, rect);
}

static void
attach (GeglOperation *operation)
{
  GEGL_OPERATION_CLASS (capra_operation_parent_class)->attach (operation);
  capra_operation_create_aux_pad (operation);
  capra_result_cache_watch (get_result_cache (operation), operation, add_hidden_reach);
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

/* Makes a buffer of the computed tiles and the stored parts, and stores both; of the computed tiles alone if they are
 * not to be stored. */
static void
store_tiles (CapraJob *job, const CapraRequest *request)
{
  const CapraTileGrid *grid = capra_device_tiles_get_grid (job->tiles);
  gboolean stored = request->map && !request->alone && capra_tile_grid_has_formats_of (&request->map->grid, grid);
  g_autoptr (CapraDeviceTiles) part = g_steal_pointer (&job->tiles);
  g_autoptr (CapraTileMap) map = stored ? capra_tile_map_copy (request->map) : capra_tile_map_new (grid);

  capra_tile_map_add (map, capra_device_tiles_ref (part));
  g_clear_object (&map->labels);
  map->labels = g_steal_pointer (&job->labels);
  job->output = capra_resident_new_buffer (capra_tile_map_ref (map));
  if (stored)
    {
      CapraStoredResult result = { job->output, map, .generation = request->generation };

      capra_result_cache_add_part (get_result_cache (job->operation), request->map, part, &result);
    }
}

/* The region to substitute after a failure: all of a stored result. */
static GeglRectangle
get_substituted (CapraJob *job, const CapraRequest *request)
{
  return job->divisible || gegl_rectangle_is_infinite_plane (&request->compute) ? request->roi : request->compute;
}

/* Computes the requested region, or as much more as @request says. Sets @has_pixels to whether the output is neither
 * the input nor what replaces the result after a failure. */
static gboolean
compute (CapraJob *job, const CapraRequest *request, gboolean *has_pixels)
{
  CapraOperationClass *klass = CAPRA_OPERATION_GET_CLASS (job->operation);
  g_autoptr (GError) error = NULL;

  job->roi = request->compute;
  job->tile_format = request->map ? request->map->grid.tile_format : NULL;
  job->array_format = request->map ? request->map->grid.array_format : NULL;
  if (request->alone)
    capra_compute_alone_add (job->operation, request->map, &request->roi, job->get_required);
  if ((!job->divisible && !capra_operation_require_bounds (&job->roi, &error))
      || !capra_dispatch (job, klass->compute, &error))
    {
      job->roi = get_substituted (job, request);
      set_substitute (job);
    }
  else if (job->tiles)
    {
      *has_pixels = TRUE;
      store_tiles (job, request);
    }
  capra_error_report_set (capra_properties_get (job->operation)->report, error, job->device);
  return error == NULL;
}

/* A buffer with the pixels of @output for the cache alone, as the host may write to @output. The input, if that is the
 * output, is the host's own; NULL if it is a resident one that was written to. */
static GeglBuffer *
get_stored_buffer (GeglBuffer *output)
{
  CapraTileMap *map = capra_resident_peek_map (output);

  if (!map)
    return g_object_ref (output);
  return capra_resident_get_map (output) ? capra_resident_new_buffer (capra_tile_map_ref (map)) : NULL;
}

/* As compute(), for an operation whose whole result is stored, also if it has failed, unless @request says otherwise.
 */
static gboolean
compute_whole (CapraJob *job, const CapraRequest *request)
{
  CapraStoredResult result = { .generation = request->generation, .state = get_state (job->operation) };
  gboolean has_pixels = FALSE, done = compute (job, request, &has_pixels);
  g_autoptr (GeglBuffer) stored = get_stored_buffer (job->output);

  result.computed = !has_pixels;
  result.buffer = stored;
  gegl_object_set_has_forked (G_OBJECT (job->output));
  if (!request->unstored)
    capra_result_cache_store (get_result_cache (job->operation), &result);
  return done;
}

/* The input is missing if nothing was required because the result was stored, and it is not stored any more. */
static gboolean
input_is_missing (CapraJob *job)
{
  GeglBuffer *input = capra_job_get_buffer (job, "input");

  return !input || gegl_rectangle_is_empty (gegl_buffer_get_extent (input));
}

/* A request in place of one that was replaced by those of other threads. The input may be no more than @roi needs, so
 * the result is not stored. */
static void
make_lost_request (GeglOperation *operation, const GeglRectangle *roi, CapraRequest *request)
{
  init_request (request, operation, roi);
  if (!request->buffer && request->map)
    capra_request_set_unstored (request, roi);
}

/* Uses what another thread has stored since @request was made. */
static void
update_request (GeglOperation *operation, CapraRequest *request)
{
  g_auto (CapraRequest) now;

  init_request (&now, operation, &request->roi);
  if (!now.buffer && !now.substitute)
    return;
  request->substitute = now.substitute;
  g_set_object (&request->buffer, now.buffer);
}

/* Computes @request, unless another thread has done so meanwhile, or has failed to. */
static void
compute_once (CapraJob *job, CapraRequest *request)
{
  CapraResultCache *cache = get_result_cache (job->operation);
  GeglRectangle wanted = job->divisible ? request->roi : request->compute;
  gboolean has_pixels = FALSE, done = TRUE;

  if (request->map && !request->alone)
    capra_tile_map_get_missing (request->map, &request->roi, &wanted);
  if (!capra_result_cache_begin (cache, &wanted, &request->compute, request->generation))
    {
      set_substitute (job);
      return;
    }
  update_request (job->operation, request);
  if (request->buffer)
    job->output = g_object_ref (request->buffer);
  else if (request->substitute)
    set_substitute (job);
  else
    done = job->divisible ? compute (job, request, &has_pixels) : compute_whole (job, request);
  capra_result_cache_end (cache, !done);
}

static gboolean
process (GeglOperation *operation, GeglOperationContext *context, const gchar *output_pad, const GeglRectangle *roi,
         gint level)
{
  CapraJob job = { .operation = operation,
                   .context = context,
                   .roi = *roi,
                   .extent = gegl_operation_get_bounding_box (operation),
                   .get_required = CAPRA_OPERATION_GET_CLASS (operation)->get_required,
                   .divisible = !needs_whole (operation),
                   .in_bands = computes_in_bands (operation),
                   .one_device = CAPRA_OPERATION_GET_CLASS (operation)->one_device };
  g_auto (CapraRequest) request = { *roi, *roi };
  gboolean lost = !capra_request_list_take (get_requests (operation), roi, &request);

  if (lost)
    make_lost_request (operation, roi, &request);
  if (request.buffer)
    job.output = g_object_ref (request.buffer);
  else if (request.substitute || ((lost || !job.divisible) && input_is_missing (&job)))
    set_substitute (&job);
  else
    {
      /* GEGL's operations before this one may have written no other tiles than those of the mipmap level. */
      if (level > 0)
        capra_request_set_unstored (&request, roi);
      compute_once (&job, &request);
    }
  gegl_operation_context_take_object (context, "output", G_OBJECT (job.output));
  g_clear_object (&job.labels);
  return TRUE;
}

static void
capra_operation_finalize (GObject *object)
{
  capra_request_list_clear (get_requests (GEGL_OPERATION (object)));
  capra_result_cache_free (get_result_cache (GEGL_OPERATION (object)));
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
  klass->get_required = get_required;
}

static void
capra_operation_class_finalize (CapraOperationClass *klass)
{
}

static void
capra_operation_init (CapraOperation *self)
{
  CapraOperationPrivate *priv = capra_operation_get_instance_private (self);

  priv->cache = capra_result_cache_new ();
  capra_request_list_init (get_requests (GEGL_OPERATION (self)));
}
