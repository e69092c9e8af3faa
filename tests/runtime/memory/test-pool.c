/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pool: free buffers serve later requests, of other sizes, too, and can be trimmed. */
#include "tests/support/support.h"

static CapraArray *
megabytes (gsize n)
{
  CapraShape shape = CAPRA_SHAPE_2D (1 << 20, n, CAPRA_U8);
  GError *error = NULL;
  CapraArray *array = capra_array_new (support_device (0), &shape, &error);

  g_assert_no_error (error);
  return array;
}

/* The second array of a size needs no allocation. */
static void
test_pool (void)
{
  CapraMemory first, second;

  capra_array_unref (megabytes (7));
  first = support_memory ();
  capra_array_unref (megabytes (7));
  second = support_memory ();
  g_assert_cmpuint (first.allocations, ==, second.allocations);

  capra_memory_trim (support_device (0));
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 0);
}

/* A buffer is not kept beside a slightly larger one that serves the same requests. */
static void
test_growing (void)
{
  const gsize sizes[] = { 20, 22, 24, 21 };
  guint64 allocations = 0;

  capra_memory_trim (support_device (0));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (CapraArray) array = megabytes (sizes[i]);

      g_assert_true (capra_array_wait (array, NULL));
      allocations = i == 2 ? support_memory ().allocations : allocations;
    }
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 24 << 20);
  g_assert_cmpuint (support_memory ().allocations, ==, allocations); /* the last one needed none */

  /* Much smaller ones are kept: a larger one does not serve their requests. */
  capra_array_unref (megabytes (4));
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 28 << 20);
  capra_memory_trim (support_device (0));
}

static void
set_budget (gsize megabytes)
{
  capra_memory_set_budget (support_device (0), megabytes << 20);
}

/* Only buffers of a CPU are in large pages. */
static gboolean
has_large_pages (void)
{
  if (capra_device_get_info (support_device (0))->type == CAPRA_DEVICE_CPU)
    return TRUE;
  g_test_skip ("not a CPU");
  return FALSE;
}

/* In large pages a free buffer grows for larger requests, and counts as far as it was requested. */
static void
test_capacity (void)
{
  guint64 allocations = 0;

  if (!has_large_pages ())
    return;
  capra_memory_trim (support_device (0));
  capra_array_unref (megabytes (33));
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 33 << 20);
  allocations = support_memory ().allocations;
  capra_array_unref (megabytes (60));
  capra_array_unref (megabytes (17));
  g_assert_cmpuint (support_memory ().allocations, ==, allocations);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 60 << 20);
  capra_memory_trim (support_device (0));
}

/* It grows as far as the budget allows. */
static void
test_growth_in_budget (void)
{
  if (!has_large_pages ())
    return;
  for (int fits = 0; fits < 2; fits++)
    {
      g_autoptr (CapraArray) used = NULL;
      g_autoptr (CapraArray) large = NULL;
      CapraShape shape = CAPRA_SHAPE_2D (1 << 20, 36, CAPRA_U8);
      g_autoptr (GError) error = NULL;
      guint64 allocations = 0;

      capra_memory_trim (support_device (0));
      capra_array_unref (megabytes (33));
      set_budget (fits ? 50 : 42);
      used = megabytes (8);
      allocations = support_memory ().allocations;
      large = capra_array_new (support_device (0), &shape, &error);
      g_assert_true (fits ? large != NULL : g_error_matches (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY));
      g_assert_cmpuint (support_memory ().allocations, ==, allocations);
      g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_ARRAYS], ==, (fits ? 44 : 8) << 20);
    }
  set_budget (0);
  capra_memory_trim (support_device (0));
}

/* A buffer that need not grow goes before one that was used later. */
static void
test_least_growth (void)
{
  CapraArray *large = NULL, *small = NULL;

  if (!has_large_pages ())
    return;
  capra_memory_trim (support_device (0));
  large = megabytes (60);
  small = megabytes (33);
  capra_array_unref (large);
  capra_array_unref (small);
  large = megabytes (58);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_ARRAYS], ==, 60 << 20);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_POOL], ==, 33 << 20);
  capra_array_unref (large);
  capra_memory_trim (support_device (0));
}

/* Once half of the budget is in use, much larger buffers do not serve small requests. */
static void
test_excess (void)
{
  enum { N = 4 };
  CapraArray *arrays[N];

  if (!has_large_pages ())
    return;
  capra_memory_trim (support_device (0));
  set_budget (256);
  for (int i = 0; i < N; i++)
    arrays[i] = megabytes (64);
  for (int i = 0; i < N; i++)
    capra_array_unref (arrays[i]);
  for (int i = 0; i < N; i++)
    arrays[i] = megabytes (16);
  g_assert_cmpuint (support_memory ().bytes[CAPRA_MEMORY_ARRAYS], <=, (128 + 2 * 16) << 20);
  capra_array_unref (megabytes (90));
  for (int i = 0; i < N; i++)
    capra_array_unref (arrays[i]);
  set_budget (0);
  capra_memory_trim (support_device (0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pool/reuse", test_pool);
  g_test_add_func ("/pool/growing", test_growing);
  g_test_add_func ("/pool/capacity", test_capacity);
  g_test_add_func ("/pool/growth-in-budget", test_growth_in_budget);
  g_test_add_func ("/pool/least-growth", test_least_growth);
  g_test_add_func ("/pool/excess", test_excess);
  return g_test_run ();
}
