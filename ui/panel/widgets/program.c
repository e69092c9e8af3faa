/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program: finds the program `capra`, which the panel runs for batches and checks. */
#include "ui/panel/widgets/program.h"

#include <glib/gi18n-lib.h>

#define PROGRAM "capra"

char *
capra_program_find (GError **error)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self ? self : "");
  g_autofree char *beside = g_build_filename (folder, PROGRAM, NULL);
  g_autofree char *installed = g_build_filename (CAPRA_BINDIR, PROGRAM, NULL);
  char *found = NULL;

  if (g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  found = g_find_program_in_path (PROGRAM);
  if (!found && g_file_test (installed, G_FILE_TEST_IS_EXECUTABLE))
    found = g_steal_pointer (&installed);
  if (!found)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The program “%s” is not installed"), PROGRAM);
  return found;
}
