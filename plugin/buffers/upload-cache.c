/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pushed: pixels of host buffers that were pushed, remembered on the device for the next operation.
 *
 * Whether pixels are still those that were pushed is not left to the buffer's "changed" signal: it is not
 * emitted on all buffers that share them, nor by what renders its tiles on demand. A GeglTile counts each
 * write in its revision, and GEGL keeps a tile that someone holds the one tile of its place: while the
 * same tiles have the same revisions, nothing was written. Nothing of this keeps the buffer alive. */
#include "plugin/buffers/upload-cache.h"

#include "plugin/buffers/gather.h"

/* At most so many arrays are kept, together of a half of the device's budget or of GEGL's tile cache, and
 * none longer than this after its last use: the next operation may have to build its kernels first. */
#define KEPT 16
#define SHARE 2
#define IDLE G_TIME_SPAN_MINUTE

typedef struct {
  GeglTile *tile; /* a reference: it stays in GEGL's cache, so that its place keeps it */
  guint revision;
} Witness;

typedef struct {
  gatomicrefcount refs;
  GeglTileBackend *backend; /* of the buffer; not a reference, never used but to compare */
  GeglRectangle area;       /* in the backend's coordinates */
  const Babl *source;       /* the buffer's own: others, or the same one later, may take the pixels for another */
  const Babl *format;
  CapraArray *array;
  GArray *tiles; /* of Witness; those that the area touches, row by row */
  gint64 used;
} Pushed;

/* The one registry of the module. */
static struct {
  GMutex lock;
  GCond wake;
  GQueue all;          /* of Pushed, the last used last */
  gboolean forgetting; /* the thread that forgets the idle ones runs */
} registry;

/* Where a buffer's pixels lie in its backend. */
typedef struct {
  GeglTileBackend *backend;
  const Babl *format;
  GeglRectangle shown; /* in the buffer's coordinates */
  gint shift_x, shift_y, tile_width, tile_height;
} Place;

static void
witness_clear (gpointer data)
{
  gegl_tile_unref (((Witness *) data)->tile);
}

static void
pushed_unref (gpointer data)
{
  Pushed *pushed = data;

  if (!g_atomic_ref_count_dec (&pushed->refs))
    return;
  g_clear_pointer (&pushed->tiles, g_array_unref);
  capra_array_release_resident (pushed->array, TRUE);
  g_free (pushed);
}

static GeglRectangle
moved (const GeglRectangle *rect, gint x, gint y)
{
  return (GeglRectangle){ rect->x + x, rect->y + y, rect->width, rect->height };
}

static Place
place_of (GeglBuffer *buffer)
{
  Place place = { gegl_buffer_backend (buffer), gegl_buffer_get_format (buffer) };

  g_object_get (buffer, "shift-x", &place.shift_x, "shift-y", &place.shift_y, "abyss-x", &place.shown.x, "abyss-y",
                &place.shown.y, "abyss-width", &place.shown.width, "abyss-height", &place.shown.height, "tile-width",
                &place.tile_width, "tile-height", &place.tile_height, NULL);
  return place;
}

/* The tiles that hold @area at this moment; NULL if they cannot bear witness. */
static GArray *
witnesses (GeglBuffer *buffer, const Place *place, const GeglRectangle *area)
{
  gint left = capra_tile_index (area->x, place->tile_width);
  gint right = capra_tile_index (area->x + area->width - 1, place->tile_width);
  gint top = capra_tile_index (area->y, place->tile_height);
  gint bottom = capra_tile_index (area->y + area->height - 1, place->tile_height);
  GArray *tiles = NULL;

  /* A single tile may lie over memory of somebody's own, written to without GEGL's knowledge (see
   * gegl_buffer_linear_new_from_data()). */
  if (left == right && top == bottom)
    return NULL;
  tiles = g_array_sized_new (FALSE, FALSE, sizeof (Witness), (guint) ((right - left + 1) * (bottom - top + 1)));
  g_array_set_clear_func (tiles, witness_clear);
  for (gint y = top; y <= bottom; y++)
    for (gint x = left; x <= right; x++)
      {
        GeglTile *tile = gegl_buffer_get_tile (buffer, x, y, 0);
        Witness witness = { tile, tile ? gegl_tile_get_rev (tile) : 0 };

        if (tile)
          g_array_append_val (tiles, witness);
      }
  return tiles;
}

static gboolean
is_as_pushed (const Pushed *pushed, GeglBuffer *buffer, const Place *place)
{
  g_autoptr (GArray) now = witnesses (buffer, place, &pushed->area);
  gboolean same = now && now->len == pushed->tiles->len;

  for (guint i = 0; same && i < now->len; i++)
    {
      const Witness *a = &g_array_index (now, Witness, i);
      const Witness *b = &g_array_index (pushed->tiles, Witness, i);

      same = a->tile == b->tile && a->revision == b->revision;
    }
  return same;
}

/* Takes out what @matches, with the lock held; to be freed without it. */
static GSList *
take_out (gboolean (*matches) (const Pushed *pushed, gconstpointer what), gconstpointer what)
{
  GSList *out = NULL;

  for (GList *link = registry.all.head, *next = NULL; link; link = next)
    {
      next = link->next;
      if (matches (link->data, what))
        {
          out = g_slist_prepend (out, link->data);
          g_queue_delete_link (&registry.all, link);
        }
    }
  return out;
}

static void
forget (gboolean (*matches) (const Pushed *pushed, gconstpointer what), gconstpointer what)
{
  GSList *out = NULL;

  g_mutex_lock (&registry.lock);
  out = take_out (matches, what);
  g_mutex_unlock (&registry.lock);
  g_slist_free_full (out, pushed_unref);
}

static gboolean
is_it (const Pushed *pushed, gconstpointer what)
{
  return pushed == what;
}

static gboolean
is_in_backend (const Pushed *pushed, gconstpointer what)
{
  return pushed->backend == what;
}

static gboolean
is_idle (const Pushed *pushed, gconstpointer what)
{
  return pushed->used + IDLE <= *(const gint64 *) what;
}

static void
backend_gone (gpointer backend)
{
  forget (is_in_backend, backend);
}

/* Lives while anything is remembered. */
static gpointer
forget_idle (gpointer data)
{
  g_mutex_lock (&registry.lock);
  while (!g_queue_is_empty (&registry.all))
    {
      const Pushed *oldest = g_queue_peek_head (&registry.all);
      GSList *out = NULL;
      gint64 now = 0;

      if (g_cond_wait_until (&registry.wake, &registry.lock, oldest->used + IDLE))
        continue;
      now = g_get_monotonic_time ();
      out = take_out (is_idle, &now);
      g_mutex_unlock (&registry.lock);
      g_slist_free_full (out, pushed_unref);
      g_mutex_lock (&registry.lock);
    }
  registry.forgetting = FALSE;
  g_mutex_unlock (&registry.lock);
  return NULL;
}

/* What may be kept beside the latest one, on whatever devices. */
static guint64
limit (const Pushed *latest)
{
  CapraMemory memory;
  guint64 cache = 0;

  capra_memory_query (capra_array_get_device (latest->array), &memory);
  g_object_get (gegl_config (), "tile-cache-size", &cache, NULL);
  return MIN (memory.budget, cache) / SHARE;
}

/* The oldest ones beyond what may be kept, with the lock held. */
static GSList *
take_out_surplus (guint64 most)
{
  GSList *out = NULL;
  guint64 bytes = 0;
  guint n = 0;

  for (GList *link = registry.all.tail, *before = NULL; link; link = before)
    {
      Pushed *pushed = link->data;

      before = link->prev;
      bytes += capra_shape_bytes (capra_array_get_shape (pushed->array));
      if (++n <= KEPT && bytes <= most)
        continue;
      out = g_slist_prepend (out, pushed);
      g_queue_delete_link (&registry.all, link);
    }
  return out;
}

static void
remember (Pushed *pushed)
{
  GQuark quark = g_quark_from_static_string ("capra-pushed");
  GObject *backend = G_OBJECT (pushed->backend);
  guint64 most = limit (pushed);
  GSList *out = NULL;

  if (!g_object_get_qdata (backend, quark))
    g_object_set_qdata_full (backend, quark, backend, backend_gone);

  g_mutex_lock (&registry.lock);
  pushed->used = g_get_monotonic_time ();
  g_queue_push_tail (&registry.all, pushed);
  out = take_out_surplus (most);
  if (!registry.forgetting && !g_queue_is_empty (&registry.all))
    {
      g_autoptr (GThread) thread = g_thread_try_new ("capra-forget", forget_idle, NULL, NULL);

      registry.forgetting = thread != NULL;
    }
  g_mutex_unlock (&registry.lock);
  g_slist_free_full (out, pushed_unref);
}

/* What was pushed for @area, in the backend's coordinates; a reference. */
static Pushed *
recall (const Place *place, const GeglRectangle *area, const Babl *format, CapraDevice *device)
{
  Pushed *found = NULL;

  g_mutex_lock (&registry.lock);
  for (GList *link = registry.all.tail; link && !found; link = link->prev)
    {
      Pushed *pushed = link->data;

      if (pushed->backend != place->backend || pushed->source != place->format || pushed->format != format
          || capra_array_get_device (pushed->array) != device || !gegl_rectangle_contains (&pushed->area, area))
        continue;
      found = pushed;
      g_atomic_ref_count_inc (&found->refs);
      found->used = g_get_monotonic_time ();
      g_queue_unlink (&registry.all, link);
      g_queue_push_tail_link (&registry.all, link);
    }
  g_mutex_unlock (&registry.lock);
  return found;
}

/* Pushes @part, and gives @held a reference of the array. */
static Pushed *
push (GeglBuffer *buffer, const Place *place, const GeglRectangle *part, const GeglRectangle *area, const Babl *format,
      CapraDevice *device, CapraArray **held, GError **error)
{
  /* Before the pixels are read: what is written meanwhile shows in the next comparison. */
  g_autoptr (GArray) tiles = witnesses (buffer, place, area);
  g_autoptr (CapraArray) array = capra_gather (buffer, part, format, device, error);
  Pushed *pushed = NULL;

  if (!array)
    return NULL;
  pushed = g_new0 (Pushed, 1);
  g_atomic_ref_count_init (&pushed->refs);
  pushed->backend = place->backend;
  pushed->area = *area;
  pushed->source = place->format;
  pushed->format = format;
  *held = capra_array_ref (array); /* before it may be evicted */
  pushed->array = g_steal_pointer (&array);
  capra_array_make_resident (pushed->array, TRUE); /* the host has it, too */
  pushed->tiles = g_steal_pointer (&tiles);
  if (pushed->tiles)
    {
      g_atomic_ref_count_inc (&pushed->refs);
      remember (pushed);
    }
  return pushed;
}

/* Makes @array (taken) all that the view shows. */
static gboolean
show (CapraView *view, CapraArray *array)
{
  CapraPixels pixels = { array, { 0, 0, view->area.width, view->area.height } };

  if (array)
    capra_bands_add (view->bands, &pixels);
  return array != NULL;
}

gboolean
capra_upload_cache_get_view (CapraView *view, GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format,
                             CapraDevice *device, GError **error)
{
  Place place = place_of (buffer);
  GeglRectangle part, area;
  g_autoptr (CapraArray) array = NULL;
  Pushed *pushed = NULL;

  *view = (CapraView){ .bands = capra_bands_new () };
  if (!gegl_rectangle_intersect (&part, rect, &place.shown))
    {
      /* Nothing but zeros, of which some have to be there. */
      view->area = view->visible = *rect;
      view->format = format;
      return show (view, capra_gather (buffer, rect, format, device, error));
    }

  area = moved (&part, place.shift_x, place.shift_y);
  pushed = recall (&place, &area, format, device);
  array = pushed ? capra_array_ref (pushed->array) : NULL;
  if (pushed && (capra_array_is_evicted (array) || !is_as_pushed (pushed, buffer, &place)))
    {
      forget (is_it, pushed);
      g_clear_pointer (&pushed, pushed_unref);
      g_clear_pointer (&array, capra_array_unref);
    }
  if (!pushed)
    pushed = push (buffer, &place, &part, &area, format, device, &array, error);
  if (!pushed)
    return FALSE;

  view->area = moved (&pushed->area, -place.shift_x, -place.shift_y);
  gegl_rectangle_intersect (&view->visible, &view->area, &place.shown);
  view->format = format;
  show (view, g_steal_pointer (&array));
  pushed_unref (pushed);
  return TRUE;
}
