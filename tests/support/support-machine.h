/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program `capra` on a machine with drivers that have faults. */
#pragma once

#include <glib.h>

/* A folder of drivers, and one for caches; what the environment named before (nullable). */
typedef struct {
  char *drivers, *caches, *vendors;
} SupportMachine;

/* @names: of the drivers with faults, see support_drivers_new(). Sets environment variables, and restores them. */
void support_machine_init (SupportMachine *machine, const char *names);
void support_machine_clear (SupportMachine *machine);

/* Runs `capra`, and replaces its output and errors. Returns the exit status. */
int support_machine_run (const char *arguments, char **output, char **errors);

void support_assert_part (const char *text, const char *part);

/* The list of devices has what it has without drivers that have faults. */
void support_assert_good_devices (const char *output);
