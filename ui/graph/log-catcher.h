/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Log-catcher: what GEGL only says in its log, for those who have to tell a person. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Once, at start; messages go on to where they went before. */
void capra_log_catcher_install (void);
/* From now on the warnings of this thread are kept. */
void capra_log_catcher_begin (void);
/* The first warning since then, %NULL if there was none (g_free). */
char *capra_log_catcher_end (void);

G_END_DECLS
