/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 and 3 are killed while the panel is open: its process ends, and the next panel offers its steps. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "tests/hosts/gimp-script.h"
#include "tests/hosts/reference.h"

#define BLUR "capra:gaussian-blur std-dev-x=3 std-dev-y=3"
#define SECONDS 60 /* much longer than anything here takes */

/* The file of the panel's steps. */
static char *
read_state (void)
{
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "capra", "gimp.ini", NULL);

  return hosts_read (path);
}

static gboolean
has_steps (void)
{
  g_autofree char *state = read_state ();

  return state && strstr (state, "capra:gaussian-blur");
}

/* Kills GIMP when the panel has stored its steps. Returns: whether all processes of GIMP end then */
static gpointer
kill_gimp (gpointer data)
{
  int pid = 0;

  for (int i = 0; i < 10 * SECONDS && !has_steps (); i++)
    g_usleep (G_USEC_PER_SEC / 10);
  pid = gimp_find_process (g_getenv ("CAPRA_TEST_GIMP_CONSOLE"));
  if (pid > 0)
    kill (pid, SIGKILL);
  for (int i = 0; i < 10 * SECONDS && gimp_find_process (NULL) > 0; i++)
    g_usleep (G_USEC_PER_SEC / 10);
  if (pid > 0 && gimp_find_process (NULL) == 0)
    return GINT_TO_POINTER (TRUE);
  while ((pid = gimp_find_process (NULL)) > 0) /* otherwise the test would wait for them */
    kill (pid, SIGKILL);
  return GINT_TO_POINTER (FALSE);
}

static HostsRun *
run_panel (const char *input, const char *output, const char *commands)
{
  g_autoptr (GPtrArray) scripts = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (scripts, gimp_script_make (input, output, gimp_script_get_panel ()));
  return gimp_run_panels (scripts, commands);
}

static void
test_killed (void)
{
  const char *input = hosts_path ("end.tif"), *output = hosts_path ("end-out.tif");
  g_autoptr (HostsImage) sample = hosts_image_sample (203, 147, 3);
  g_autoptr (HostsImage) image = NULL, expected = NULL, found = NULL;
  g_autoptr (HostsRun) killed = NULL, run = NULL;
  g_autofree char *state = NULL;
  GThread *thread = NULL;

  hosts_image_save (sample, input, "RGB");
  image = hosts_image_load (input, "RGB");
  g_setenv ("CAPRA_PANEL_SURVIVES", "1", TRUE);
  thread = g_thread_new ("kill", kill_gimp, NULL);
  killed = run_panel (input, output, "paste " BLUR ";wait Gaussian;wait never\n");
  g_unsetenv ("CAPRA_PANEL_SURVIVES");
  if (!g_thread_join (thread))
    g_error ("processes of GIMP remain: %s%s", killed->out, killed->err);
  g_assert_cmpint (killed->status, !=, 0);
  g_assert_true (has_steps ());

  run = run_panel (input, output,
                   "wait The steps of the last session were kept;click _Restore Steps;wait Gaussian;action win.save\n");
  if (!gimp_succeeded (run))
    g_error ("GIMP: status %d\n%s%s", run->status, run->out, run->err);
  found = hosts_image_load (output, "RGB");
  expected = reference_gaussian (image, 3.0, 3.0, 4.0, REFERENCE_CLAMP);
  hosts_assert_close (found, expected, 1.2e-5);
  state = read_state ();
  g_assert_nonnull (state);
  g_assert_null (strstr (state, "steps")); /* they were applied */
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/end/killed", test_killed);
  return hosts_end ();
}
