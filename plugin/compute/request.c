/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Request: what an operation computes for a region that the host requests, and what is stored already. */
#include "plugin/compute/request.h"

#include "plugin/buffers/first-result.h"
#include "plugin/buffers/output-format.h"
#include "plugin/buffers/resident.h"
#include "plugin/compute/compute-ahead.h"

/* The maximum size of what is stored of a result is that of GEGL's tile cache divided by this. */
#define STORED_SHARE 2
/* Images with more tiles than this are not stored: their map would need too much memory and time. */
#define MAX_TILES (1 << 20)

void
capra_request_clear (CapraRequest *request)
{
  g_clear_object (&request->buffer);
  g_clear_pointer (&request->map, capra_tile_map_unref);
}

/* The maximum number of pixels of @format that are stored of a result. */
static gint64
get_limit (const Babl *format)
{
  guint64 tile_cache = 0;

  g_object_get (gegl_config (), "tile-cache-size", &tile_cache, NULL);
  return (gint64) (tile_cache / STORED_SHARE / (guint64) babl_format_get_bytes_per_pixel (format));
}

/* Whether @roi of a result with @extent can be stored. */
static gboolean
can_store (const GeglRectangle *extent, const GeglRectangle *roi, const Babl *format)
{
  return format && !gegl_rectangle_is_empty (extent) && !gegl_rectangle_is_infinite_plane (extent)
         && (gint64) roi->width * roi->height <= get_limit (format);
}

static gboolean
has_few_tiles (const CapraTileGrid *grid)
{
  return (gint64) grid->columns * grid->rows <= MAX_TILES;
}

/* Whether a device failed before the host had the pixels. */
static gboolean
has_lost_parts (const CapraTileMap *map)
{
  for (guint i = 0; i < map->parts->len; i++)
    if (capra_device_tiles_has_failed (map->parts->pdata[i]))
      return TRUE;
  return FALSE;
}

/* The stored parts of the result as it would be computed now, possibly none; NULL if @roi would not be stored. */
static CapraTileMap *
get_parts (GeglOperation *operation, const GeglRectangle *roi, const CapraResultKind *kind, CapraTileMap *stored)
{
  GeglRectangle extent = gegl_operation_get_bounding_box (operation);
  const Babl *format = gegl_operation_get_format (operation, "output");
  const Babl *tile_format = format ? capra_output_format_get (operation, format) : NULL;
  const Babl *array_format = kind->converts && format ? capra_output_format_get_converted (format, tile_format)
                                                      : format;
  CapraTileMap *map = NULL;
  CapraTileGrid grid;

  if (stored && stored->state == kind->state
      && capra_tile_grid_is_for (&stored->grid, &extent, array_format, tile_format) && !has_lost_parts (stored))
    return capra_tile_map_ref (stored);
  if (!can_store (&extent, roi, format))
    return NULL;
  grid = capra_tile_grid_new (&extent, array_format, tile_format);
  if (!has_few_tiles (&grid))
    return NULL;
  map = capra_tile_map_new (&grid);
  map->state = kind->state;
  map->limit = MIN (map->limit, get_limit (format));
  return map;
}

/* Whether the stored buffer can be the output once more. A buffer that the host still has is left to it: the host may
 * write to it at any time. The caller and the cache have the other references. */
static gboolean
is_unused (GeglBuffer *buffer)
{
  return g_atomic_int_get (&G_OBJECT (buffer)->ref_count) <= 2 && !capra_resident_is_written (buffer);
}

/* A buffer with the stored whole result; NULL if it was written to. */
static GeglBuffer *
get_whole_buffer (GeglBuffer *stored)
{
  CapraTileMap *map = capra_resident_peek_map (stored);

  if (!map || is_unused (stored))
    return g_object_ref (stored);
  return capra_resident_is_written (stored) ? NULL : capra_resident_new_buffer (capra_tile_map_ref (map));
}

static void
init_whole (CapraRequest *request, GeglOperation *operation, guint state, CapraStoredResult *stored)
{
  if (stored->state != state)
    {
      g_clear_object (&stored->buffer);
      stored->computed = FALSE;
    }
  request->buffer = stored->buffer ? get_whole_buffer (stored->buffer) : NULL;
  request->substitute = !stored->buffer && stored->computed;
  if (request->buffer)
    request->compute = (GeglRectangle){ 0, 0, 0, 0 };
  else if (!request->substitute)
    request->compute = gegl_operation_get_bounding_box (operation);
}

static void
prepare_tiles (GeglOperation *operation, const CapraRequest *request)
{
  const CapraTileGrid *whole = &request->map->grid;
  CapraTileGrid grid;

  if (capra_first_result_is_known () || capra_output_format_has_device_readers (operation))
    return;
  grid = capra_tile_grid_new (&request->compute, whole->array_format, whole->tile_format);
  capra_first_result_prepare (&grid);
}

static void
init_parts (CapraRequest *request, GeglOperation *operation, CapraResultCache *cache, const CapraResultKind *kind,
            CapraStoredResult *stored)
{
  request->map = get_parts (operation, &request->roi, kind, stored->map);
  if (!request->map)
    return;
  request->compute = capra_compute_ahead (operation, request->map, &request->roi, kind->get_required);
  if (!gegl_rectangle_is_empty (&request->compute))
    {
      request->alone = capra_compute_alone (operation, request->map, &request->roi, &request->compute,
                                            kind->get_required);
      if (request->alone)
        request->compute = request->roi;
      prepare_tiles (operation, request);
      return;
    }
  if (request->map == stored->map && stored->buffer && is_unused (stored->buffer))
    {
      request->buffer = g_steal_pointer (&stored->buffer);
      return;
    }
  request->buffer = capra_resident_new_buffer (capra_tile_map_ref (request->map));
  capra_result_cache_set_buffer (cache, request->buffer, request->map);
}

void
capra_request_init (CapraRequest *request, GeglOperation *operation, CapraResultCache *cache,
                    const CapraResultKind *kind, const GeglRectangle *roi)
{
  g_auto (CapraStoredResult) stored;

  capra_result_cache_get (cache, &stored);
  *request = (CapraRequest){ *roi, *roi, .generation = stored.generation };
  if (kind->whole)
    init_whole (request, operation, kind->state, &stored);
  else
    init_parts (request, operation, cache, kind, &stored);
}

void
capra_request_set_unstored (CapraRequest *request, const GeglRectangle *roi)
{
  if (request->map)
    request->compute = *roi;
  g_clear_pointer (&request->map, capra_tile_map_unref);
  request->alone = FALSE;
  request->unstored = TRUE;
}

void
capra_request_list_init (CapraRequestList *list)
{
  g_mutex_init (&list->lock);
}

void
capra_request_list_clear (CapraRequestList *list)
{
  for (guint i = 0; i < CAPRA_MAX_REQUESTS; i++)
    capra_request_clear (&list->requests[i]);
  g_mutex_clear (&list->lock);
}

/* The index of the request of @thread, or -1. */
static int
find (const CapraRequestList *list, const GThread *thread)
{
  for (int i = 0; i < CAPRA_MAX_REQUESTS; i++)
    if (list->threads[i] == thread)
      return i;
  return -1;
}

/* The index of a request that may be replaced. */
static guint
get_free (CapraRequestList *list)
{
  int own = find (list, g_thread_self ()), unused = find (list, NULL);

  if (own >= 0 || unused >= 0)
    return (guint) (own >= 0 ? own : unused);
  return list->next++ % CAPRA_MAX_REQUESTS;
}

void
capra_request_list_put (CapraRequestList *list, const char *pad, CapraRequest *request)
{
  CapraRequest old;
  guint i = 0;

  g_mutex_lock (&list->lock);
  i = get_free (list);
  old = list->requests[i];
  list->requests[i] = *request;
  list->threads[i] = g_thread_self ();
  list->pads[i] = g_intern_string (pad);
  g_mutex_unlock (&list->lock);
  *request = (CapraRequest){ .buffer = NULL };
  capra_request_clear (&old); /* without the lock, as it may call the driver */
}

gboolean
capra_request_list_find (CapraRequestList *list, const char *pad, const GeglRectangle *roi, GeglRectangle *compute,
                         gboolean *substitute)
{
  int i = 0;
  gboolean found = FALSE;

  g_mutex_lock (&list->lock);
  i = find (list, g_thread_self ());
  found = i >= 0 && list->pads[i] != g_intern_string (pad) && gegl_rectangle_equal (&list->requests[i].roi, roi);
  if (found)
    {
      *compute = list->requests[i].compute;
      *substitute = list->requests[i].substitute;
    }
  g_mutex_unlock (&list->lock);
  return found;
}

gboolean
capra_request_list_take (CapraRequestList *list, const GeglRectangle *roi, CapraRequest *request)
{
  int i = 0;
  gboolean found = FALSE;

  g_mutex_lock (&list->lock);
  i = find (list, g_thread_self ());
  found = i >= 0 && gegl_rectangle_contains (&list->requests[i].roi, roi);
  if (found)
    {
      *request = list->requests[i];
      list->requests[i] = (CapraRequest){ .buffer = NULL };
      list->threads[i] = NULL;
    }
  g_mutex_unlock (&list->lock);
  return found;
}
