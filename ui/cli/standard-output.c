/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports output that could not be written to standard output. */
#include "ui/cli/standard-output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name;

/* Some file systems report a failed write only when the descriptor is closed. */
static int
close_copy (void)
{
  int copy = dup (STDOUT_FILENO);

  return copy < 0 ? 0 : close (copy);
}

static void
check (void)
{
  int failed = ferror (stdout);

  errno = 0;
  if (fflush (stdout) == 0 && !failed && close_copy () == 0)
    return;
  fprintf (stderr, "%s: cannot write to standard output: %s\n", name, errno ? strerror (errno) : "write error");
  fflush (NULL);
  _exit (EXIT_FAILURE);
}

void
standard_output_check_at_exit (const char *program)
{
  name = program;
  atexit (check);
}
