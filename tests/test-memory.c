/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory: what is in use is counted, the budget holds, the pool serves and is given back. */
#include <string.h>

#include "support.h"

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
  g_autoptr(CapraArray) one = megabytes (3, NULL);
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

static void
test_budget (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(CapraArray) fits = NULL, more = NULL;

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
  g_autoptr(GError) error = NULL;
  gsize most = capra_device_get_info (support_device (0))->max_allocation;
  CapraShape shape = CAPRA_SHAPE_2D (1 << 20, (most >> 20) + 1, CAPRA_U8);

  g_assert_null (capra_array_new (support_device (0), &shape, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/counts", test_counts);
  g_test_add_func ("/memory/pool", test_pool);
  g_test_add_func ("/memory/budget", test_budget);
  g_test_add_func ("/memory/too-large", test_too_large);
  return g_test_run ();
}
