/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load: processes that leave other programs little of the processors' time. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Starts child processes, several for each processor. Returns FALSE and skips the test if this process runs with a low
 * priority: a processor that computes for such processes alone counts as idle. */
gboolean support_load_begin (void);
void support_load_end (void);

G_END_DECLS
