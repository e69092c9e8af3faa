/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: bytes in use are counted, the budget is not exceeded, and resident arrays are evicted without losing their
 * contents. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

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
  CapraMemory before = support_memory (), during, after;
  CapraArray *two = megabytes (5, NULL);

  during = support_memory ();
  g_assert_cmpuint (during.bytes[CAPRA_MEMORY_ARRAYS] - before.bytes[CAPRA_MEMORY_ARRAYS], ==, 5 << 20);
  g_assert_cmpuint (during.peak, >=, during.bytes[CAPRA_MEMORY_ARRAYS]);

  capra_array_unref (two);
  after = support_memory ();
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_ARRAYS], ==, before.bytes[CAPRA_MEMORY_ARRAYS]);
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_POOL], >=, 5 << 20);
}

/* The resident set of this process in bytes. */
static gsize
resident_bytes (void)
{
  g_autofree char *text = NULL;
  unsigned long all = 0, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%lu %lu", &all, &resident), ==, 2);
  return resident * (gsize) sysconf (_SC_PAGESIZE);
}

/* The memory of a CPU is that of the host: trimmed memory returns to the system when the last kernel has ended. */
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
  capra_array_fill (array, 1.0, NULL); /* still running */
  capra_array_unref (array);
  capra_memory_trim (support_device (0));
  while (resident_bytes () > before + bytes / 2)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_usleep (1000);
    }
}

/* Pinned memory is slow to allocate: it stays when device memory is freed. */
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
      before = support_memory ();
    }
  g_assert_cmpuint (before.bytes[CAPRA_MEMORY_POOL], ==, 3 << 20);
  capra_array_unref (megabytes (2, NULL)); /* instead of the three */
  after = support_memory ();
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_POOL], ==, 5 << 20);
  capra_memory_trim (support_device (0));
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 0);
  capra_memory_set_budget (support_device (0), 0);
  info->unified = TRUE;
}

static void
test_budget (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) fits = NULL, more = NULL;

  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), support_memory ().bytes[CAPRA_MEMORY_ARRAYS] + (10 << 20));
  fits = megabytes (8, &error);
  g_assert_no_error (error);
  more = megabytes (8, &error);
  g_assert_null (more);
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "CAPRA_MEMORY_BUDGET"));

  /* Free buffers never prevent an allocation. */
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
#define N_RESIDENTS 6

/* Resident arrays of noise that fill the budget. */
typedef struct {
  float *noise[N_RESIDENTS];
  CapraArray *arrays[N_RESIDENTS];
  CapraMemory before;
} Residents;

/* With @discrete the device is treated as one with memory of its own. */
static void
residents_init (Residents *self, gboolean discrete)
{
  CapraDeviceInfo *info = (CapraDeviceInfo *) capra_device_get_info (support_device (0));

  info->unified = !discrete;
  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), support_memory ().bytes[CAPRA_MEMORY_ARRAYS] + (N_RESIDENTS << 20));
  for (guint i = 0; i < N_RESIDENTS; i++)
    {
      self->noise[i] = support_noise (SIDE * SIDE, 0.0, 1.0, i + 1);
      self->arrays[i] = support_array (support_device (0), SIDE, SIDE, 1, 1, self->noise[i]);
      capra_array_make_resident (self->arrays[i], FALSE);
    }
  self->before = support_memory ();
}

static void
residents_clear (Residents *self)
{
  CapraDeviceInfo *info = (CapraDeviceInfo *) capra_device_get_info (support_device (0));

  for (guint i = 0; i < N_RESIDENTS; i++)
    {
      capra_array_unref (self->arrays[i]);
      g_free (self->noise[i]);
    }
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_RESIDENT], ==, 0);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_STAGING], ==, 0);
  capra_memory_set_budget (support_device (0), 0);
  info->unified = TRUE;
}

static guint64
evictions (const Residents *self)
{
  return support_memory ().evictions - self->before.evictions;
}

static guint64
resident (void)
{
  return support_memory ().bytes[CAPRA_MEMORY_RESIDENT] >> 20;
}

static void
assert_contents (Residents *self, guint i)
{
  g_autofree float *values = support_download (self->arrays[i]);

  g_assert_cmpmem (values, SIDE * SIDE * 4, self->noise[i], SIDE * SIDE * 4);
}

/* The least recently used array is evicted first; it is restored with its contents; reading does not restore it. */
static void
test_eviction (gconstpointer discrete)
{
  Residents residents;
  CapraArray *more = NULL, *copy = NULL;

  residents_init (&residents, GPOINTER_TO_INT (discrete));
  g_assert_true (capra_array_copy (residents.arrays[1], residents.arrays[0], NULL)); /* used: 2 is the oldest now */
  memcpy (residents.noise[1], residents.noise[0], SIDE * SIDE * 4);
  more = megabytes (1, NULL);
  g_assert_nonnull (more);
  g_assert_cmpuint (evictions (&residents), ==, 1);
  g_assert_cmpuint (resident (), ==, N_RESIDENTS - 1);

  capra_timeline_reset ();
  assert_contents (&residents, 2);
  g_assert_cmpuint (resident (), ==, N_RESIDENTS - 1);
  g_assert_cmpfloat (capra_timeline_total (NULL, NULL, NULL, NULL), ==, 0.0);

  /* As input of the next operation it is restored, and another one is evicted. */
  capra_array_unref (more);
  copy = megabytes (1, NULL);
  capra_array_unref (copy);
  copy = support_array (support_device (0), SIDE, SIDE, 1, 1, residents.noise[0]);
  capra_array_ref (residents.arrays[2]);
  g_assert_true (capra_array_fill (residents.arrays[2], 0.5, NULL));
  for (guint i = 0; i < SIDE * SIDE; i++)
    residents.noise[2][i] = 0.5f;
  capra_array_unref (residents.arrays[2]);
  g_assert_cmpuint (evictions (&residents), ==, 2);
  capra_array_unref (copy);
  for (guint i = 0; i < N_RESIDENTS; i++)
    assert_contents (&residents, i);
  residents_clear (&residents);
}

/* An array is not evicted while it has another reference, and a mapping stays valid. */
static void
test_in_use (gconstpointer discrete)
{
  Residents residents;
  g_autoptr (GError) error = NULL;
  gconstpointer mapped = NULL;
  CapraArray *more = NULL;

  residents_init (&residents, GPOINTER_TO_INT (discrete));
  for (guint i = 1; i < N_RESIDENTS; i++)
    capra_array_ref (residents.arrays[i]);
  mapped = capra_array_map_read (residents.arrays[0], NULL);
  more = megabytes (1, &error);
  if (discrete) /* the mapping is on the host: the device memory can be freed */
    g_assert_no_error (error);
  else
    g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_assert_cmpmem (mapped, SIDE * SIDE * 4, residents.noise[0], SIDE * SIDE * 4);
  g_clear_pointer (&more, capra_array_unref);
  g_assert_true (capra_array_unmap (residents.arrays[0], NULL));
  assert_contents (&residents, 0);

  for (guint i = 1; i < N_RESIDENTS; i++)
    capra_array_unref (residents.arrays[i]);
  more = megabytes (N_RESIDENTS, NULL);
  g_assert_nonnull (more);
  g_assert_cmpuint (resident (), ==, 0);
  g_clear_error (&error);
  g_assert_null (megabytes (N_RESIDENTS + 1, &error)); /* fails, although all are evicted */
  capra_array_unref (more);
  residents_clear (&residents);
}

static void
test_free_unused (gconstpointer discrete)
{
  Residents residents;
  guint64 freed = 0;

  residents_init (&residents, GPOINTER_TO_INT (discrete));
  capra_array_ref (residents.arrays[3]);
  freed = capra_memory_free_unused (support_device (0));
  g_assert_cmpuint (freed, ==, (N_RESIDENTS - 1) << 20);
  g_assert_cmpuint (support_memory ().freed - residents.before.freed, ==, freed);
  g_assert_cmpuint (resident (), ==, 1);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 0);
  capra_array_unref (residents.arrays[3]);
  for (guint i = 0; i < N_RESIDENTS; i++)
    assert_contents (&residents, i);
  residents_clear (&residents);
}

/* An array can have two resident references, and ordinary ones after these were released. */
static void
test_keepers (gconstpointer discrete)
{
  Residents residents;

  residents_init (&residents, GPOINTER_TO_INT (discrete));
  capra_array_make_resident (capra_array_ref (residents.arrays[0]), FALSE);
  capra_array_make_resident (capra_array_ref (residents.arrays[1]), TRUE);
  capra_array_release_resident (capra_array_ref (residents.arrays[2]), FALSE);
  capra_memory_free_unused (support_device (0));
  g_assert_true (capra_array_is_evicted (residents.arrays[0]));
  g_assert_true (capra_array_is_evicted (residents.arrays[1]));
  g_assert_false (capra_array_is_evicted (residents.arrays[2]));
  capra_array_release_resident (residents.arrays[0], FALSE);
  capra_array_release_resident (residents.arrays[1], TRUE);
  for (guint i = 0; i < N_RESIDENTS; i++)
    assert_contents (&residents, i);
  residents_clear (&residents);
}

/* Discardable contents are lost, not moved. */
static void
test_spare (gconstpointer discrete)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *values = g_new (float, SIDE * SIDE);
  Residents residents;

  residents_init (&residents, GPOINTER_TO_INT (discrete));
  capra_array_release_resident (capra_array_ref (residents.arrays[2]), FALSE);
  capra_array_make_resident (residents.arrays[2], TRUE);
  capra_array_ref (residents.arrays[2]);
  capra_memory_free_unused (support_device (0));
  g_assert_false (capra_array_is_evicted (residents.arrays[2])); /* in use */
  assert_contents (&residents, 2);
  capra_array_unref (residents.arrays[2]);
  capra_timeline_reset ();
  capra_memory_free_unused (support_device (0));
  g_assert_true (capra_array_is_evicted (residents.arrays[2]));
  g_assert_cmpfloat (capra_timeline_total (NULL, NULL, NULL, NULL), ==, 0.0);
  g_assert_false (capra_array_download (residents.arrays[2], values, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_false (capra_array_fill (residents.arrays[2], 1.0, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  residents_clear (&residents);
}

typedef struct {
  Residents *residents;
  guint seed;
  gint right;
} Worker;

/* Copies arrays in an order of its own; all of them do not fit at once. */
static gpointer
work (gpointer data)
{
  Worker *worker = data;
  g_autoptr (GRand) random = g_rand_new_with_seed (worker->seed);

  for (guint round = 0; round < 40; round++)
    {
      guint i = g_rand_int_range (random, 0, N_RESIDENTS);
      g_autoptr (CapraArray) source = capra_array_ref (worker->residents->arrays[i]);
      g_autoptr (CapraArray) copy = megabytes (1, NULL);
      g_autoptr (CapraArray) pixels = NULL;
      CapraShape shape = CAPRA_SHAPE_2D (SIDE, SIDE, CAPRA_F32);
      g_autofree float *values = g_new (float, SIDE * SIDE);

      pixels = copy ? capra_array_new_for_upload (support_device (0), &shape, NULL) : NULL;
      if (round % 5 == 0)
        worker->right += capra_array_download (source, values, NULL)
                         && memcmp (values, worker->residents->noise[i], SIDE * SIDE * 4) == 0;
      else if (pixels && capra_array_copy (pixels, source, NULL) && capra_array_download (pixels, values, NULL))
        worker->right += memcmp (values, worker->residents->noise[i], SIDE * SIDE * 4) == 0;
      if (worker->seed == 1)
        capra_memory_free_unused (support_device (0));
    }
  return NULL;
}

/* Four threads evict each other's arrays, while another one frees all unused memory. */
static void
test_eviction_threads (gconstpointer discrete)
{
  Residents residents;
  Worker workers[4];
  GThread *threads[4];

  residents_init (&residents, GPOINTER_TO_INT (discrete));
  capra_memory_set_budget (support_device (0), support_memory ().bytes[CAPRA_MEMORY_ARRAYS] + (12 << 20));
  for (guint i = 0; i < 4; i++)
    {
      workers[i] = (Worker){ &residents, i + 1, 0 };
      threads[i] = g_thread_new ("worker", work, &workers[i]);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_thread_join (threads[i]);
      g_assert_cmpint (workers[i].right, ==, 40);
    }
  g_assert_cmpuint (evictions (&residents), >, 0);
  for (guint i = 0; i < N_RESIDENTS; i++)
    assert_contents (&residents, i);
  residents_clear (&residents);
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
