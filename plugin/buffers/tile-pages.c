/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tile pages: memory for many tiles at once, in the system's large pages. */
#include "plugin/buffers/tile-pages.h"

#include "runtime/memory/idle-cache.h"
#include "runtime/memory/large-pages.h"

/* The minimum number of pages. Smaller results take GEGL's own memory. A block of an image of 8 bits and four channels
 * (see compute-ahead.c) has four pages. */
#define MIN_PAGES 2
/* The size of the tiles that only hold reference counts. GEGL allocates memory for tiles in blocks of many tiles of one
 * size, and prepares as many as an unused block of another size has room for; but sizes that are neither a power of two
 * nor three or five times one, it allocates one by one. */
#define SMALL_TILE 14
/* The time after which free pages are returned to the system. */
#define IDLE_TIME (30 * G_TIME_SPAN_SECOND)
/* The maximum size of all free pages is that of GEGL's tile cache divided by this, and at most MAX_FREE_BYTES. */
#define SHARE 2
#define MAX_FREE_BYTES ((guint64) 1 << 30)

/* The size of the small pages in which the system has memory if it has no large ones. */
#define SMALL_PAGE 4096

/* A page in use. */
typedef struct {
  gatomicrefcount refs; /* of tiles */
  gpointer begin;
} Page;

/* The memory of a tile and of its clones. */
typedef struct {
  Page *page;       /* a reference */
  GeglTile *counts; /* which contains the reference counts of the clones; see make_tile() */
} Memory;

struct _CapraTilePages {
  GPtrArray *unused; /* the beginnings of pages without tiles */
  gsize bytes;       /* of a tile */
  struct {
    Page *page; /* (nullable): where the next tile may have room; a reference */
    gsize used; /* bytes of it */
  } next[CAPRA_N_TILE_KINDS];
};

static void
unmap_page (gpointer begin)
{
  capra_large_pages_unmap (begin, CAPRA_LARGE_PAGE);
}

/* The free pages of the process. */
static CapraIdleCache *
get_free_pages (void)
{
  static CapraIdleCache *cache;

  if (g_once_init_enter (&cache))
    g_once_init_leave (&cache, capra_idle_cache_new ("capra-pages", IDLE_TIME, unmap_page));
  return cache;
}

static void
release_page (gpointer begin)
{
  CapraIdleCache *cache = get_free_pages ();
  guint64 tile_cache = 0;

  g_object_get (gegl_config (), "tile-cache-size", &tile_cache, NULL);
  if ((capra_idle_cache_get_length (cache) + 1) * CAPRA_LARGE_PAGE <= MIN (tile_cache / SHARE, MAX_FREE_BYTES))
    capra_idle_cache_add (cache, begin);
  else
    unmap_page (begin);
}

/* Adds up to @n free pages to @unused. */
static void
take_free_pages (GPtrArray *unused, gsize n)
{
  gpointer begin = NULL;

  for (; n > 0 && (begin = capra_idle_cache_take (get_free_pages (), NULL, NULL)); n--)
    g_ptr_array_add (unused, begin);
}

/* Adds @n new pages to @unused, or none if the system has no more memory. */
static void
map_pages (GPtrArray *unused, gsize n)
{
  char *begin = capra_large_pages_map (n * CAPRA_LARGE_PAGE);

  for (gsize i = begin ? n : 0; i > 0; i--)
    g_ptr_array_add (unused, begin + (i - 1) * CAPRA_LARGE_PAGE);
}

static void
page_unref (gpointer data)
{
  Page *page = data;

  if (!g_atomic_ref_count_dec (&page->refs))
    return;
  release_page (page->begin);
  g_free (page);
}

/* The number of pages for the tiles; 0 if there are too few for large pages to pay off. */
static gsize
count_pages (const gsize n[CAPRA_N_TILE_KINDS], gsize bytes)
{
  gsize tiles_per_page = CAPRA_LARGE_PAGE / bytes, count = 0;

  for (guint kind = 0; kind < CAPRA_N_TILE_KINDS && tiles_per_page >= 2; kind++)
    count += (n[kind] + tiles_per_page - 1) / tiles_per_page;
  return count < MIN_PAGES ? 0 : count;
}

/* How often tiles were made; atomic. */
static gint times_made;

static gboolean
map_used_page (void)
{
  char *page = capra_large_pages_map (CAPRA_LARGE_PAGE);

  for (gsize i = 0; page && i < CAPRA_LARGE_PAGE; i += SMALL_PAGE)
    *(volatile char *) (page + i) = 0;
  if (page)
    release_page (page);
  return page != NULL;
}

void
capra_tile_pages_prepare (const gsize n[CAPRA_N_TILE_KINDS], gsize bytes)
{
  gint made = g_atomic_int_get (&times_made);

  for (gsize left = count_pages (n, bytes); left > 0 && g_atomic_int_get (&times_made) == made; left--)
    if (!map_used_page ())
      return;
}

CapraTilePages *
capra_tile_pages_new (const gsize n[CAPRA_N_TILE_KINDS], gsize bytes)
{
  gsize wanted = count_pages (n, bytes);
  CapraTilePages *pages = NULL;

  g_atomic_int_inc (&times_made);
  if (wanted == 0)
    return NULL;
  pages = g_new0 (CapraTilePages, 1);
  pages->bytes = bytes;
  pages->unused = g_ptr_array_new ();
  take_free_pages (pages->unused, wanted);
  if (pages->unused->len < wanted)
    map_pages (pages->unused, wanted - pages->unused->len);
  return pages;
}

static void
free_memory (gpointer data)
{
  Memory *memory = data;

  gegl_tile_unref (memory->counts);
  page_unref (memory->page);
  g_free (memory);
}

/* A tile with memory of our own, whose clones may outlive it. From GEGL 0.4.44 to 0.4.70 at least, clones share
 * reference counts that are in the tile made by gegl_tile_new_bare(), and are freed with it. So that tile is kept until
 * the memory is freed. It is only cloned, and then locked: it gets memory of its own, and leaves the counts to its
 * clones. */
static GeglTile *
make_tile (Page *page, gpointer data, gsize bytes)
{
  static guchar unused[SMALL_TILE];
  GeglTile *counts = gegl_tile_new_bare (), *tile = NULL;
  Memory *memory = g_new (Memory, 1);

  gegl_tile_set_data_full (counts, unused, sizeof unused, NULL, NULL);
  tile = gegl_tile_dup (counts);
  gegl_tile_lock (counts);
  gegl_tile_unlock (counts);
  *memory = (Memory){ page, counts };
  g_atomic_ref_count_inc (&page->refs);
  gegl_tile_set_data_full (tile, data, (gint) bytes, free_memory, memory);
  return tile;
}

/* A page for the next tiles; NULL if the system had no more memory. */
static Page *
next_page (CapraTilePages *pages)
{
  Page *page = NULL;

  if (pages->unused->len == 0)
    return NULL;
  page = g_new (Page, 1);
  g_atomic_ref_count_init (&page->refs);
  page->begin = g_ptr_array_steal_index (pages->unused, pages->unused->len - 1);
  return page;
}

GeglTile *
capra_tile_pages_take_tile (CapraTilePages *pages, CapraTileKind kind)
{
  Page **page = &pages->next[kind].page;
  gsize *used = &pages->next[kind].used;
  gpointer data = NULL;

  if (*page && *used + pages->bytes > CAPRA_LARGE_PAGE)
    g_clear_pointer (page, page_unref);
  if (!*page)
    {
      *page = next_page (pages);
      *used = 0;
    }
  if (!*page)
    return gegl_tile_new ((gint) pages->bytes);

  data = (char *) (*page)->begin + *used;
  *used += pages->bytes;
  return make_tile (*page, data, pages->bytes);
}

void
capra_tile_pages_free (CapraTilePages *pages)
{
  if (!pages)
    return;
  for (guint kind = 0; kind < CAPRA_N_TILE_KINDS; kind++)
    g_clear_pointer (&pages->next[kind].page, page_unref);
  for (guint i = 0; i < pages->unused->len; i++)
    unmap_page (pages->unused->pdata[i]);
  g_ptr_array_unref (pages->unused);
  g_free (pages);
}
