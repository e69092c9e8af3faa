/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of stored results: freed before anything is evicted, the least recently used result first, and never one that
 * is used; and threads that compute results at the same time. */
#include <string.h>

#include "plugin/compute/result-cache.h"
#include "runtime/memory/memory.h"
#include "tests/support/graph.h"

enum { SIZE = 512, COUNT = SIZE * SIZE, BYTES = COUNT * sizeof (float), N = 4 };

static const GeglRectangle extent = { 0, 0, SIZE, SIZE };

static void
part_lost (GeglOperation *operation, CapraDevice *device, const GError *error)
{
  g_error ("%s", error->message);
}

/* An image of @rows rows from @y on, in an array on a device, filled with @value. */
static CapraDeviceTiles *
new_part (gint y, gint rows, double value)
{
  const Babl *format = babl_format ("Y float");
  CapraShape shape = CAPRA_SHAPE_2D (SIZE, (gsize) rows, CAPRA_F32);
  CapraPixels pixels = { capra_array_new (support_device (0), &shape, NULL), { 0, y, SIZE, rows } };
  GArray *bands = capra_bands_new ();

  g_assert_nonnull (pixels.array);
  g_assert_true (capra_array_fill (pixels.array, value, NULL));
  capra_bands_add (bands, &pixels);
  return capra_device_tiles_new (bands, format, format, NULL, part_lost);
}

static CapraTileMap *
new_map (void)
{
  const Babl *format = babl_format ("Y float");
  CapraTileGrid grid = capra_tile_grid_new (&extent, format, format);

  return capra_tile_map_new (&grid);
}

/* A stored result, whose pixels are @value, on the device alone. */
static CapraResultCache *
new_result (double value)
{
  CapraResultCache *cache = capra_result_cache_new ();
  g_auto (CapraStoredResult) result = { .map = new_map () };

  capra_tile_map_add (result.map, new_part (0, SIZE, value));
  capra_result_cache_store (cache, &result);
  return cache;
}

static void
free_results (CapraResultCache **results, guint n)
{
  for (guint i = 0; i < n; i++)
    capra_result_cache_free (results[i]);
}

/* The stored part of @result (transfer full); NULL if it was freed. */
static CapraDeviceTiles *
get_part (CapraResultCache *result)
{
  g_auto (CapraStoredResult) stored;

  capra_result_cache_get (result, &stored);
  if (!stored.map || stored.map->parts->len == 0)
    return NULL;
  return capra_device_tiles_ref (stored.map->parts->pdata[0]);
}

static gboolean
is_stored (CapraResultCache *result)
{
  g_autoptr (CapraDeviceTiles) part = get_part (result);

  return part != NULL;
}

/* All pixels of @part must be @value. */
static void
assert_pixels (CapraDeviceTiles *part, float value)
{
  GeglTile *tile = capra_device_tiles_get_tile (part, 0, 0);
  const CapraTileGrid *grid = capra_device_tiles_get_grid (part);
  const float *pixels = (const float *) gegl_tile_get_data (tile);

  for (gint i = 0; i < grid->width * grid->height; i++)
    g_assert_cmpfloat (pixels[i], ==, value);
  gegl_tile_unref (tile);
}

/* Room for N images. */
static void
limit_memory (void)
{
  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), N * (guint64) BYTES);
  graph_forget ();
}

static CapraArray *
new_array (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (SIZE, SIZE, CAPRA_F32);
  g_autoptr (GError) error = NULL;
  CapraArray *array = capra_array_new (support_device (0), &shape, &error);

  g_assert_no_error (error);
  return array;
}

/* The least recently used result goes first, without a transfer. The last one used is evicted to the host. */
static void
test_order (void)
{
  CapraResultCache *results[N];
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_array_unref);
  guint64 before = support_memory ().evictions;

  limit_memory ();
  for (guint i = 0; i < N; i++)
    results[i] = new_result (i);
  g_assert_true (is_stored (results[0])); /* which uses it */
  for (guint i = 1; i < N; i++)
    {
      g_ptr_array_add (arrays, new_array ());
      g_assert_cmpuint (support_memory ().evictions, ==, before);
      g_assert_cmpuint (graph_count ("evict"), ==, 0);
    }
  for (guint i = 1; i < N; i++)
    g_assert_false (is_stored (results[i]));

  g_ptr_array_add (arrays, new_array ());
  g_assert_cmpuint (support_memory ().evictions, ==, before + 1);
  g_assert_cmpuint (graph_bytes ("evict"), ==, BYTES);
  g_ptr_array_set_size (arrays, 0);
  {
    g_autoptr (CapraDeviceTiles) part = get_part (results[0]);

    assert_pixels (part, 0.0f);
  }
  capra_memory_set_budget (support_device (0), 0);
  free_results (results, N);
}

/* A result that someone shows, or that is being computed, is evicted, and keeps its pixels. */
static void
test_used (void)
{
  CapraResultCache *results[3];
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_array_unref);
  g_auto (CapraStoredResult) shown;
  guint64 before = 0;

  limit_memory ();
  for (guint i = 0; i < 3; i++)
    results[i] = new_result (1.0 + i);
  capra_result_cache_get (results[0], &shown);
  g_assert_true (capra_result_cache_begin (results[1], &extent, &extent, 0));
  g_assert_true (is_stored (results[2]));
  before = support_memory ().evictions;
  for (guint i = 0; i < N; i++)
    g_ptr_array_add (arrays, new_array ());
  g_assert_cmpuint (support_memory ().evictions, ==, before + 3);
  capra_result_cache_end (results[1], FALSE);
  g_ptr_array_set_size (arrays, 0);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (CapraDeviceTiles) part = get_part (results[i]);

      assert_pixels (part, 1.0f + i);
    }
  capra_memory_set_budget (support_device (0), 0);
  free_results (results, 3);
}

/* What the host has, too, stays there: only the arrays are freed. */
static void
test_on_host (void)
{
  CapraResultCache *results[N];
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_array_unref);
  guint64 before = 0;

  limit_memory ();
  for (guint i = 0; i < N; i++)
    {
      g_autoptr (CapraDeviceTiles) part = NULL;

      results[i] = new_result (i);
      part = get_part (results[i]);
      assert_pixels (part, i);
    }
  graph_forget ();
  before = support_memory ().evictions;
  for (guint i = 1; i < N; i++)
    g_ptr_array_add (arrays, new_array ());
  g_assert_cmpuint (support_memory ().evictions, ==, before);
  for (guint i = 0; i < N; i++)
    {
      g_autoptr (CapraDeviceTiles) part = get_part (results[i]);
      g_autoptr (GArray) bands = capra_device_tiles_get_bands (part);

      g_assert_true ((bands != NULL) == (i == N - 1));
      assert_pixels (part, i);
    }
  g_assert_cmpuint (graph_count ("download"), ==, 0);
  g_assert_cmpuint (graph_count ("evict"), ==, 0);
  capra_memory_set_budget (support_device (0), 0);
  free_results (results, N);
}

/* Stores results, reads them, and allocates arrays that do not fit beside them. */
static gpointer
use_memory (gpointer data)
{
  for (guint round = 0; round < 30; round++)
    {
      CapraResultCache *results[3];
      g_autoptr (CapraArray) array = NULL;

      for (guint i = 0; i < 3; i++)
        results[i] = new_result (round * 3 + i);
      array = new_array ();
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (CapraDeviceTiles) part = get_part (results[i]);

          if (part)
            assert_pixels (part, round * 3 + i);
        }
      free_results (results, 3);
    }
  return NULL;
}

/* Two threads free each other's results. */
static void
test_threads (void)
{
  GThread *thread = NULL;

  limit_memory ();
  thread = g_thread_new ("results", use_memory, NULL);
  use_memory (NULL);
  g_thread_join (thread);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_RESIDENT], ==, 0);
  capra_memory_set_budget (support_device (0), 0);
}

/* Of two parts that were computed from the same stored parts, both are stored. */
static void
test_two_parts (void)
{
  CapraResultCache *cache = capra_result_cache_new ();
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&extent, babl_format ("Y float"));
  g_auto (CapraStoredResult) stored;
  gint half = SIZE / 2;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CapraTileMap) begun = new_map (), map = capra_tile_map_copy (begun);
      CapraStoredResult result = { buffer, map };
      g_autoptr (CapraDeviceTiles) part = new_part ((gint) i * half, half, i);

      capra_tile_map_add (map, capra_device_tiles_ref (part));
      capra_result_cache_add_part (cache, begun, part, &result);
    }
  capra_result_cache_get (cache, &stored);
  g_assert_cmpuint (stored.map->parts->len, ==, 2);
  g_assert_cmpint (capra_tile_map_get_missing (stored.map, &extent, NULL), ==, 0);
  capra_result_cache_free (cache);
}

/* Threads that need what another one computes. */
typedef struct {
  CapraResultCache *cache;
  gint arrived, computed, failed; /* atomic */
} Waiters;

static gpointer
wait_for_result (gpointer data)
{
  Waiters *waiters = data;

  g_atomic_int_inc (&waiters->arrived);
  if (capra_result_cache_begin (waiters->cache, &extent, &extent, 0))
    {
      g_atomic_int_inc (&waiters->computed);
      capra_result_cache_end (waiters->cache, FALSE);
    }
  else
    g_atomic_int_inc (&waiters->failed);
  return NULL;
}

/* A computation that fails has failed for all threads that wait for it; they do not compute one after the other. One
 * that succeeds lets them go on. Threads that come after its end compute: it is tried until one has waited. */
static void
test_failure (gconstpointer failed)
{
  Waiters waiters = { .cache = capra_result_cache_new () };
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
  gulong pause = 100;
  gint *expected = failed ? &waiters.failed : &waiters.computed;

  do
    {
      GThread *threads[4];

      waiters.arrived = 0;
      g_assert_true (capra_result_cache_begin (waiters.cache, &extent, &extent, 0));
      for (guint i = 0; i < 4; i++)
        threads[i] = g_thread_new ("waiter", wait_for_result, &waiters);
      while (g_atomic_int_get (&waiters.arrived) < 4)
        g_thread_yield ();
      g_usleep (pause);
      pause *= 2;
      capra_result_cache_end (waiters.cache, failed != NULL);
      for (guint i = 0; i < 4; i++)
        g_thread_join (threads[i]);
      g_assert_cmpint (g_get_monotonic_time (), <, end);
    }
  while (*expected < 4);
  g_assert_cmpint (waiters.failed, >=, failed ? 4 : 0);
  g_assert_true (failed || waiters.failed == 0);
  capra_result_cache_free (waiters.cache);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/result-memory/order", test_order);
  g_test_add_func ("/result-memory/used", test_used);
  g_test_add_func ("/result-memory/on-host", test_on_host);
  g_test_add_func ("/result-memory/threads", test_threads);
  g_test_add_func ("/result-memory/two-parts", test_two_parts);
  g_test_add_data_func ("/result-memory/waiting/success", GINT_TO_POINTER (FALSE), test_failure);
  g_test_add_data_func ("/result-memory/waiting/failure", GINT_TO_POINTER (TRUE), test_failure);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
