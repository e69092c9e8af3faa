/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the benchmarks share. */
#include "tests/bench/graphs.h"

#include <glib/gstdio.h>

/* The benchmarks do not swap, and leave nothing in the current folder. */
static void
test_init (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("capra-bench-XXXXXX", &error);
  g_autofree char *swap = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (g_chdir (folder), ==, 0);
  g_assert_true (bench_init ());
  g_object_get (gegl_config (), "swap", &swap, NULL);
  g_assert_null (swap);
  gegl_exit ();
  /* Fails unless the folder is empty. */
  g_assert_cmpint (g_chdir ("/"), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_median (void)
{
  double times[] = { 3.0, 1.0, 9.0, 2.0, 4.0 };

  g_assert_cmpfloat (bench_median (times, G_N_ELEMENTS (times)), ==, 3.0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bench-graphs/init", test_init);
  g_test_add_func ("/bench-graphs/median", test_median);
  return g_test_run ();
}
