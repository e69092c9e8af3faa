/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel without another variant that is in quarantine on the default device: its operation runs on the next one. */
#include "tests/support/graph.h"

#include <glib/gstdio.h>
#include <string.h>

#include "runtime/base/error.h"
#include "tests/support/support-caches.h"

#define WIDTH 7
#define HEIGHT 5

static char *caches;

/* Thresholds an image on @device. Returns the error, "" if there is none; then the mask is right. */
static char *
threshold (const char *device)
{
  const GeglRectangle rect = { 2, -1, WIDTH, HEIGHT };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  float values[WIDTH * HEIGHT];
  g_autoptr (GeglBuffer) buffer = NULL;
  g_autofree float *pixels = NULL;
  GeglNode *node = NULL;
  char *error = NULL;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = (float) (i % 3) / 2;
  buffer = graph_buffer ("Y float", &rect, values);
  node = graph_node (graph, graph_source (graph, buffer), "capra:threshold", "device", device, NULL);
  pixels = graph_render (node, NULL, "Y float");
  error = graph_error (node);
  for (int i = 0; i < WIDTH * HEIGHT && !*error; i++)
    g_assert_cmpfloat (pixels[i], ==, values[i] >= 0.5f ? 1 : 0);
  return error;
}

static void
default_child (void)
{
  g_autofree char *error = NULL;

  g_log_set_always_fatal (G_LOG_FATAL_MASK); /* what is set aside, and the move, are reported */
  error = threshold ("");
  g_assert_cmpstr (error, ==, "");
}

/* A device that is chosen by name is not replaced. */
static void
named_child (void)
{
  g_autofree char *error = NULL;

  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  error = threshold (capra_device_get_info (capra_device_get_best (NULL))->id);
  g_assert_nonnull (strstr (error, "capra devices --lift"));
}

static void
run_child (const char *path)
{
  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* As if two processes had ended when they used the kernels of @file for the first time: moves what says that they ran
 * on the default device, the only one so far. Returns the number of kernels. */
static guint
set_aside (const char *file)
{
  g_autofree char *folder = g_build_filename (caches, "capra", "quarantine", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL), kernels = NULL;
  const char *name = dir ? g_dir_read_name (dir) : NULL;
  g_autofree char *ran = name ? g_build_filename (folder, name, "ran", NULL) : NULL, *text = NULL;
  guint count = 0;

  g_assert_nonnull (name);
  g_assert_null (g_dir_read_name (dir));
  text = g_strdup_printf ("1 0 1 %" G_GINT64_FORMAT "\n", g_get_real_time () / G_USEC_PER_SEC);
  kernels = g_dir_open (ran, 0, NULL);
  while (kernels && (name = g_dir_read_name (kernels)))
    if (g_str_has_prefix (name, file))
      {
        g_autofree char *from = g_build_filename (ran, name, NULL);
        g_autofree char *to = g_build_filename (ran, "..", "first", name, NULL);

        g_assert_cmpint (g_rename (from, to), ==, 0);
        g_assert_true (g_file_set_contents (to, text, -1, NULL));
        g_assert_cmpint (g_chmod (to, 0600), ==, 0);
        count++;
      }
  return count;
}

static void
test_fallback (void)
{
  if (support_skip_alone ())
    return;
  run_child ("/operations-quarantine/subprocess/default");
  g_test_trap_assert_stderr_unmatched ("*two programs ended*");
  g_assert_cmpuint (set_aside ("threshold"), ==, 1);
  run_child ("/operations-quarantine/subprocess/default");
  g_test_trap_assert_stderr ("*the kernel threshold*capra devices --lift*");
  g_test_trap_assert_stderr ("*two programs ended*trying*instead*");
  run_child ("/operations-quarantine/subprocess/named");
  g_test_trap_assert_stderr_unmatched ("*instead*");
}

int
main (int argc, char *argv[])
{
  int status = 0;

  support_keep_driver_caches ();
  g_test_init (&argc, &argv, NULL);
  if (!g_test_subprocess ())
    {
      caches = g_dir_make_tmp ("capra-caches-XXXXXX", NULL);
      g_setenv ("XDG_CACHE_HOME", caches, TRUE);
      g_setenv ("CAPRA_QUARANTINE", "on", TRUE);
      g_setenv ("CAPRA_KERNELS", "optimized", TRUE); /* a use without the optimizer does not count as the first */
      g_unsetenv ("CAPRA_DEVICE");
    }
  graph_init (&argc, &argv);
  g_test_add_func ("/operations-quarantine/fallback", test_fallback);
  g_test_add_func ("/operations-quarantine/subprocess/default", default_child);
  g_test_add_func ("/operations-quarantine/subprocess/named", named_child);
  status = g_test_run ();
  gegl_exit ();
  if (caches)
    {
      g_autofree char *command = g_strdup_printf ("rm -rf '%s'", caches);

      g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
      g_free (caches);
    }
  return status;
}
