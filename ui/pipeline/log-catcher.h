/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-catcher: turns warnings of GEGL and of Capra's operations into errors that the caller reports. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Call it once, at the start of the program. Other messages go to the previous log handler. */
void capra_log_catcher_install (void);

/* Holds back GEGL's warnings in this thread until capra_log_catcher_end(). @core: whether warnings of GEGL's core are
 * errors, too, not only those of modules of operations; for code that reads graphs. */
void capra_log_catcher_begin (gboolean core);

/* (transfer full) (nullable): the first warning that is an error. Without one, logs what was held back. */
char *capra_log_catcher_end (void);

/* Defers the warnings of Capra's operations in all threads until capra_log_catcher_flush(). */
void capra_log_catcher_defer (void);
gboolean capra_log_catcher_has_deferred (void);

/* Logs the deferred warnings, except those that end with @reported (nullable), an error already reported. */
void capra_log_catcher_flush (const char *reported);

/* Collects all messages of this thread until capra_log_catcher_collected(), for another thread to log. Those that other
 * threads log meanwhile for the same work are not collected. */
void capra_log_catcher_collect (void);

/* (transfer full): the messages. */
GPtrArray *capra_log_catcher_collected (void);

/* Logs collected @messages, except warnings of Capra's operations that end with @reported (nullable). */
void capra_log_catcher_log (GPtrArray *messages, const char *reported);

G_END_DECLS
