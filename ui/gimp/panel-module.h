/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel-module: loads the module "panel", which contains the panel and its copy of the code that applies steps. Only
 * the process that opens the panel loads it, and GTK with it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Loads the module from the folder of the program @argv0, and calls capra_gimp_panel_run(). */
gboolean capra_panel_module_run (const char *argv0, int drawable, char **xml, gboolean *effects, GError **error);
/* Calls capra_gimp_panel_quit() if the module is loaded. */
void capra_panel_module_quit (void);

G_END_DECLS
