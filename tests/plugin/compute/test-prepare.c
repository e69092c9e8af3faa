/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After `capra prepare` a process builds no program for the chains that it prepares, on images of the usual formats. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/graph.h"
#include "tests/support/operations.h"

#define WIDTH 700
#define HEIGHT 500

static const char *const formats[] = { "Y' u8", "R'G'B' u8", "R'G'B'A u8", "RGBA float" };

static void
run (const char *chain, const char *format)
{
  const GeglRectangle rect = { 0, 0, WIDTH, HEIGHT };
  const Babl *babl = babl_format (format);
  g_autofree float *values = support_noise (WIDTH * HEIGHT * 4, 0, 1, 3);
  g_autoptr (GeglBuffer) source = gegl_buffer_new (&rect, babl);
  g_autoptr (GeglBuffer) target = gegl_buffer_new (&rect, babl);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_chain (graph_source (graph, source), chain, "");

  gegl_buffer_set (source, &rect, 0, babl_format ("RGBA float"), values, GEGL_AUTO_ROWSTRIDE);
  gegl_node_process (graph_node (graph, last, "gegl:write-buffer", "buffer", target, NULL));
}

/* Runs in a new process. */
static void
use (void)
{
  g_autoptr (GPtrArray) chains = operations_get ("prepare");

  for (guint i = 0; i < chains->len; i++)
    for (guint j = 0; j < G_N_ELEMENTS (formats); j++)
      {
        const char *chain = chains->pdata[i];
        CapraCounters counters;

        run (chain, formats[j]);
        capra_counters_query (capra_device_select (NULL, NULL), &counters);
        g_test_message ("%s of %s: %u builds, %u loads", chain, formats[j], counters.builds, counters.loads);
        g_assert_cmpuint (counters.builds, ==, 0);
        g_assert_cmpuint (counters.loads, >, 0);
        g_assert_cmpuint (capra_preparation_count (), ==, 0);
      }
}

static char *
new_folder (const char *variable)
{
  char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);

  g_assert_nonnull (folder);
  g_setenv (variable, folder, TRUE);
  return folder;
}

static void
remove_folder (const char *folder)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", folder);

  if (system (command) != 0)
    g_printerr ("%s stays\n", folder);
}

static void
test_prepared (void)
{
  gboolean root = geteuid () == 0;
  g_autofree char *cache = NULL, *kernels = NULL, *shared = NULL;
  g_autoptr (GSubprocess) prepare = NULL;
  g_autoptr (GError) error = NULL;

  if (g_test_subprocess ())
    {
      use ();
      return;
    }
  cache = new_folder ("XDG_CACHE_HOME");
  kernels = new_folder ("POCL_CACHE_DIR");
  shared = new_folder ("CAPRA_SHARED_KERNELS");
  g_chmod (shared, 0755);
  g_setenv ("CAPRA_KERNELS", "background", TRUE);
  prepare = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, g_getenv ("CAPRA_PROGRAM"), "prepare", "--quiet",
                              root ? "--system" : NULL, NULL);
  g_assert_no_error (error);
  g_subprocess_wait_check (prepare, NULL, &error);
  g_assert_no_error (error);

  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();

  /* Another user, who has only the kernels that are shared by all users. */
  if (root)
    {
      remove_folder (cache);
      remove_folder (kernels);
      g_free (g_steal_pointer (&cache));
      g_free (g_steal_pointer (&kernels));
      cache = new_folder ("XDG_CACHE_HOME");
      kernels = new_folder ("POCL_CACHE_DIR");
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
    }
  remove_folder (cache);
  remove_folder (kernels);
  remove_folder (shared);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/prepare/prepared", test_prepared);
  return g_test_run ();
}
