/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command `capra prepare`, in the program that links GEGL. */
#pragma once

/* Returns the exit status. */
int run_prepare (int argc, char **argv);
