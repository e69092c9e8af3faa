/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the program capra. */
#pragma once

#include <glib.h>

/* Each takes its arguments, of which argv[0] is its name, and returns the exit status. */
int capra_command_devices (int argc, char **argv);
int capra_command_memory (int argc, char **argv);
int capra_command_check (int argc, char **argv);
int capra_command_bench (int argc, char **argv);
int capra_command_tune (int argc, char **argv);
int capra_command_integrate (int argc, char **argv); /* if Capra was built with HDF5 */
int capra_command_join (int argc, char **argv);      /* if Capra was built with HDF5 */
/* run and prepare: starts the program capra-run, which links GEGL. */
int capra_command_in_gegl (int argc, char **argv);
/* Starts the program capra-plot, which links Pango. */
int capra_command_plot (int argc, char **argv);
