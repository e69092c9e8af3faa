/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Release function: called when memory is short, before resident arrays are evicted, and by several threads. */
#include "tests/support/support.h"

#define MEBIBYTES 6

/* Arrays that a program keeps, and can compute again. */
static struct {
  GMutex lock;
  GQueue arrays;
  guint calls, foreign;
} kept;

static CapraArray *
mebibyte (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (1024, 1024, CAPRA_U8);
  g_autoptr (GError) error = NULL;
  CapraArray *array = capra_array_new (support_device (0), &shape, &error);

  g_assert_no_error (error);
  return array;
}

static void
keep (CapraArray *array)
{
  g_mutex_lock (&kept.lock);
  g_queue_push_tail (&kept.arrays, array);
  g_mutex_unlock (&kept.lock);
}

static gboolean
free_oldest (CapraDevice *device)
{
  CapraArray *array = NULL;

  g_mutex_lock (&kept.lock);
  kept.calls++;
  kept.foreign += device != support_device (0);
  array = g_queue_pop_head (&kept.arrays);
  g_mutex_unlock (&kept.lock);
  if (!array)
    return FALSE;
  capra_array_unref (array);
  return TRUE;
}

static guint64
count_evictions (void)
{
  CapraMemory memory;

  capra_memory_query (support_device (0), &memory);
  return memory.evictions;
}

static void
limit_memory (void)
{
  kept.calls = kept.foreign = 0;
  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), MEBIBYTES << 20);
}

/* What is kept goes first, one after the other; then resident arrays are evicted. */
static void
test_order (void)
{
  CapraArray *resident = NULL, *arrays[MEBIBYTES];
  guint64 before = count_evictions ();

  limit_memory ();
  resident = mebibyte ();
  capra_array_make_resident (resident, FALSE);
  for (guint i = 1; i < MEBIBYTES; i++)
    keep (mebibyte ());
  capra_memory_set_release_function (free_oldest);
  for (guint i = 0; i + 1 < MEBIBYTES; i++)
    {
      arrays[i] = mebibyte ();
      g_assert_cmpuint (kept.calls, ==, i + 1);
      g_assert_cmpuint (kept.arrays.length, ==, MEBIBYTES - 2 - i);
    }
  g_assert_cmpuint (count_evictions (), ==, before);
  arrays[MEBIBYTES - 1] = mebibyte ();
  g_assert_cmpuint (kept.calls, ==, MEBIBYTES);
  g_assert_cmpuint (count_evictions (), ==, before + 1);
  g_assert_true (capra_array_is_evicted (resident));
  g_assert_cmpuint (kept.foreign, ==, 0);

  capra_memory_set_release_function (NULL);
  for (guint i = 0; i < MEBIBYTES; i++)
    capra_array_unref (arrays[i]);
  capra_array_release_resident (resident, FALSE);
  capra_memory_set_budget (support_device (0), 0);
}

/* Nothing is freed in favor of what the budget cannot hold. */
static void
test_too_large (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (1024, 1024 * (MEBIBYTES + 1), CAPRA_U8);
  g_autoptr (GError) error = NULL;

  limit_memory ();
  keep (mebibyte ());
  capra_memory_set_release_function (free_oldest);
  g_assert_null (capra_array_new (support_device (0), &shape, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
  g_assert_cmpuint (kept.calls, ==, 0);
  g_assert_true (free_oldest (support_device (0)));
  capra_memory_set_release_function (NULL);
  capra_memory_set_budget (support_device (0), 0);
}

/* Keeps each array after it was filled. */
static gpointer
allocate_many (gpointer data)
{
  for (guint round = 0; round < 200; round++)
    {
      CapraArray *array = mebibyte ();

      g_assert_true (capra_array_fill (array, round, NULL));
      keep (array);
    }
  return NULL;
}

/* Several threads free what others keep. */
static void
test_threads (void)
{
  GThread *threads[3];

  limit_memory ();
  capra_memory_set_release_function (free_oldest);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("allocate", allocate_many, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpuint (kept.arrays.length, <=, MEBIBYTES);
  while (free_oldest (support_device (0)))
    ;
  capra_memory_set_release_function (NULL);
  capra_memory_set_budget (support_device (0), 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/release/order", test_order);
  g_test_add_func ("/release/too-large", test_too_large);
  g_test_add_func ("/release/threads", test_threads);
  return g_test_run ();
}
