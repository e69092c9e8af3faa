/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra run, prepare and plot: start the programs capra-run and capra-plot, so that capra itself needs libcapra alone.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ui/cli/command.h"

/* Searches the folder of this program (a build folder), its prefix, the folder that the build configured, and PATH. */
static char *
find_program (const char *name)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = g_path_get_dirname (self ? self : "");
  char *candidates[] = {
    g_build_filename (folder, name, NULL),
    g_build_filename (folder, "..", CAPRA_LIBEXECDIR_NAME, name, NULL),
    g_build_filename (CAPRA_LIBEXECDIR, name, NULL),
    g_find_program_in_path (name),
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

/* @needs: with what Capra has to be built for it */
static int
start (char **argv, const char *name, const char *needs)
{
  g_autofree char *program = find_program (name);

  if (!program)
    {
      fprintf (stderr,
               "capra %s: the program \"%s\" is not installed; install a version of Capra that was built with %s\n",
               argv[0], name, needs);
      return 1;
    }
  execv (program, argv);
  fprintf (stderr, "capra %s: %s: %s\n", argv[0], program, strerror (errno));
  return 1;
}

int
capra_command_in_gegl (int argc, char **argv)
{
  return start (argv, "capra-run", "GEGL");
}

int
capra_command_plot (int argc, char **argv)
{
  return start (argv, "capra-plot", "Pango");
}
