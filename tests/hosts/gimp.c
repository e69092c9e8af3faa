/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GIMP for tests: its configuration in the tests' home folder, with few plug-ins. */
#include "gimp.h"

#include <unistd.h>

#include <glib/gstdio.h>

/* The title is how gimp-driver.c knows the window; no window may depend on what was there before. */
static const char configuration[] = "(plug-in-path \"%s\")\n"
                                    "(image-title-format \"capra-test %%D*\")\n"
                                    "(color-profile-policy keep)\n"
                                    "(check-updates no)\n"
                                    "(restore-session no)\n"
                                    "(save-session-info no)\n"
                                    "(theme \"System\")\n";

/* GIMP takes a plug-in from a folder of its own name. */
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

HostsRun *
gimp_run (const char *settings, const char *plug_in, int seconds, const char *program, ...)
{
  const char *needed[] = { "file-tiff", "script-fu" };
  const char *folder = hosts_path ("gimp"), *plug_ins = hosts_path ("gimp-plug-ins");
  g_autofree char *text = g_strdup_printf (configuration, plug_ins);
  g_autofree char *all = g_strdup_printf ("GIMP2_DIRECTORY=%s\nGEGL_PATH=%s\n"
                                          "DBUS_SESSION_BUS_ADDRESS=disabled:\n%s",
                                          folder, g_getenv ("CAPRA_TEST_GEGL_PATH"),
                                          settings ? settings : "");
  g_autoptr(GPtrArray) command = g_ptr_array_new ();
  va_list list;

  g_mkdir_with_parents (folder, 0700);
  hosts_write ("gimp/gimprc", text);
  for (guint i = 0; i < G_N_ELEMENTS (needed); i++)
    {
      g_autofree char *file = g_build_filename (g_getenv ("CAPRA_TEST_GIMP_PLUG_INS"), needed[i],
                                                needed[i], NULL);

      link_plug_in (plug_ins, file);
    }
  if (plug_in)
    link_plug_in (plug_ins, plug_in);

  va_start (list, program);
  for (const char *word = program; word; word = va_arg (list, const char *))
    g_ptr_array_add (command, (gpointer) word);
  va_end (list);
  g_ptr_array_add (command, NULL);
  return hosts_run (all, seconds, (const char *const *) command->pdata);
}
