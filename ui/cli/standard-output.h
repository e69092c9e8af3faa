/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard-output: what cannot be printed is an error. */
#pragma once

/* @program: that messages begin with. At the process's end, status 1 and a message if standard output did not take all
 * that was printed (a full disk, say). Call it first: what libraries print at exit is seen, too. */
void standard_output_check_at_exit (const char *program);
