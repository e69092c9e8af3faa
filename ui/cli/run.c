/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra run: hands over to `capra-run`, which needs GEGL, where `capra` needs libcapra alone. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

#define PROGRAM "capra-run"

/* Beside this program (a build folder), where it is installed, or anywhere in PATH. */
static char *
find_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self ? g_path_get_dirname (self) : NULL;
  g_autofree char *beside = folder ? g_build_filename (folder, PROGRAM, NULL) : NULL;
  const char *installed = CAPRA_LIBEXEC_DIR G_DIR_SEPARATOR_S PROGRAM;

  if (beside && g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&beside);
  if (g_file_test (installed, G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup (installed);
  return g_find_program_in_path (PROGRAM);
}

int
capra_command_run (int argc, char **argv)
{
  g_autofree char *program = find_program ();

  if (!program)
    {
      fprintf (stderr, "capra run: there is no program “" PROGRAM "”. It is built and installed with Capra "
                       "where GEGL 0.4.42, gdk-pixbuf and libpng are\n");
      return 1;
    }
  execv (program, argv);
  fprintf (stderr, "capra run: %s: %s\n", program, strerror (errno));
  return 1;
}
