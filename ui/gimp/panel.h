/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel: the functions of the module "panel", see panel-module.h. */
#pragma once

#include <gmodule.h>

G_BEGIN_DECLS

/**
 * capra_gimp_panel_run:
 * @xml: (inout): the initial steps, "" for none; afterwards the applied steps
 * @effects: (out): whether they were added as effects
 *
 * Opens the panel on a drawable and blocks until it is closed.
 *
 * Returns: TRUE if the steps were applied; FALSE without @error set if the user canceled
 */
G_MODULE_EXPORT
gboolean capra_gimp_panel_run (int drawable, char **xml, gboolean *effects, GError **error);

/* Waits for threads that use GEGL. */
G_MODULE_EXPORT
void capra_gimp_panel_quit (void);

G_END_DECLS
