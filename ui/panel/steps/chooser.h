/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooser: lists operations, filtered by a search, a category or to the favorites. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraChooser:
 *
 * Property "settings" (GSettings, nullable): stores the favorites.
 * Signals: "chosen" (string): the name of an operation; "closed": without a choice.
 */
#define CAPRA_TYPE_CHOOSER (capra_chooser_get_type ())
G_DECLARE_FINAL_TYPE (CapraChooser, capra_chooser, CAPRA, CHOOSER, GtkBox)

/* Clears the search and focuses it. The first call lists the operations. */
void capra_chooser_start (CapraChooser *chooser);

G_END_DECLS
