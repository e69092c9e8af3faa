/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Pages: memory for many tiles at a time, of the system's large pages.
 *
 * GEGL's own memory for tiles comes in small pages, most of them fresh, as it gives back what is freed: to get and
 * clear them takes several times as long as to copy an image into them. Ours are large, and those of the last image
 * serve the next one, if it comes soon. */
#include "plugin/buffers/pages.h"

#include "runtime/memory/large-pages.h"

/* For less, GEGL's own is as good. */
#define WORTH 8
/* Free pages are kept so long after the last use of any, and so many bytes: one part of so many of GEGL's tile cache,
 * and no more than that. */
#define IDLE (5 * G_TIME_SPAN_SECOND)
#define SHARE 2
#define MOST ((guint64) 1 << 30)

/* A page in use. */
typedef struct {
  gatomicrefcount tiles;
  gpointer begin;
} Page;

struct _CapraPages {
  GPtrArray *begins; /* of pages that are not in use yet */
  gsize bytes;       /* of a tile */
  Page *page;        /* where the next tile may have room; a reference */
  gsize used;        /* bytes of it */
};

/* The one registry of the module: free pages. */
static struct {
  GMutex lock;
  GCond never;
  GPtrArray *begins;
  gint64 used;       /* when one was given or taken */
  gboolean trimming; /* the thread that gives idle ones back runs */
} registry;

static void
unmap (gpointer begin, gpointer data)
{
  capra_large_pages_unmap (begin, CAPRA_LARGE_PAGE);
}

/* Lives while there are free pages. */
static gpointer
trim_idle (gpointer data)
{
  g_mutex_lock (&registry.lock);
  while (registry.begins->len > 0)
    {
      gint64 end = registry.used + IDLE;

      if (g_cond_wait_until (&registry.never, &registry.lock, end) || registry.used + IDLE > end)
        continue;
      g_ptr_array_foreach (registry.begins, unmap, NULL);
      g_ptr_array_set_size (registry.begins, 0);
    }
  registry.trimming = FALSE;
  g_mutex_unlock (&registry.lock);
  return NULL;
}

static void
give_page (gpointer begin)
{
  guint64 cache = 0;

  g_object_get (gegl_config (), "tile-cache-size", &cache, NULL);
  g_mutex_lock (&registry.lock);
  if (!registry.begins)
    registry.begins = g_ptr_array_new ();
  if (!registry.trimming)
    {
      g_autoptr (GThread) thread = g_thread_try_new ("capra-pages", trim_idle, NULL, NULL);

      registry.trimming = thread != NULL;
    }
  registry.used = g_get_monotonic_time ();
  if (registry.trimming && (registry.begins->len + 1) * CAPRA_LARGE_PAGE <= MIN (cache / SHARE, MOST))
    g_ptr_array_add (registry.begins, g_steal_pointer (&begin));
  g_mutex_unlock (&registry.lock);
  if (begin)
    capra_large_pages_unmap (begin, CAPRA_LARGE_PAGE);
}

/* Moves up to @n free pages to @begins. */
static void
take_pages (GPtrArray *begins, gsize n)
{
  g_mutex_lock (&registry.lock);
  registry.used = g_get_monotonic_time ();
  for (; n > 0 && registry.begins && registry.begins->len > 0; n--)
    g_ptr_array_add (begins, g_ptr_array_steal_index (registry.begins, registry.begins->len - 1));
  g_mutex_unlock (&registry.lock);
}

/* Adds @n fresh pages. */
static void
map_pages (GPtrArray *begins, gsize n)
{
  char *all = capra_large_pages_map (n * CAPRA_LARGE_PAGE);

  for (gsize i = all ? n : 0; i > 0; i--)
    g_ptr_array_add (begins, all + (i - 1) * CAPRA_LARGE_PAGE);
}

static void
page_unref (gpointer data)
{
  Page *page = data;

  if (!g_atomic_ref_count_dec (&page->tiles))
    return;
  give_page (page->begin);
  g_free (page);
}

/* Whether clones of a tile over memory of ours may outlive it. From GEGL 0.4.44 on, up to 0.4.68 at least, they go on
 * with counters that were freed with it. */
static gboolean
may_be_cloned (void)
{
  int major = 0, minor = 0, micro = 0;

  gegl_get_version (&major, &minor, &micro);
  return major == 0 && minor == 4 && micro <= 42;
}

CapraPages *
capra_pages_new (gsize n, gsize bytes)
{
  gsize wanted = bytes <= CAPRA_LARGE_PAGE / 2 ? (n + CAPRA_LARGE_PAGE / bytes - 1) / (CAPRA_LARGE_PAGE / bytes) : 0;
  CapraPages *pages = NULL;

  if (wanted < WORTH || !may_be_cloned ())
    return NULL;
  pages = g_new0 (CapraPages, 1);
  pages->bytes = bytes;
  pages->begins = g_ptr_array_new ();
  take_pages (pages->begins, wanted);
  if (pages->begins->len < wanted)
    map_pages (pages->begins, wanted - pages->begins->len);
  return pages;
}

/* A page for the next tiles; NULL if the system had no more. */
static Page *
next_page (CapraPages *pages)
{
  Page *page = NULL;

  if (pages->begins->len == 0)
    return NULL;
  page = g_new (Page, 1);
  g_atomic_ref_count_init (&page->tiles);
  page->begin = g_ptr_array_steal_index (pages->begins, pages->begins->len - 1);
  return page;
}

GeglTile *
capra_pages_take_tile (CapraPages *pages)
{
  GeglTile *tile = NULL;

  if (pages->page && pages->used + pages->bytes > CAPRA_LARGE_PAGE)
    g_clear_pointer (&pages->page, page_unref);
  if (!pages->page)
    {
      pages->page = next_page (pages);
      pages->used = 0;
    }
  if (!pages->page)
    return gegl_tile_new ((gint) pages->bytes);

  tile = gegl_tile_new_bare ();
  g_atomic_ref_count_inc (&pages->page->tiles);
  gegl_tile_set_data_full (tile, (char *) pages->page->begin + pages->used, (gint) pages->bytes, page_unref,
                           pages->page);
  pages->used += pages->bytes;
  return tile;
}

void
capra_pages_end (CapraPages *pages)
{
  if (!pages)
    return;
  g_clear_pointer (&pages->page, page_unref);
  g_ptr_array_foreach (pages->begins, unmap, NULL);
  g_ptr_array_unref (pages->begins);
  g_free (pages);
}
