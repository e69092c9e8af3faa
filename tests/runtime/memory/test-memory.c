/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: what is in use is counted, the budget holds, the pool serves and is given back, and resident
 * arrays make room for others without a loss. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

static CapraMemory
query (void)
{
  CapraMemory memory;

  capra_memory_query (support_device (0), &memory);
  return memory;
}

static CapraArray *
megabytes (gsize n, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (1 << 20, n, CAPRA_U8);

  return capra_array_new (support_device (0), &shape, error);
}

static void
test_counts (void)
{
  g_autoptr (CapraArray) one = megabytes (3, NULL);
  CapraMemory before = query (), during, after;
  CapraArray *two = megabytes (5, NULL);

  during = query ();
  g_assert_cmpuint (during.bytes[CAPRA_MEMORY_ARRAYS] - before.bytes[CAPRA_MEMORY_ARRAYS], ==, 5 << 20);
  g_assert_cmpuint (during.peak, >=, during.bytes[CAPRA_MEMORY_ARRAYS]);

  capra_array_unref (two);
  after = query ();
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_ARRAYS], ==, before.bytes[CAPRA_MEMORY_ARRAYS]);
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_POOL], >=, 5 << 20);
}

/* The second array of a size needs no driver call. */
static void
test_pool (void)
{
  CapraMemory first, second;

  capra_array_unref (megabytes (7, NULL));
  first = query ();
  capra_array_unref (megabytes (7, NULL));
  second = query ();
  g_assert_cmpuint (first.allocations, ==, second.allocations);

  capra_memory_trim (support_device (0));
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 0);
}

/* Bytes of this process that lie in memory. */
static gsize
resident_bytes (void)
{
  g_autofree char *text = NULL;
  unsigned long all = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%lu %lu", &all, &resident), ==, 2);
  return resident * (gsize) sysconf (_SC_PAGESIZE);
}

/* Memory of a CPU is the host's: what is given back is the system's again, once the last kernel is done with it. */
static void
test_given_back (void)
{
  const gsize n = 200, bytes = n << 20;
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
  gsize before = 0;
  CapraArray *array = NULL;

  if (capra_device_get_info (support_device (0))->type != CAPRA_DEVICE_CPU)
    {
      g_test_skip ("not a CPU");
      return;
    }
  capra_memory_trim (support_device (0));
  before = resident_bytes ();
  array = megabytes (n, NULL);
  capra_array_wait (array, NULL);
  g_assert_cmpuint (resident_bytes (), >=, before + bytes / 2);
  capra_array_fill (array, 1.0, NULL); /* under way yet */
  capra_array_unref (array);
  capra_memory_trim (support_device (0));
  while (resident_bytes () > before + bytes / 2)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_usleep (1000);
    }
}

/* Pinned memory takes long to make: it stays when the device's own has to go. */
static void
test_staging (void)
{
  CapraDeviceInfo *info = (CapraDeviceInfo *) capra_device_get_info (support_device (0));
  g_autofree char *pixels = g_malloc0 (3 << 20);
  CapraMemory before, after;

  info->unified = FALSE;
  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), 4 << 20);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CapraArray) array = megabytes (3, NULL);

      g_assert_true (capra_array_upload (array, pixels, NULL));
      before = query ();
    }
  g_assert_cmpuint (before.bytes[CAPRA_MEMORY_POOL], ==, 3 << 20);
  capra_array_unref (megabytes (2, NULL)); /* in place of the three */
  after = query ();
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_POOL], ==, 5 << 20);
  capra_memory_trim (support_device (0));
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 0);
  capra_memory_set_budget (support_device (0), 0);
  info->unified = TRUE;
}

static void
test_budget (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) fits = NULL, more = NULL;

  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), query ().bytes[CAPRA_MEMORY_ARRAYS] + (10 << 20));
  fits = megabytes (8, &error);
  g_assert_no_error (error);
  more = megabytes (8, &error);
  g_assert_null (more);
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "CAPRA_MEMORY_BUDGET"));

  /* What the pool holds never stands in the way. */
  g_clear_error (&error);
  g_clear_pointer (&fits, capra_array_unref);
  more = megabytes (10, &error);
  g_assert_no_error (error);
  capra_memory_set_budget (support_device (0), 0);
}

static void
test_too_large (void)
{
  g_autoptr (GError) error = NULL;
  gsize most = capra_device_get_info (support_device (0))->max_allocation;
  CapraShape shape = CAPRA_SHAPE_2D (1 << 20, (most >> 20) + 1, CAPRA_U8);

  g_assert_null (capra_array_new (support_device (0), &shape, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
}

#define SIDE 512 /* arrays of 1 MiB */
#define N_KEPT 6

/* What a test of eviction begins with: resident arrays of noise that fill the budget. */
typedef struct {
  float *noise[N_KEPT];
  CapraArray *kept[N_KEPT];
  CapraMemory before;
} Kept;

/* With @discrete the device is treated as one with memory of its own. */
static void
kept_init (Kept *self, gboolean discrete)
{
  CapraDeviceInfo *info = (CapraDeviceInfo *) capra_device_get_info (support_device (0));

  info->unified = !discrete;
  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), query ().bytes[CAPRA_MEMORY_ARRAYS] + (N_KEPT << 20));
  for (guint i = 0; i < N_KEPT; i++)
    {
      self->noise[i] = support_noise (SIDE * SIDE, 0.0, 1.0, i + 1);
      self->kept[i] = support_array (support_device (0), SIDE, SIDE, 1, 1, self->noise[i]);
      capra_array_make_resident (self->kept[i], FALSE);
    }
  self->before = query ();
}

static void
kept_clear (Kept *self)
{
  CapraDeviceInfo *info = (CapraDeviceInfo *) capra_device_get_info (support_device (0));

  for (guint i = 0; i < N_KEPT; i++)
    {
      capra_array_unref (self->kept[i]);
      g_free (self->noise[i]);
    }
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_RESIDENT], ==, 0);
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_STAGING], ==, 0);
  capra_memory_set_budget (support_device (0), 0);
  info->unified = TRUE;
}

static guint64
evictions (const Kept *self)
{
  return query ().evictions - self->before.evictions;
}

static guint64
resident (void)
{
  return query ().bytes[CAPRA_MEMORY_RESIDENT] >> 20;
}

static void
assert_kept (Kept *self, guint i)
{
  g_autofree float *values = support_download (self->kept[i]);

  g_assert_cmpmem (values, SIDE * SIDE * 4, self->noise[i], SIDE * SIDE * 4);
}

/* The least recently used one goes first; what comes back is what was there; reading needs no return. */
static void
test_eviction (gconstpointer discrete)
{
  Kept kept;
  CapraArray *more = NULL, *copy = NULL;

  kept_init (&kept, GPOINTER_TO_INT (discrete));
  g_assert_true (capra_array_copy (kept.kept[1], kept.kept[0], NULL)); /* used: 2 is the oldest now */
  memcpy (kept.noise[1], kept.noise[0], SIDE * SIDE * 4);
  more = megabytes (1, NULL);
  g_assert_nonnull (more);
  g_assert_cmpuint (evictions (&kept), ==, 1);
  g_assert_cmpuint (resident (), ==, N_KEPT - 1);

  capra_timeline_reset ();
  assert_kept (&kept, 2);
  g_assert_cmpuint (resident (), ==, N_KEPT - 1);
  g_assert_cmpfloat (capra_timeline_total (NULL, NULL, NULL, NULL), ==, 0.0);

  /* As input of the next step it returns, and another one goes. */
  capra_array_unref (more);
  copy = megabytes (1, NULL);
  capra_array_unref (copy);
  copy = support_array (support_device (0), SIDE, SIDE, 1, 1, kept.noise[0]);
  capra_array_ref (kept.kept[2]);
  g_assert_true (capra_array_fill (kept.kept[2], 0.5, NULL));
  for (guint i = 0; i < SIDE * SIDE; i++)
    kept.noise[2][i] = 0.5f;
  capra_array_unref (kept.kept[2]);
  g_assert_cmpuint (evictions (&kept), ==, 2);
  capra_array_unref (copy);
  for (guint i = 0; i < N_KEPT; i++)
    assert_kept (&kept, i);
  kept_clear (&kept);
}

/* Somebody works with an array while he has a reference, and reads where he has mapped it. */
static void
test_in_use (gconstpointer discrete)
{
  Kept kept;
  g_autoptr (GError) error = NULL;
  gconstpointer mapped = NULL;
  CapraArray *more = NULL;

  kept_init (&kept, GPOINTER_TO_INT (discrete));
  for (guint i = 1; i < N_KEPT; i++)
    capra_array_ref (kept.kept[i]);
  mapped = capra_array_map_read (kept.kept[0], NULL);
  more = megabytes (1, &error);
  if (discrete) /* what is mapped lies on the host: its place on the device is free */
    g_assert_no_error (error);
  else
    g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_assert_cmpmem (mapped, SIDE * SIDE * 4, kept.noise[0], SIDE * SIDE * 4);
  g_clear_pointer (&more, capra_array_unref);
  g_assert_true (capra_array_unmap (kept.kept[0], NULL));
  assert_kept (&kept, 0);

  for (guint i = 1; i < N_KEPT; i++)
    capra_array_unref (kept.kept[i]);
  more = megabytes (N_KEPT, NULL);
  g_assert_nonnull (more);
  g_assert_cmpuint (resident (), ==, 0);
  g_clear_error (&error);
  g_assert_null (megabytes (N_KEPT + 1, &error)); /* in vain, whatever went */
  capra_array_unref (more);
  kept_clear (&kept);
}

static void
test_free_unused (gconstpointer discrete)
{
  Kept kept;
  guint64 freed = 0;

  kept_init (&kept, GPOINTER_TO_INT (discrete));
  capra_array_ref (kept.kept[3]);
  freed = capra_memory_free_unused (support_device (0));
  g_assert_cmpuint (freed, ==, (N_KEPT - 1) << 20);
  g_assert_cmpuint (query ().freed - kept.before.freed, ==, freed);
  g_assert_cmpuint (resident (), ==, 1);
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 0);
  capra_array_unref (kept.kept[3]);
  for (guint i = 0; i < N_KEPT; i++)
    assert_kept (&kept, i);
  kept_clear (&kept);
}

/* Two may keep the same array; and whoever has a reference when its keeper leaves is no keeper. */
static void
test_keepers (gconstpointer discrete)
{
  Kept kept;

  kept_init (&kept, GPOINTER_TO_INT (discrete));
  capra_array_make_resident (capra_array_ref (kept.kept[0]), FALSE);
  capra_array_make_resident (capra_array_ref (kept.kept[1]), TRUE);
  capra_array_release_resident (capra_array_ref (kept.kept[2]), FALSE);
  capra_memory_free_unused (support_device (0));
  g_assert_true (capra_array_is_evicted (kept.kept[0]));
  g_assert_true (capra_array_is_evicted (kept.kept[1]));
  g_assert_false (capra_array_is_evicted (kept.kept[2]));
  capra_array_release_resident (kept.kept[0], FALSE);
  capra_array_release_resident (kept.kept[1], TRUE);
  for (guint i = 0; i < N_KEPT; i++)
    assert_kept (&kept, i);
  kept_clear (&kept);
}

/* What the keeper has elsewhere is not moved, but gone. */
static void
test_spare (gconstpointer discrete)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *values = g_new (float, SIDE * SIDE);
  Kept kept;

  kept_init (&kept, GPOINTER_TO_INT (discrete));
  capra_array_release_resident (capra_array_ref (kept.kept[2]), FALSE);
  capra_array_make_resident (kept.kept[2], TRUE);
  capra_array_ref (kept.kept[2]);
  capra_memory_free_unused (support_device (0));
  g_assert_false (capra_array_is_evicted (kept.kept[2])); /* somebody works with it */
  assert_kept (&kept, 2);
  capra_array_unref (kept.kept[2]);
  capra_timeline_reset ();
  capra_memory_free_unused (support_device (0));
  g_assert_true (capra_array_is_evicted (kept.kept[2]));
  g_assert_cmpfloat (capra_timeline_total (NULL, NULL, NULL, NULL), ==, 0.0);
  g_assert_false (capra_array_download (kept.kept[2], values, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (capra_array_fill (kept.kept[2], 1.0, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  kept_clear (&kept);
}

typedef struct {
  Kept *kept;
  guint seed;
  gint right;
} Worker;

/* Copies of arrays in an order of its own, all of which do not fit at once. */
static gpointer
work (gpointer data)
{
  Worker *worker = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (worker->seed);

  for (guint round = 0; round < 40; round++)
    {
      guint i = g_rand_int_range (random, 0, N_KEPT);
      g_autoptr (CapraArray) source = capra_array_ref (worker->kept->kept[i]);
      g_autoptr (CapraArray) copy = megabytes (1, NULL);
      g_autoptr (CapraArray) pixels = NULL;
      CapraShape shape = CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32);
      g_autofree float *values = g_new (float, SIDE * SIDE);

      pixels = copy ? capra_array_new_for_upload (support_device (0), &shape, NULL) : NULL;
      if (round % 5 == 0)
        worker->right += capra_array_download (source, values, NULL)
                         && memcmp (values, worker->kept->noise[i], SIDE * SIDE * 4) == 0;
      else if (pixels && capra_array_copy (pixels, source, NULL) && capra_array_download (pixels, values, NULL))
        worker->right += memcmp (values, worker->kept->noise[i], SIDE * SIDE * 4) == 0;
      if (worker->seed == 1)
        capra_memory_free_unused (support_device (0));
    }
  return NULL;
}

/* Four threads whose arrays do not fit together push each other's out, while one frees all it can. */
static void
test_eviction_threads (gconstpointer discrete)
{
  Kept kept;
  Worker workers[4];
  GThread *threads[4];

  kept_init (&kept, GPOINTER_TO_INT (discrete));
  capra_memory_set_budget (support_device (0), query ().bytes[CAPRA_MEMORY_ARRAYS] + (12 << 20));
  for (guint i = 0; i < 4; i++)
    {
      workers[i] = (Worker){ &kept, i + 1, 0 };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_thread_join (threads[i]);
      g_assert_cmpint (workers[i].right, ==, 40);
    }
  g_assert_cmpuint (evictions (&kept), >, 0);
  for (guint i = 0; i < N_KEPT; i++)
    assert_kept (&kept, i);
  kept_clear (&kept);
}

static const struct {
  const char *name;
  GTestDataFunc run;
} evicting[] = {
  { "eviction", test_eviction }, { "in-use", test_in_use }, { "free-unused", test_free_unused },
  { "keepers", test_keepers },   { "spare", test_spare },   { "eviction-threads", test_eviction_threads },
};

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/counts", test_counts);
  g_test_add_func ("/memory/pool", test_pool);
  g_test_add_func ("/memory/given-back", test_given_back);
  g_test_add_func ("/memory/staging", test_staging);
  g_test_add_func ("/memory/budget", test_budget);
  g_test_add_func ("/memory/too-large", test_too_large);
  for (gint discrete = 0; discrete < 2; discrete++)
    for (guint i = 0; i < G_N_ELEMENTS (evicting); i++)
      {
        g_autofree char *name = g_strdup_printf ("/memory/%s/%s", evicting[i].name, discrete ? "discrete" : "unified");

        g_test_add_data_func (name, GINT_TO_POINTER (discrete), evicting[i].run);
      }
  return g_test_run ();
}
