/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra run and capra prepare: start the program capra-run, so that capra itself does not need GEGL. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/cli/command.h"

#define PROGRAM "capra-run"

/* Searches the folder of this program (a build folder), its prefix, the folder that the build configured, and PATH. */
static char *
find_program (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self ? self : "");
  char *candidates[] = {
    g_build_filename (folder, PROGRAM, NULL),
    g_build_filename (folder, "..", CAPRA_LIBEXECDIR_NAME, PROGRAM, NULL),
    g_build_filename (CAPRA_LIBEXECDIR, PROGRAM, NULL),
    g_find_program_in_path (PROGRAM),
  };
  char *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (candidates); i++)
    {
      if (!found && candidates[i] && g_file_test (candidates[i], G_FILE_TEST_IS_EXECUTABLE))
        found = g_steal_pointer (&candidates[i]);
      g_free (candidates[i]);
    }
  return found;
}

int
capra_command_in_gegl (int argc, char **argv)
{
  g_autofree char *program = find_program ();

  if (!program)
    {
      fprintf (stderr,
               "capra %s: the program \"" PROGRAM "\" is not installed; install a version of Capra that was "
               "built with GEGL\n",
               argv[0]);
      return 1;
    }
  execv (program, argv);
  fprintf (stderr, "capra %s: %s: %s\n", argv[0], program, strerror (errno));
  return 1;
}
