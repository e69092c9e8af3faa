/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-steps: the procedures for scripts, independent of GIMP's version. GTK is not needed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * capra_run_steps:
 * @effects: whether to add them as effects
 * @trusted: whether @xml are the steps that the user applied last. The text of a script can be from anywhere:
 *   operations that write files or run other operations are refused.
 *
 * Applies steps to a drawable.
 *
 * Returns: FALSE without @error set if the user canceled
 */
gboolean capra_run_steps (int drawable, const char *xml, gboolean effects, gboolean trusted, GError **error);
/* Applies the steps in a file. They are not trusted. */
gboolean capra_run_steps_of_file (int drawable, const char *path, gboolean effects, GError **error);

G_END_DECLS
