/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of ICD files. The folder of the drivers with faults is in CAPRA_TEST_DRIVERS. */
#include "tests/support/support-drivers.h"

#include "tests/support/support-files.h"

void
support_drivers_add (const char *folder, const char *name)
{
  g_autofree char *file = g_strdup_printf ("fake-%s.icd", name);
  g_autofree char *library = g_strdup_printf ("%s/fake-%s.so\n", g_getenv ("CAPRA_TEST_DRIVERS"), name);

  support_file_write (folder, file, library);
}

char *
support_drivers_new (const char *names)
{
  const char *system = g_getenv ("OCL_ICD_VENDORS") ? g_getenv ("OCL_ICD_VENDORS") : "/etc/OpenCL/vendors";
  char *folder = g_dir_make_tmp ("capra-drivers-XXXXXX", NULL);
  g_autoptr (GDir) dir = g_dir_open (system, 0, NULL);
  g_auto (GStrv) fakes = g_strsplit (names, " ", -1);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (system, name, NULL), *text = NULL;

      if (g_str_has_suffix (name, ".icd") && g_file_get_contents (path, &text, NULL, NULL))
        support_file_write (folder, name, text);
    }
  for (guint i = 0; fakes[i]; i++)
    if (*fakes[i])
      support_drivers_add (folder, fakes[i]);
  return folder;
}
