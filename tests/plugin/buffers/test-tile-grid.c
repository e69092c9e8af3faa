/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tile grid: the tiles of an image, and the memory that tiles at its edges share with others. */
#include "tests/support/support.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plugin/buffers/tile-grid.h"
#include "runtime/memory/large-pages.h"

static CapraTileGrid
grid_new (const GeglRectangle *extent)
{
  const Babl *format = babl_format ("RGB float");

  return capra_tile_grid_new (extent, format, format);
}

static gboolean
is_inner (const CapraTileGrid *grid, gint index)
{
  GeglRectangle rect = capra_tile_grid_get_tile_rect (grid, index);

  return gegl_rectangle_contains (&grid->extent, &rect);
}

static gsize
get_page (GeglTile *tile)
{
  return (gsize) gegl_tile_get_data (tile) / CAPRA_LARGE_PAGE;
}

/* Whether no page has both inner tiles and edge tiles. */
static gboolean
are_separate (const CapraTileGrid *grid, GeglTile **tiles)
{
  g_autoptr (GHashTable) inner = g_hash_table_new (NULL, NULL);

  for (gint i = 0; i < grid->columns * grid->rows; i++)
    if (is_inner (grid, i))
      g_hash_table_add (inner, GSIZE_TO_POINTER (get_page (tiles[i])));
  for (gint i = 0; i < grid->columns * grid->rows; i++)
    if (!is_inner (grid, i) && g_hash_table_contains (inner, GSIZE_TO_POINTER (get_page (tiles[i]))))
      return FALSE;
  return TRUE;
}

/* Whether the system has memory for all of the tile. */
static gboolean
is_in_memory (GeglTile *tile, gsize bytes)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE), begin = (gsize) gegl_tile_get_data (tile) / page * page;
  gsize n = ((gsize) gegl_tile_get_data (tile) + bytes - begin + page - 1) / page;
  g_autofree guchar *states = g_malloc (n);

  g_assert_cmpint (mincore ((void *) begin, n * page, states), ==, 0);
  for (gsize i = 0; i < n; i++)
    if (!(states[i] & 1))
      return FALSE;
  return TRUE;
}

/* The number of the inner tiles of a new list that are in memory. */
static guint
count_in_memory (const CapraTileGrid *grid)
{
  GeglTile **tiles = capra_tile_grid_new_tiles (grid);
  guint count = 0;

  for (gint i = 0; i < grid->columns * grid->rows; i++)
    count += is_inner (grid, i) && is_in_memory (tiles[i], capra_tile_grid_get_tile_bytes (grid));
  capra_tile_grid_free_tiles (grid, tiles);
  return count;
}

/* Memory that was made ready, and no more, is used for the tiles. The first test, as free pages are used again. */
static void
test_prepared (void)
{
  const GeglRectangle small = { 0, 0, 1024, 1024 }, large = { 0, 0, 4096, 1024 };
  CapraTileGrid grid = grid_new (&small), larger = grid_new (&large);

  g_assert_cmpuint (count_in_memory (&grid), ==, 0);
  capra_tile_grid_prepare_tiles (&grid);
  g_assert_cmpuint (count_in_memory (&grid), ==, (guint) (grid.columns * grid.rows));
  g_assert_cmpuint (count_in_memory (&larger), <, (guint) (larger.columns * larger.rows));
}

static gpointer
prepare (gpointer grid)
{
  capra_tile_grid_prepare_tiles (grid);
  return NULL;
}

/* No more memory is made ready once tiles are made. */
static void
test_prepared_late (void)
{
  const GeglRectangle huge = { 0, 0, 16384, 8192 }, small = { 0, 0, 512, 512 };
  CapraTileGrid grid = grid_new (&huge), other = grid_new (&small);
  GThread *thread = g_thread_new ("prepare", prepare, &grid);

  g_usleep (1000);
  capra_tile_grid_free_tiles (&other, capra_tile_grid_new_tiles (&other));
  g_thread_join (thread);
  g_assert_cmpuint (count_in_memory (&grid), <, (guint) (grid.columns * grid.rows) / 2);
}

/* A host drops the edge tiles of a chunk earlier than the others: they must not keep pages of these, nor be kept. */
static void
test_separate_pages (void)
{
  const GeglRectangle extent = { 1500, 1000, 1500, 1000 };
  CapraTileGrid grid = grid_new (&extent);

  /* The second time in pages that the first one has freed. */
  for (guint turn = 0; turn < 2; turn++)
    {
      GeglTile **tiles = capra_tile_grid_new_tiles (&grid);

      g_assert_true (are_separate (&grid, tiles));
      capra_tile_grid_free_tiles (&grid, tiles);
    }
}

/* Tiles have own memory, aligned for vectors, and those at the edges are zero. */
static void
test_contents (gconstpointer data)
{
  const GeglRectangle *extent = data;
  CapraTileGrid grid = grid_new (extent);
  gsize bytes = capra_tile_grid_get_tile_bytes (&grid);
  gint n = grid.columns * grid.rows;
  GeglTile **tiles = capra_tile_grid_new_tiles (&grid);

  for (gint i = 0; i < n; i++)
    {
      guchar *pixels = gegl_tile_get_data (tiles[i]);

      g_assert_cmpuint ((gsize) pixels % 16, ==, 0);
      for (gsize k = 0; k < bytes && !is_inner (&grid, i); k++)
        g_assert_cmpuint (pixels[k], ==, 0);
    }
  for (gint i = 0; i < n; i++)
    memset (gegl_tile_get_data (tiles[i]), i % 251, bytes);
  for (gint i = 0; i < n; i++)
    for (gsize k = 0; k < bytes; k += 61)
      g_assert_cmpuint (gegl_tile_get_data (tiles[i])[k], ==, i % 251);
  capra_tile_grid_free_tiles (&grid, tiles);
}

/* The clones of a tile that was freed keep its pixels, also while one of them is written to and its memory is used
 * again. */
static void
test_clones (void)
{
  const GeglRectangle extent = { 0, 0, 1500, 1000 };
  CapraTileGrid grid = grid_new (&extent);
  gsize bytes = capra_tile_grid_get_tile_bytes (&grid);

  for (guint turn = 0; turn < 3; turn++)
    {
      GeglTile **tiles = capra_tile_grid_new_tiles (&grid), *first = NULL, *second = NULL, *third = NULL;

      memset (gegl_tile_get_data (tiles[0]), 7, bytes);
      first = gegl_tile_dup (tiles[0]);
      second = gegl_tile_dup (first);
      capra_tile_grid_free_tiles (&grid, tiles);
      tiles = capra_tile_grid_new_tiles (&grid);
      for (gint i = 0; i < grid.columns * grid.rows; i++)
        memset (gegl_tile_get_data (tiles[i]), 3, bytes);
      third = gegl_tile_dup (second);
      gegl_tile_lock (first);
      memset (gegl_tile_get_data (first), 9, bytes);
      gegl_tile_unlock (first);
      for (gsize k = 0; k < bytes; k++)
        g_assert_true (gegl_tile_get_data (first)[k] == 9 && gegl_tile_get_data (second)[k] == 7
                       && gegl_tile_get_data (third)[k] == 7);
      gegl_tile_unref (first);
      gegl_tile_unref (second);
      capra_tile_grid_free_tiles (&grid, tiles);
      g_assert_cmpint (gegl_tile_get_data (third)[bytes - 1], ==, 7);
      gegl_tile_unref (third);
    }
}

int
main (int argc, char **argv)
{
  static const GeglRectangle small = { -5, 7, 1, 1 }, unaligned = { -700, 333, 1501, 997 };
  int failures = 0;

  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_test_add_func ("/tile-grid/prepared", test_prepared);
  g_test_add_func ("/tile-grid/prepared-late", test_prepared_late);
  g_test_add_func ("/tile-grid/separate-pages", test_separate_pages);
  g_test_add_func ("/tile-grid/clones", test_clones);
  g_test_add_data_func ("/tile-grid/contents/small", &small, test_contents);
  g_test_add_data_func ("/tile-grid/contents/unaligned", &unaligned, test_contents);
  failures = g_test_run ();
  gegl_exit ();
  return failures;
}
