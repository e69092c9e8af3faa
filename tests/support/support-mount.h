/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts that mount file systems of their own, such as full or read-only ones. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Runs @script by sh as a process whose mounts end with it; it has @program as "$0", and fails at the first command
 * that does. Returns what it printed; %NULL, with the test skipped, if this user cannot mount on @folder. */
char *support_run_mounted (const char *folder, const char *program, const char *script);

G_END_DECLS
