/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP 2.10 and 3 without a window: the extension, a process that stays and applies the steps of scripts. */
#include <signal.h>
#include <string.h>

#include "tests/hosts/gimp-script.h"
#include "tests/hosts/reference.h"
#include "tests/hosts/watch.h"

#define TOLERANCE 1.2e-5

/* Three times the same, by the extension or by other processes. */
static void
check_thrice (const char *input, const char *output)
{
  g_autoptr (HostsImage) image = hosts_image_load (input, "Y");
  g_autoptr (HostsImage) found = hosts_image_load (output, "Y");

  for (guint i = 0; i < 3; i++)
    {
      HostsImage *next = reference_box (image, 4, REFERENCE_CLAMP);

      hosts_image_free (image);
      image = next;
    }
  hosts_assert_close (found, image, 3 * TOLERANCE);
}

/* The monitor sees each process that runs an operation of Capra. hosts_seen_find() fails if there are several. */
static void
test_one_process (void)
{
  const char *input = hosts_path ("process.tif"), *output = hosts_path ("process-out.tif");
  g_autofree char *call = gimp_script_apply (BOX);
  g_autofree char *body = g_strconcat (call, call, call, NULL);
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 1);
  g_autoptr (GPtrArray) seen = NULL;
  HostsWatch *watch = NULL;

  hosts_image_save (sample, input, "Y");
  watch = hosts_watch_begin ();
  gimp_script_run (input, output, body);
  seen = hosts_watch_end (watch);
  g_assert_cmpuint (hosts_seen_find (seen, "capra")->recorded, >=, 9);
  check_thrice (input, output);
}

/* Kills the extension when the script has created the first file of @data, and then creates the second. */
static gpointer
kill_extension (gpointer data)
{
  const char *const *paths = data;
  int pid = 0;

  for (guint i = 0; i < 600 && !g_file_test (paths[0], G_FILE_TEST_EXISTS); i++)
    g_usleep (G_USEC_PER_SEC / 10);
  pid = gimp_find_process (g_getenv ("CAPRA_TEST_GIMP_PLUG_IN"));
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  while (kill (pid, 0) == 0) /* until GIMP has noticed and waited for it */
    g_usleep (G_USEC_PER_SEC / 100);
  g_assert_true (g_file_set_contents (paths[1], "", 0, NULL));
  return NULL;
}

/* After a crash of the extension, each call runs in a process of its own. */
static void
test_crash (void)
{
  const char *input = hosts_path ("crash.tif"), *output = hosts_path ("crash-out.tif");
  const char *paths[] = { hosts_path ("crash-ready"), hosts_path ("crash-killed") };
  g_autofree char *call = gimp_script_apply (BOX);
  g_autofree char *body = g_strdup_printf ("%s (close-output-port (open-output-file \"%s\"))"
                                           "(while (not (file-exists? \"%s\")) (usleep 10000)) %s %s",
                                           call, paths[0], paths[1], call, call);
  g_autoptr (HostsImage) sample = hosts_image_sample (150, 131, 1);
  g_autoptr (GPtrArray) seen = NULL;
  GThread *thread = NULL;
  HostsWatch *watch = NULL;

  hosts_image_save (sample, input, "Y");
  watch = hosts_watch_begin ();
  thread = g_thread_new ("kill", kill_extension, paths);
  gimp_script_run (input, output, body);
  g_thread_join (thread);
  seen = hosts_watch_end (watch);
  g_assert_cmpuint (seen->len, ==, 3);
  check_thrice (input, output);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  g_test_add_func ("/gimp/extension/one-process", test_one_process);
  g_test_add_func ("/gimp/extension/crash", test_crash);
  return hosts_end ();
}
