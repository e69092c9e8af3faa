/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooser: finds an operation by search, category or among the favourites. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraChooser:
 *
 * Signals: "chosen" (string): an operation's name; "closed": without a choice.
 */
#define CAPRA_TYPE_CHOOSER (capra_chooser_get_type ())
G_DECLARE_FINAL_TYPE (CapraChooser, capra_chooser, CAPRA, CHOOSER, GtkBox)

/* Empties the search and puts the cursor there. The first call looks for operations. */
void capra_chooser_start (CapraChooser *chooser);
/* @settings: (nullable): where favourites are kept. */
void capra_chooser_set_settings (CapraChooser *chooser, GSettings *settings);

G_END_DECLS
