/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pool: free buffers serve later requests, of other sizes, too, and can be trimmed. */
#include "tests/support/support.h"

static CapraMemory
query (void)
{
  CapraMemory memory;

  capra_memory_query (support_device (0), &memory);
  return memory;
}

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
  first = query ();
  capra_array_unref (megabytes (7));
  second = query ();
  g_assert_cmpuint (first.allocations, ==, second.allocations);

  capra_memory_trim (support_device (0));
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 0);
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
      allocations = i == 2 ? query ().allocations : allocations;
    }
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 24 << 20);
  g_assert_cmpuint (query ().allocations, ==, allocations); /* the last one needed none */

  /* Much smaller ones are kept: a larger one does not serve their requests. */
  capra_array_unref (megabytes (4));
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 28 << 20);
  capra_memory_trim (support_device (0));
}

/* In the memory of a CPU a free buffer grows for larger requests, as far as the budget allows, and counts as far as it
 * was requested. */
static void
test_capacity (void)
{
  guint64 allocations = 0;

  if (capra_device_get_info (support_device (0))->type != CAPRA_DEVICE_CPU)
    {
      g_test_skip ("not a CPU");
      return;
    }
  capra_memory_trim (support_device (0));
  capra_array_unref (megabytes (33));
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 33 << 20);
  allocations = query ().allocations;
  capra_array_unref (megabytes (60));
  capra_array_unref (megabytes (17));
  g_assert_cmpuint (query ().allocations, ==, allocations);
  g_assert_cmpuint (query ().bytes[CAPRA_MEMORY_POOL], ==, 60 << 20);

  capra_memory_trim (support_device (0));
  capra_array_unref (megabytes (33));
  capra_memory_set_budget (support_device (0), 50 << 20);
  {
    g_autoptr (CapraArray) used = megabytes (8), large = megabytes (40);
    CapraMemory memory = query ();

    g_assert_true (used && large);
    g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_ARRAYS], ==, 48 << 20);
  }
  capra_memory_set_budget (support_device (0), 0);
  capra_memory_trim (support_device (0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pool/reuse", test_pool);
  g_test_add_func ("/pool/growing", test_growing);
  g_test_add_func ("/pool/capacity", test_capacity);
  return g_test_run ();
}
