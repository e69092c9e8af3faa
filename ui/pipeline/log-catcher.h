/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-catcher: what GEGL and Capra's operations only write to the log, for those who report it themselves. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Once, at start; messages go on to where they went before. */
void capra_log_catcher_install (void);

/* From now on, GEGL's warnings in this thread are withheld. Those of modules of operations count; those of its core
 * only if @core, for what reads graphs. */
void capra_log_catcher_begin (gboolean core);

/* The first warning that counts (g_free); %NULL if there was none: the others go on to the log then. */
char *capra_log_catcher_end (void);

/* From now on, what Capra's operations write to the log is held back, in all threads. */
void capra_log_catcher_hold (void);

/* @said: (nullable): an error that was reported: what was held goes on to the log, except what ends with it. */
void capra_log_catcher_release (const char *said);

G_END_DECLS
