/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program capra: runs the command that its first argument names. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "capra.h"
#include "ui/cli/command.h"
#include "ui/cli/standard-output.h"

static const struct {
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
  gboolean in_background; /* a first use of a device starts its check */
} commands[] = {
  { "run", capra_command_in_gegl, "run a graph or a chain of operations on images" },
  { "prepare", capra_command_in_gegl, "build the kernels for images of the usual formats in advance" },
  { "plot", capra_command_plot, "draw curves with their errors from files of numbers" },
  { "devices", capra_command_devices, "list the OpenCL devices and the default" },
  { "memory", capra_command_memory, "show what running programs hold on the devices, and free what they do not use" },
  { "check", capra_command_check, "compare the results of a device with references" },
  { "bench", capra_command_bench, "time the operations on a device" },
#ifdef CAPRA_HDF5
  { "integrate", capra_command_integrate, "integrate diffraction frames of an HDF5 file azimuthally", TRUE },
  { "join", capra_command_join, "join the HDF5 results of several processes" },
#endif
  { "tune", capra_command_tune, "find the fastest kernel variants for the devices of this machine" },
};

static int
usage (FILE *to, int status)
{
  fprintf (to, "Usage: capra COMMAND [OPTION…]\n\nCommands:\n");
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (to, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fprintf (to, "\n`capra COMMAND --help` lists the options of a command. `capra --version` prints the version.\n");
  return status;
}

/* Its help and the monitor show the name of the program. */
static void
name_program (const char *command)
{
  g_autofree char *name = g_strconcat ("capra ", command, NULL);

  g_set_prgname (name);
}

int
main (int argc, char **argv)
{
  standard_output_check_at_exit ("capra");
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* programs read the numbers, too */

  if (argc < 2)
    return usage (stderr, 2);
  if (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0)
    return usage (stdout, 0);
  if (strcmp (argv[1], "--version") == 0)
    {
      printf ("capra %s\n", CAPRA_VERSION);
      return 0;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      {
        name_program (commands[i].name);
        if (!commands[i].in_background) /* as short programs, and those that measure times, must not */
          capra_settings_choose ("check", "off");
        return commands[i].run (argc - 1, argv + 1);
      }

  fprintf (stderr, "capra: unknown command \"%s\"\n\n", argv[1]);
  return usage (stderr, 2);
}
