/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Session: what the plug-in's procedures do, in every version of GIMP. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_session_run_panel:
 * @xml: (inout): the steps to begin with, "" for none; afterwards those that were applied
 * @effects: (out): whether they became effects of the layer
 *
 * Opens the panel on a drawable and waits until it is closed.
 *
 * Returns: %TRUE if the steps were applied; without @error set: the person did not want to
 */
gboolean capra_session_run_panel (int drawable, char **xml, gboolean *effects, GError **error);

/**
 * capra_session_run_steps:
 * @effects: whether they become effects
 * @own: whether these are the steps that the person applied last; else a script may have its text from
 *   anywhere, and operations that write files or run others are refused
 *
 * Applies steps to a drawable.
 */
gboolean capra_session_run_steps (int drawable, const char *xml, gboolean effects, gboolean own, GError **error);
/* Those of a script that names a file. */
gboolean capra_session_run_file (int drawable, const char *path, gboolean effects, GError **error);

G_END_DECLS
