/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of capra integrate share. */
#include "tests/cli/integrate.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sys/wait.h>

int
integrate_run (char **errors, const char *format, ...)
{
  g_autofree char *command = NULL, *output = NULL, *messages = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;
  va_list values;

  va_start (values, format);
  command = g_strdup_vprintf (format, values);
  va_end (values);
  g_spawn_command_line_sync (command, &output, &messages, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  g_test_message ("%s: %s", command, messages);
  if (errors)
    {
      g_free (*errors);
      *errors = g_steal_pointer (&messages);
    }
  return WEXITSTATUS (status);
}

static void
set_up (IntegrateFixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("capra-integrate-XXXXXX", NULL);
  fixture->poni = g_build_filename (fixture->folder, "geometry.poni", NULL);
  fixture->output = g_build_filename (fixture->folder, "curves.txt", NULL);
}

static void
tear_down (IntegrateFixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->poni);
  g_free (fixture->output);
}

char *
integrate_make_frames (IntegrateFixture *fixture, const char *type, const char *options)
{
  g_autofree char *name = g_strdup_printf ("%s.h5", type);
  char *path = g_build_filename (fixture->folder, name, NULL);

  g_assert_cmpint (integrate_run (NULL, "%s -n %d -d 5 --width %d --height %d -t %s -p %s %s %s",
                                  g_getenv ("CAPRA_FRAMES"), INTEGRATE_FRAMES, INTEGRATE_WIDTH, INTEGRATE_HEIGHT, type,
                                  fixture->poni, options, path),
                   ==, 0);
  return path;
}

int
integrate_frames (IntegrateFixture *fixture, const char *path, const char *options, char **errors)
{
  return integrate_run (errors, "%s integrate %s --poni %s -o %s -d 0 --bins %d %s", g_getenv ("CAPRA_PROGRAM"), path,
                        fixture->poni, fixture->output, INTEGRATE_BINS, options);
}

double *
integrate_read_curves (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  double *values = g_new (double, INTEGRATE_FRAMES * INTEGRATE_BINS * 4);
  gsize n = 0;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i]; i++)
    {
      char *at = lines[i];

      if (*at == '#' || *at == '\0')
        continue;
      g_assert_cmpuint (n, <, INTEGRATE_FRAMES * INTEGRATE_BINS * 4);
      for (guint k = 0; k < 4; k++)
        values[n++] = g_ascii_strtod (at, &at);
    }
  g_assert_cmpuint (n, ==, INTEGRATE_FRAMES * INTEGRATE_BINS * 4);
  return values;
}

void
integrate_assert_curves (const char *path, const double *expected, int a, int b)
{
  g_autofree double *values = integrate_read_curves (path);

  for (int f = 0; f < INTEGRATE_FRAMES; f++)
    for (guint i = 0; i < INTEGRATE_BINS * 4; i++)
      {
        gsize at = (gsize) f * INTEGRATE_BINS * 4 + i;

        if ((f == a || f == b) && i % 4 > 0)
          g_assert_true (isnan (values[at]));
        else if (values[at] != expected[at])
          g_error ("frame %d, column %u: %g instead of %g", f, i % 4, values[at], expected[at]);
      }
}

int
integrate_run_tests (int argc, char **argv, const IntegrateTest *tests, guint n)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("/integrate/%s", tests[i].name);

      g_test_add (name, IntegrateFixture, NULL, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
