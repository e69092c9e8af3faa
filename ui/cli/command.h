/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of `capra`. */
#pragma once

#include <glib.h>

/* A command: its arguments without its name; returns the exit status. */
int capra_command_devices (int argc, char **argv);
int capra_command_bench (int argc, char **argv);
int capra_command_tune (int argc, char **argv);
/* Also `capra prepare`: argv[0] is the command. */
int capra_command_run (int argc, char **argv);
