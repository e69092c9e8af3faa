/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra: finds the command and runs it. */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "ui/cli/command.h"
#include "ui/cli/standard-output.h"

static const struct {
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
} commands[] = {
  { "run", capra_command_run, "run a graph or a chain of operations on images" },
  { "prepare", capra_command_run, "build all kernels, so that no first use waits for them" },
  { "devices", capra_command_devices, "list the OpenCL devices, and which one would be chosen" },
  { "bench", capra_command_bench, "time the operations on a device" },
  { "tune", capra_command_tune, "find the fastest variants for this machine's devices" },
};

static int
usage (FILE *to, int status)
{
  fprintf (to, "Usage: capra COMMAND [OPTION…]\n\nCommands:\n");
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    fprintf (to, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fprintf (to, "\n`capra COMMAND --help` tells more. `capra --version` prints the version.\n");
  return status;
}

int
main (int argc, char **argv)
{
  standard_output_check_at_exit ("capra");
  setlocale (LC_ALL, "");
  setlocale (LC_NUMERIC, "C"); /* numbers are for programs, too */

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
      return commands[i].run (argc - 1, argv + 1);

  fprintf (stderr, "capra: there is no command \"%s\"\n\n", argv[1]);
  return usage (stderr, 2);
}
