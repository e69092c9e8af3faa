/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Session: the procedures of the plug-in, independent of GIMP's version. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_session_run_panel:
 * @xml: (inout): the initial steps, "" for none; afterwards the applied steps
 * @effects: (out): whether they were added as effects
 *
 * Opens the panel on a drawable and blocks until it is closed.
 *
 * Returns: TRUE if the steps were applied; FALSE without @error set if the user canceled
 */
gboolean capra_session_run_panel (int drawable, char **xml, gboolean *effects, GError **error);

/**
 * capra_session_run_steps:
 * @effects: whether to add them as effects
 * @trusted: whether @xml are the steps that the user applied last. The text of a script can be from anywhere:
 *   operations that write files or run other operations are refused.
 *
 * Applies steps to a drawable.
 */
gboolean capra_session_run_steps (int drawable, const char *xml, gboolean effects, gboolean trusted, GError **error);
/* Applies the steps in a file. They are not trusted. */
gboolean capra_session_run_file (int drawable, const char *path, gboolean effects, GError **error);

G_END_DECLS
