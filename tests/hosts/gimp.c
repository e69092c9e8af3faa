/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP for tests: configured in the tests' home folder, with few plug-ins. */
#define _GNU_SOURCE /* memmem() */
#include "tests/hosts/gimp.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

/* Seconds for a run of GIMP, which takes a tenth of this on a machine without other load. */
#define TIME_LIMIT 600

/* The driver finds the window by its title; window positions are not restored. */
static const char configuration[] = "(plug-in-path \"%s\")\n"
                                    "(image-title-format \"capra-test %%D*\")\n"
                                    "(color-profile-policy keep)\n"
                                    "(check-updates no)\n"
                                    "(restore-session no)\n"
                                    "(save-session-info no)\n"
                                    "(theme \"System\")\n";
/* Without the welcome dialog of GIMP 3. */
static const char configuration_3[] = "(config-version \"%s\")\n";

gboolean
gimp_is_3 (void)
{
  return g_str_has_prefix (g_getenv ("CAPRA_TEST_GIMP_VERSION"), "3.");
}

static void
write_configuration (const char *plug_ins)
{
  g_autofree char *text = g_strdup_printf (configuration, plug_ins);
  g_autofree char *more = g_strdup_printf (configuration_3, g_getenv ("CAPRA_TEST_GIMP_VERSION"));
  g_autofree char *all = g_strconcat (text, gimp_is_3 () ? more : NULL, NULL);

  hosts_write ("gimp/gimprc", all);
}

/* GIMP loads a plug-in from a folder of the same name. */
static void
link_plug_in (const char *folder, const char *file)
{
  g_autofree char *name = g_path_get_basename (file);
  g_autofree char *own = g_build_filename (folder, name, NULL);
  g_autofree char *path = g_build_filename (own, name, NULL);

  g_mkdir_with_parents (own, 0700);
  g_remove (path);
  g_assert_cmpint (symlink (file, path), ==, 0);
}

static HostsRun *
run_gimp (const char *settings, GPtrArray *command)
{
  const char *needed[] = { "file-png", "file-tiff", "script-fu" };
  const char *folder = hosts_path ("gimp"), *plug_ins = hosts_path ("gimp-plug-ins");
  g_autofree char *all = g_strdup_printf ("GIMP2_DIRECTORY=%s\nGIMP3_DIRECTORY=%s\nGEGL_PATH=%s\n"
                                          "DBUS_SESSION_BUS_ADDRESS=disabled:\n%s\n%s",
                                          folder, folder, g_getenv ("CAPRA_TEST_GEGL_PATH"),
                                          /* GIMP 3 logs critical messages at exit. */
                                          gimp_is_3 () ? "G_DEBUG=" : "", settings ? settings : "");

  g_mkdir_with_parents (folder, 0700);
  write_configuration (plug_ins);
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    {
      g_autofree char *file = g_build_filename (g_getenv ("CAPRA_TEST_GIMP_PLUG_INS"), needed[i], needed[i], NULL);

      link_plug_in (plug_ins, file);
    }
  link_plug_in (plug_ins, g_getenv ("CAPRA_TEST_GIMP_PLUG_IN"));
  g_ptr_array_add (command, NULL);
  return hosts_run (all, TIME_LIMIT, (const char *const *) command->pdata);
}

gboolean
gimp_succeeded (const HostsRun *run)
{
  g_auto (GStrv) lines = g_strsplit (run->err, "\n", 0);

  for (guint i = 0; lines[i]; i++)
    if (strstr (lines[i], "CRITICAL") && (!gimp_is_3 () || g_str_has_prefix (lines[i], "(capra:")))
      return FALSE;
  return run->status == 0;
}

static void
add_words (GPtrArray *command, const char *const *words)
{
  for (guint i = 0; words[i]; i++)
    g_ptr_array_add (command, (gpointer) words[i]);
}

HostsRun *
gimp_run_scripts (const char *settings, GPtrArray *scripts)
{
  const char *const words[] = {
    g_getenv ("CAPRA_TEST_GIMP_CONSOLE"), "--no-interface", "--no-data", "--no-fonts", "--no-splash", NULL
  };
  g_autoptr (GPtrArray) command = g_ptr_array_new ();

  add_words (command, words);
  if (gimp_is_3 ())
    g_ptr_array_add (command, (gpointer) "--batch-interpreter=plug-in-script-fu-eval");
  for (guint i = 0; i < scripts->len; i++)
    add_words (command, (const char *const[]){ "--batch", scripts->pdata[i], NULL });
  add_words (command, (const char *const[]){ "--batch", "(gimp-quit 0)", NULL });
  return run_gimp (settings, command);
}

int
gimp_find_process (const char *program)
{
  g_autoptr (GDir) processes = g_dir_open ("/proc", 0, NULL);
  g_autofree char *folder = g_strconcat ("_DIRECTORY=", hosts_path ("gimp"), NULL);
  g_autofree char *path = program ? realpath (program, NULL) : NULL;
  const char *name = NULL;
  int found = 0;

  while (!found && (name = g_dir_read_name (processes)))
    {
      g_autofree char *link = g_build_filename ("/proc", name, "exe", NULL);
      g_autofree char *file = g_build_filename ("/proc", name, "environ", NULL);
      g_autofree char *own = g_file_read_link (link, NULL);
      g_autofree char *environment = NULL;
      gsize length = 0;

      if (own && (!program || g_strcmp0 (own, path) == 0) && g_file_get_contents (file, &environment, &length, NULL)
          && memmem (environment, length, folder, strlen (folder)))
        found = atoi (name);
    }
  return found;
}

/* Starts Xvfb on a display number that it chooses itself. */
static GSubprocess *
start_server (char **display)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                                                        | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  GSubprocess *server = NULL;
  g_autoptr (GError) error = NULL;
  char number[16] = "";
  gsize length = 0;
  int ends[2];

  g_assert_cmpint (pipe (ends), ==, 0);
  g_subprocess_launcher_take_fd (launcher, ends[1], 3);
  g_subprocess_launcher_set_child_setup (launcher, hosts_die_with_parent, NULL, NULL);
  server = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("CAPRA_TEST_XVFB"), "-displayfd", "3", "-screen",
                                        "0", "1600x900x24", "-nolisten", "tcp", NULL);
  g_assert_no_error (error);
  g_subprocess_launcher_close (launcher);
  while (length + 1 < sizeof number && !strchr (number, '\n') && read (ends[0], number + length, 1) == 1)
    length++;
  close (ends[0]);
  g_assert_nonnull (strchr (number, '\n'));
  *display = g_strdup_printf (":%s", g_strchomp (number));
  return server;
}

static void
stop_server (GSubprocess *server)
{
  g_subprocess_send_signal (server, SIGTERM);
  g_subprocess_wait (server, NULL, NULL);
  g_object_unref (server);
}

HostsRun *
gimp_run_panels (GPtrArray *scripts, const char *panels)
{
  g_autofree char *display = NULL;
  GSubprocess *server = start_server (&display);
  g_autofree char *all = g_strdup_printf ("DISPLAY=%s\nLD_PRELOAD=%s\nCAPRA_PANEL_SCRIPT=%s", display,
                                          g_getenv ("CAPRA_TEST_PANEL_SCRIPT"), hosts_write ("panels", panels));
  HostsRun *run = gimp_run_scripts (all, scripts);

  stop_server (server);
  return run;
}

char *
gimp_run_window (const char *settings, const char *path, const char *steps, const char *screenshot)
{
  g_autofree char *display = NULL;
  GSubprocess *server = start_server (&display);
  g_autofree char *base = g_build_filename (g_getenv ("CAPRA_TEST_ARTIFACTS"), screenshot, NULL);
  g_autofree char *all = g_strdup_printf (
    "DISPLAY=%s\nGTK_MODULES=%s\nLD_PRELOAD=%s\nCAPRA_DRIVER_SCREENSHOT=%s\nCAPRA_DRIVER_STEPS=%s\n"
    "CAPRA_DRIVER_SIGNAL_FILE=%s\n%s",
    display, g_getenv ("CAPRA_TEST_GIMP_DRIVER"), g_getenv ("CAPRA_TEST_PANEL_DRIVER"), base, steps,
    hosts_path ("driver-signal"), settings ? settings : "");
  const char *const words[] = {
    g_getenv ("CAPRA_TEST_GIMP"), "--new-instance", "--no-splash", "--no-data", "--no-fonts", path, NULL
  };
  g_autoptr (GPtrArray) command = g_ptr_array_new ();
  g_autoptr (HostsRun) run = NULL;

  add_words (command, words);
  run = run_gimp (all, command);
  stop_server (server);
  if (!gimp_succeeded (run) || !strstr (run->out, "driver: done"))
    g_error ("GIMP: status %d\n%s%s", run->status, run->out, run->err);
  return g_steal_pointer (&run->err);
}
