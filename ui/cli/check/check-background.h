/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The check that a process starts after its first use of a device. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Checks the devices whose ids are the lines of the standard input, a socket that the other process holds open until it
 * ends. @limit: the seconds that a case may take. Returns the exit status. */
int check_background (guint limit);

G_END_DECLS
