/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Helper programs: programs of the library's own, which it runs as child processes. Not installed. */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* What a helper gets. */
typedef struct {
  char *const *arguments;   /* argv; the first one is the name of the program */
  char *const *environment; /* NULL-terminated */
  int input, output;        /* descriptors; -1: /dev/null */
  gboolean group;           /* in a process group of its own */
} CapraHelperSetup;

/* Starts the program, with no other descriptors, and /dev/null as standard error. Returns 0 with the reason in the log
 * if it cannot be run. The caller waits for the process. */
pid_t capra_helper_spawn (const CapraHelperSetup *setup);

G_END_DECLS
