/* SPDX-License-Identifier: GPL-3.0-or-later */
/* After `capra prepare` a process builds no program for the chains that it prepares, on images of the usual formats,
 * and none for other values of a Gaussian's sigma, in GIMP as in other programs; neither does `capra check`. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/graph.h"
#include "tests/support/operations.h"
#include "ui/cli/run/gimp-reader.h"

/* Small, and large enough that kernels with 16 pixels a work-item have more work-items than PoCL's small grids. */
static const GeglRectangle sizes[] = { { 0, 0, 700, 500 }, { 0, 0, 1536, 1100 } };

/* The chunks that GIMP 3.0 requested of an image of 3000 x 2000, cut at the edges of the image. */
static const GeglRectangle gimp_chunks[] = {
  { 0, 0, 128, 128 },     { 128, 0, 128, 128 },     { 256, 0, 2744, 128 },
  { 0, 128, 128, 128 },   { 128, 128, 2872, 128 },  { 0, 256, 768, 800 },
  { 768, 256, 128, 800 }, { 896, 256, 2104, 4000 }, { 0, 1056, 896, 4000 },
};

static const char *const formats[] = { "Y' u8", "R'G'B' u8", "R'G'B'A u8", "R'G'B'A u16", "RGBA float" };

/* Values between those that are prepared. */
static const double sigmas[] = { 0.2, 0.45, 0.8, 1.3, 1.7, 2.2, 2.8, 3.3, 3.6, 4.4, 6, 12, 17, 50, 200 };

static void
render_as_gimp (GeglNode *node, GeglBuffer *target)
{
  for (guint i = 0; i < G_N_ELEMENTS (gimp_chunks); i++)
    {
      GeglRectangle chunk;

      if (gegl_rectangle_intersect (&chunk, &gimp_chunks[i], gegl_buffer_get_extent (target)))
        gegl_node_blit_buffer (node, target, &chunk, 0, GEGL_ABYSS_NONE);
    }
}

/* The values of all images: those of smaller ones are the first. */
static const float *
get_noise (void)
{
  static float *noise;
  const GeglRectangle *largest = &sizes[G_N_ELEMENTS (sizes) - 1];

  if (!noise)
    noise = support_noise ((gsize) (largest->width * largest->height) * 4, 0, 1, 3);
  return noise;
}

/* @gimp: the format in which GIMP reads the result, or NULL */
static void
run (const char *chain, const char *format, const char *gimp, const GeglRectangle *rect)
{
  const Babl *babl = babl_format (format), *read = gimp ? babl_format (gimp) : babl;
  g_autoptr (GeglBuffer) source = gegl_buffer_new (rect, babl);
  g_autoptr (GeglBuffer) target = gegl_buffer_new (rect, read);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = graph_chain (graph_source (graph, source), chain, "");

  gegl_buffer_set (source, rect, 0, babl_format ("RGBA float"), get_noise (), GEGL_AUTO_ROWSTRIDE);
  if (gimp)
    render_as_gimp (gimp_reader_append (last, read), target);
  else
    gegl_node_process (graph_node (graph, last, "gegl:write-buffer", "buffer", target, NULL));
}

/* As a program and as GIMP read it. */
static void
use_chain (const char *chain, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      const char *const readers[] = { NULL, "RGBA float", formats[i] };
      guint n_readers = g_str_equal (formats[i], readers[1]) ? 2 : 3;

      for (guint k = 0; k < n_readers; k++)
        {
          CapraCounters counters;

          for (guint size = 0; size < G_N_ELEMENTS (sizes); size++)
            run (chain, formats[i], readers[k], &sizes[size]);
          capra_counters_query (capra_device_select (NULL, NULL), &counters);
          g_test_message ("%s of %s for %s: %u builds, %u loads", chain, formats[i],
                          readers[k] ? readers[k] : "a program", counters.builds, counters.loads);
          g_assert_cmpuint (counters.builds, ==, 0);
          g_assert_cmpuint (counters.loads, >, 0);
          g_assert_cmpuint (capra_preparation_count (), ==, 0);
        }
    }
}

/* Runs in a new process. */
static void
use (void)
{
  g_autoptr (GPtrArray) chains = operations_get ("prepare");

  for (guint i = 0; i < chains->len; i++)
    use_chain (chains->pdata[i], 0, G_N_ELEMENTS (formats));
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    {
      g_autofree char *chain = g_strdup_printf ("capra:gaussian-blur std-dev-x=%g std-dev-y=%g", sigmas[i], sigmas[i]);

      /* Conversions do not depend on sigma: one of the formats in turn, and four channels, as most layers have. */
      use_chain (chain, i % (G_N_ELEMENTS (formats) - 1), 1);
      use_chain (chain, G_N_ELEMENTS (formats) - 1, 1);
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

/* PoCL leaves these files of kernels that it compiles when they are first launched, since the test makes it keep them.
 */
static void
assert_none_compiled (const char *folder)
{
  g_autofree char *command = g_strdup_printf ("find '%s' -name parallel.bc", folder), *found = NULL;

  g_assert_true (g_spawn_command_line_sync (command, &found, NULL, NULL, NULL));
  g_assert_cmpstr (found, ==, "");
}

/* Runs capra; returns what it wrote to both outputs. */
static char *
run_capra (const char *command, const char *option, const char *other)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE,
                                                      &error, g_getenv ("CAPRA_PROGRAM"), command, option, other, NULL);
  char *output = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  g_test_message ("%s", output);
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

/* With the messages on builds. */
static void
check_device (void)
{
  g_autofree char *output = NULL;

  g_setenv ("G_MESSAGES_DEBUG", "Capra", TRUE);
  output = run_capra ("check", "--device=0", NULL);
  g_unsetenv ("G_MESSAGES_DEBUG");
  g_assert_nonnull (strstr (output, " passed"));
  g_assert_null (strstr (output, " built "));
}

static void
test_prepared (void)
{
  gboolean root = geteuid () == 0;
  g_autofree char *cache = NULL, *kernels = NULL, *shared = NULL;
  g_autofree char *output = NULL;

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
  output = run_capra ("prepare", "--quiet", root ? "--system" : NULL);
  g_assert_cmpstr (output, ==, ""); /* nor warnings of the driver's compiler */

  if (root) /* another user has only the kernels that are shared by all users */
    {
      remove_folder (cache);
      remove_folder (kernels);
      g_assert_cmpint (g_mkdir (cache, 0700), ==, 0);
      g_assert_cmpint (g_mkdir (kernels, 0700), ==, 0);
    }
  g_setenv ("POCL_LEAVE_KERNEL_COMPILER_TEMP_FILES", "1", TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  check_device ();
  assert_none_compiled (kernels);
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
