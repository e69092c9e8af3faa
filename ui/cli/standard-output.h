/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports output that could not be written to standard output. */
#pragma once

/* At exit, the process prints a message that begins with @program and ends with status 1 if standard output could not
 * be written (a full disk, for example). Call it before anything else, so that output of other exit handlers is
 * checked, too. */
void standard_output_check_at_exit (const char *program);
