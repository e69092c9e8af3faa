/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Session: what the plug-in's procedures do, in every version of GIMP. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_session_run_panel:
 * @xml: (inout): the steps to begin with, "" for none; afterwards those that were applied
 *
 * Opens the panel on a drawable and waits until it is closed.
 *
 * Returns: %TRUE if the steps were applied; without @error set: the person did not want to
 */
gboolean capra_session_run_panel (int drawable, char **xml, GError **error);

/* Applies the steps of a script to a drawable. Operations that write files or run others are refused. */
gboolean capra_session_run_steps (int drawable, const char *xml, GError **error);
/* The same, from a file. */
gboolean capra_session_run_file (int drawable, const char *path, GError **error);
/* Applies the steps that the person applied last, whatever they are. */
gboolean capra_session_repeat (int drawable, const char *xml, GError **error);

G_END_DECLS
