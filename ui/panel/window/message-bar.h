/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message-bar: an error, or an offer with a button, above the window's content. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraMessageBar:
 *
 * Hidden until it has a message.
 */
#define CAPRA_TYPE_MESSAGE_BAR (capra_message_bar_get_type ())
G_DECLARE_FINAL_TYPE (CapraMessageBar, capra_message_bar, CAPRA, MESSAGE_BAR, GtkWidget)

void capra_message_bar_show_error (CapraMessageBar *bar, const char *message);
/* @choice: 0 for the first button, 1 for the second. The bar is hidden already. */
typedef void (*CapraMessageChosen) (guint choice, gpointer data);

/* @second: (nullable): %NULL for one button. @data must exist as long as the offer is shown. */
void capra_message_bar_show_choice (CapraMessageBar *bar, const char *message, const char *first, const char *second,
                                    CapraMessageChosen chosen, gpointer data);
void capra_message_bar_hide (CapraMessageBar *bar);

G_END_DECLS
