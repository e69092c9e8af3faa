/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra prepare, in the program that has GEGL. */
#pragma once

/* The command with its arguments; the exit status. */
int run_prepare (int argc, char **argv);
