/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Upload cache: keeps uploaded pixels of host buffers on the device, for the next operation that reads them.
 *
 * An upload is valid as long as the tiles of its area are the same objects with the same revisions. Each write
 * increments the revision of a GeglTile, and while the cache holds a reference to a tile, GEGL keeps this tile at its
 * position. The buffer's "changed" signal would not do: GEGL emits it neither on all buffers that share the tiles, nor
 * for backends that render tiles on demand. The cache does not keep the buffer alive. Where few tiles have changed,
 * they alone are uploaded again. */
#include "plugin/buffers/upload-cache.h"

#include "plugin/buffers/first-result.h"
#include "plugin/buffers/gather.h"
#include "plugin/buffers/resident.h"
#include "runtime/memory/array-copy.h"
#include "runtime/memory/idle-cache.h"
#include "runtime/memory/array-residency.h"
#include "runtime/memory/memory.h"

/* The maximum number of uploads. */
#define MAX_UPLOADS 16
/* The maximum size of all uploads is the device's budget or GEGL's tile cache, whichever is smaller, divided by one of
 * these. GEGL cannot remove tiles from its cache to which there are references, and looks at all of them before it adds
 * another one if the cache is full. */
#define SHARE 2
#define SHARE_OF_UNIFIED 8
/* The maximum where host and device share memory. An upload is another copy in the same memory there, and made again
 * faster than memory that was never used is written: a large image is better uploaded in blocks through the same
 * memory. */
#define MAX_OF_UNIFIED ((guint64) 64 << 20)
/* At most the pixels of an upload divided by this are uploaded again to make it valid. */
#define MAX_CHANGED 4
/* From this share of a buffer on, all of it is uploaded, so that later requests find it: 3 of 4 parts. */
#define WHOLE_SHARE 3
#define WHOLE_DIVISOR 4
/* Where host and device share memory, at most a buffer's pixels divided by this are uploaded alone and not kept: that
 * is faster than comparing the states of all tiles of a larger upload, and updating it. The chunks that a brush stroke
 * reaches are so small. */
#define SMALL_OF_UNIFIED 16
/* The time after which an unused upload is freed. Long enough for the next operation to build its kernels. */
#define IDLE_TIME G_TIME_SPAN_MINUTE

typedef struct {
  GeglTile *tile; /* a reference; NULL for an empty tile */
  guint revision;
} TileState;

typedef struct {
  gatomicrefcount refs;
  GeglTileBackend *backend; /* of the buffer; not a reference, only compared */
  GeglRectangle area;       /* in the backend's coordinates */
  const Babl *source;       /* the buffer's format; another buffer may interpret the same bytes as another format */
  const Babl *format;       /* the array's */
  CapraArray *array;
  guint64 bytes; /* of the array, or of the tiles if these are larger */
  GMutex lock;   /* guards the rest */
  GArray *tiles; /* of TileState; the tiles that the area touches, row by row */
} Upload;

/* A buffer, and where its pixels are in its backend. */
typedef struct {
  GeglBuffer *buffer;
  GeglTileBackend *backend;
  const Babl *format;
  GeglRectangle visible; /* in the buffer's coordinates */
  gint shift_x, shift_y, tile_width, tile_height;
} Source;

/* What an upload must match. */
typedef struct {
  const Source *source;
  const GeglRectangle *area;
  const Babl *format;
  CapraDevice *device;
} Request;

static void
tile_state_clear (gpointer data)
{
  g_clear_pointer (&((TileState *) data)->tile, gegl_tile_unref);
}

static void
upload_unref (gpointer data)
{
  Upload *upload = data;

  if (!g_atomic_ref_count_dec (&upload->refs))
    return;
  g_clear_pointer (&upload->tiles, g_array_unref);
  capra_array_release_resident (upload->array, TRUE);
  g_mutex_clear (&upload->lock);
  g_free (upload);
}

/* The cache of the process. */
static CapraIdleCache *
get_cache (void)
{
  static CapraIdleCache *cache;

  if (g_once_init_enter (&cache))
    g_once_init_leave (&cache, capra_idle_cache_new ("capra-uploads", IDLE_TIME, upload_unref));
  return cache;
}

/* Removes the uploads that match, and frees them without the cache's lock. */
static void
remove_uploads (CapraIdleCacheMatchFunc match, gpointer data)
{
  g_slist_free_full (capra_idle_cache_steal (get_cache (), match, data), upload_unref);
}

static gboolean
is_upload (gpointer item, gpointer data)
{
  return item == data;
}

static gboolean
is_of_backend (gpointer item, gpointer data)
{
  return ((Upload *) item)->backend == data;
}

/* Whether all requests that match @item match the upload @data, too. */
static gboolean
is_replaced (gpointer item, gpointer data)
{
  const Upload *old = item, *upload = data;

  return old->backend == upload->backend && old->source == upload->source && old->format == upload->format
         && capra_array_get_device (old->array) == capra_array_get_device (upload->array)
         && gegl_rectangle_contains (&upload->area, &old->area);
}

static void
backend_finalized (gpointer backend)
{
  remove_uploads (is_of_backend, backend);
}

static guint64
get_bytes (gpointer upload)
{
  return ((Upload *) upload)->bytes;
}

static guint64
get_max_bytes (CapraDevice *device)
{
  CapraMemory memory;
  guint64 tile_cache = 0, bytes;

  capra_memory_query (device, &memory);
  g_object_get (gegl_config (), "tile-cache-size", &tile_cache, NULL);
  bytes = MIN (memory.budget, tile_cache);
  if (capra_device_get_info (device)->unified)
    return MIN (bytes / SHARE_OF_UNIFIED, MAX_OF_UNIFIED);
  return bytes / SHARE;
}

/* Takes the reference to @upload. */
static void
add_upload (Upload *upload)
{
  GQuark quark = g_quark_from_static_string ("capra-upload");
  GObject *backend = G_OBJECT (upload->backend);
  CapraIdleCacheLimits limits = { 0, MAX_UPLOADS, get_max_bytes (capra_array_get_device (upload->array)) };

  if (!g_object_get_qdata (backend, quark))
    g_object_set_qdata_full (backend, quark, backend, backend_finalized);
  remove_uploads (is_replaced, upload);
  capra_idle_cache_add (get_cache (), upload);
  capra_idle_cache_limit (get_cache (), get_bytes, &limits);
}

static gboolean
match_and_ref (gpointer item, gpointer data)
{
  Upload *upload = item;
  const Request *request = data;

  if (upload->backend != request->source->backend || upload->source != request->source->format
      || upload->format != request->format || capra_array_get_device (upload->array) != request->device
      || !gegl_rectangle_contains (&upload->area, request->area))
    return FALSE;
  g_atomic_ref_count_inc (&upload->refs);
  return TRUE;
}

static GeglRectangle
move_rect (const GeglRectangle *rect, gint x, gint y)
{
  return (GeglRectangle){ rect->x + x, rect->y + y, rect->width, rect->height };
}

static Source
get_source (GeglBuffer *buffer)
{
  Source source = { buffer, gegl_buffer_backend (buffer), gegl_buffer_get_format (buffer) };

  g_object_get (buffer, "shift-x", &source.shift_x, "shift-y", &source.shift_y, "abyss-x", &source.visible.x, "abyss-y",
                &source.visible.y, "abyss-width", &source.visible.width, "abyss-height", &source.visible.height,
                "tile-width", &source.tile_width, "tile-height", &source.tile_height, NULL);
  return source;
}

/* The present states (element-type TileState) of the tiles of @area; NULL if writes would not show in them. */
static GArray *
get_tile_states (const Source *source, const GeglRectangle *area)
{
  gint left = capra_tile_index (area->x, source->tile_width);
  gint right = capra_tile_index (area->x + area->width - 1, source->tile_width);
  gint top = capra_tile_index (area->y, source->tile_height);
  gint bottom = capra_tile_index (area->y + area->height - 1, source->tile_height);
  GArray *tiles = NULL;

  /* The memory of a single tile may belong to the program, which writes to it without GEGL's knowledge (see
   * gegl_buffer_linear_new_from_data()). */
  if (left == right && top == bottom)
    return NULL;
  tiles = g_array_sized_new (FALSE, FALSE, sizeof (TileState), (guint) ((right - left + 1) * (bottom - top + 1)));
  g_array_set_clear_func (tiles, tile_state_clear);
  for (gint y = top; y <= bottom; y++)
    for (gint x = left; x <= right; x++)
      {
        GeglTile *tile = gegl_buffer_get_tile (source->buffer, x, y, 0);
        TileState state = { tile, tile ? gegl_tile_get_rev (tile) : 0 };

        g_array_append_val (tiles, state);
      }
  return tiles;
}

/* The rectangle, in the backend's coordinates, of the tiles of @upload whose states differ from @now. */
static GeglRectangle
get_changed (const Upload *upload, const Source *source, const GArray *now)
{
  gint left = capra_tile_index (upload->area.x, source->tile_width);
  gint top = capra_tile_index (upload->area.y, source->tile_height);
  gint columns = capra_tile_index (upload->area.x + upload->area.width - 1, source->tile_width) - left + 1;
  GeglRectangle changed = { 0, 0, 0, 0 };

  for (guint i = 0; i < now->len; i++)
    {
      const TileState *a = &g_array_index (now, TileState, i);
      const TileState *b = &g_array_index (upload->tiles, TileState, i);
      GeglRectangle tile = { (left + (gint) i % columns) * source->tile_width,
                             (top + (gint) i / columns) * source->tile_height, source->tile_width,
                             source->tile_height };

      if (a->tile != b->tile || a->revision != b->revision)
        gegl_rectangle_bounding_box (&changed, &changed, &tile);
    }
  gegl_rectangle_intersect (&changed, &changed, &upload->area);
  return changed;
}

static gint64
count_pixels (const GeglRectangle *rect)
{
  return (gint64) rect->width * rect->height;
}

/* Uploads @changed again. Nobody else uses the array: this function and the upload have the only references. */
static gboolean
upload_changed (Upload *upload, const Source *source, const GeglRectangle *changed)
{
  GeglRectangle rect = move_rect (changed, -source->shift_x, -source->shift_y);
  CapraDevice *device = capra_array_get_device (upload->array);
  g_autoptr (CapraArray) pixels = NULL;

  if (capra_array_is_shared (upload->array, 2) || count_pixels (changed) > count_pixels (&upload->area) / MAX_CHANGED)
    return FALSE;
  pixels = capra_gather (source->buffer, &rect, upload->format, device, NULL);
  return pixels
         && capra_array_copy_rect (upload->array, (gsize) (changed->x - upload->area.x),
                                   (gsize) (changed->y - upload->area.y), pixels, 0, 0, (gsize) changed->width,
                                   (gsize) changed->height, NULL);
}

/* Makes the upload valid for @request: uploads @changed again, if that is little. A buffer that shows only a part of
 * what has changed (a sub-buffer, as gegl:crop makes) cannot read the rest; the upload is valid for it if nothing has
 * changed where it reads. Sets @updated to whether all of the upload is valid. */
static gboolean
upload_changed_for (Upload *upload, const Request *request, const GeglRectangle *changed, gboolean *updated)
{
  const Source *source = request->source;
  GeglRectangle visible = move_rect (&source->visible, source->shift_x, source->shift_y), touched;

  if (!gegl_rectangle_contains (&visible, changed))
    return !gegl_rectangle_intersect (&touched, changed, request->area);
  *updated = upload_changed (upload, source, changed);
  return *updated;
}

/* Makes the upload valid if few pixels have changed. The caller has a reference to its array. */
static gboolean
update_upload (Upload *upload, const Request *request)
{
  const Source *source = request->source;
  /* Before the pixels are read, as for a new upload. */
  GArray *now = get_tile_states (source, &upload->area);
  gboolean valid = FALSE;

  g_mutex_lock (&upload->lock);
  if (now && now->len == upload->tiles->len)
    {
      GeglRectangle changed = get_changed (upload, source, now);
      gboolean updated = FALSE;

      valid = gegl_rectangle_is_empty (&changed) || upload_changed_for (upload, request, &changed, &updated);
      if (updated)
        {
          GArray *old = upload->tiles;

          upload->tiles = now;
          now = old;
        }
    }
  g_mutex_unlock (&upload->lock);
  g_clear_pointer (&now, g_array_unref);
  return valid;
}

/* A valid upload from the cache, and a reference to its array; NULL if there is none. */
static Upload *
find_upload (const Request *request, CapraArray **array)
{
  Upload *upload = capra_idle_cache_find (get_cache (), match_and_ref, (gpointer) request);

  if (!upload)
    return NULL;
  *array = capra_array_ref (upload->array);
  if (!capra_array_is_evicted (*array) && update_upload (upload, request))
    return upload;
  remove_uploads (is_upload, upload);
  upload_unref (upload);
  g_clear_pointer (array, capra_array_unref);
  return NULL;
}

/* The bytes of an upload of @area, or of its tiles if these are larger. */
static guint64
count_bytes (const Request *request, const GeglRectangle *area)
{
  gint pixel = MAX (babl_format_get_bytes_per_pixel (request->format),
                    babl_format_get_bytes_per_pixel (request->source->format));

  return (guint64) count_pixels (area) * (guint64) pixel;
}

/* Whether an upload is kept. Where host and device share memory, parts of a buffer that is too large to be uploaded
 * whole are not, as long as the process computes its first result. */
static gboolean
is_worth_keeping (const Request *request)
{
  guint64 most = get_max_bytes (request->device);

  return count_bytes (request, request->area) <= most
         && (!capra_device_get_info (request->device)->unified || capra_first_result_is_complete ()
             || count_bytes (request, &request->source->visible) <= most);
}

/* Uploads the pixels and adds them to the cache, if it can recognize later changes. Sets @held to a reference to the
 * array. */
static Upload *
upload_pixels (const Request *request, CapraArray **held, GError **error)
{
  const Source *source = request->source;
  GeglRectangle rect = move_rect (request->area, -source->shift_x, -source->shift_y);
  /* Before the pixels are read, so that a write during the upload is recognized later. */
  g_autoptr (GArray) tiles = is_worth_keeping (request) ? get_tile_states (source, request->area) : NULL;
  CapraArray *array = capra_gather (source->buffer, &rect, request->format, request->device, error);
  Upload *upload = NULL;

  if (!array)
    return NULL;
  upload = g_new0 (Upload, 1);
  g_atomic_ref_count_init (&upload->refs);
  g_mutex_init (&upload->lock);
  upload->backend = source->backend;
  upload->area = *request->area;
  upload->bytes = count_bytes (request, request->area);
  upload->source = source->format;
  upload->format = request->format;
  *held = capra_array_ref (array); /* before it may be evicted */
  upload->array = array;
  capra_array_make_resident (array, TRUE); /* the host has the pixels, too */
  upload->tiles = g_steal_pointer (&tiles);
  if (upload->tiles)
    {
      g_atomic_ref_count_inc (&upload->refs);
      add_upload (upload);
    }
  return upload;
}

/* Sets @view to the pixels of @rect of the buffer, which are not kept; zeros outside of the buffer. */
static gboolean
view_set_pixels (CapraView *view, const Request *request, const GeglRectangle *rect, GError **error)
{
  CapraArray *array = capra_gather (request->source->buffer, rect, request->format, request->device, error);

  if (!array)
    return FALSE;
  view->area = view->visible = *rect;
  capra_view_set_array (view, array);
  return TRUE;
}

static gboolean
is_small (const Source *source, const GeglRectangle *area, CapraDevice *device)
{
  return capra_device_get_info (device)->unified
         && count_pixels (area) <= count_pixels (&source->visible) / SMALL_OF_UNIFIED;
}

gboolean
capra_upload_cache_get_view (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format,
                             CapraDevice *device, GError **error)
{
  Source source = get_source (buffer);
  Request request = { &source, rect, format, device };
  GeglRectangle area;
  CapraArray *array = NULL;
  Upload *upload = NULL;

  *view = (CapraView){ .format = format };
  if (!gegl_rectangle_intersect (&area, rect, &source.visible))
    return view_set_pixels (view, &request, rect, error);
  if (is_small (&source, &area, device))
    return view_set_pixels (view, &request, &area, error);

  if (count_pixels (&area) * WHOLE_DIVISOR >= count_pixels (&source.visible) * WHOLE_SHARE)
    area = source.visible;
  area = move_rect (&area, source.shift_x, source.shift_y);
  request.area = &area;
  upload = find_upload (&request, &array);
  if (!upload)
    upload = upload_pixels (&request, &array, error);
  if (!upload)
    return FALSE;

  view->area = move_rect (&upload->area, -source.shift_x, -source.shift_y);
  gegl_rectangle_intersect (&view->visible, &view->area, &source.visible);
  capra_view_set_array (view, array);
  upload_unref (upload);
  return TRUE;
}

typedef struct {
  const GeglTileBackend *backend;
  CapraDevice *device;
} Holder;

/* Notes the most recently used upload, and matches none, so that it does not become more recently used. */
static gboolean
note_holder (gpointer item, gpointer data)
{
  const Upload *upload = item;
  Holder *holder = data;

  if (upload->backend == holder->backend && !holder->device)
    holder->device = capra_array_get_device (upload->array);
  return FALSE;
}

CapraDevice *
capra_upload_cache_find_device (GeglBuffer *buffer)
{
  Holder holder = { gegl_buffer_backend (buffer) };

  capra_idle_cache_find (get_cache (), note_holder, &holder);
  return holder.device;
}
