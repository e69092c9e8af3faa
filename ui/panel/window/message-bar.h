/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message-bar: an error, and an offer with buttons below it, above the window's content. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraMessageBar:
 *
 * Hidden until it has a message. An offer stays until the user answers it or another one takes its place, whatever
 * errors are shown meanwhile.
 */
#define CAPRA_TYPE_MESSAGE_BAR (capra_message_bar_get_type ())
G_DECLARE_FINAL_TYPE (CapraMessageBar, capra_message_bar, CAPRA, MESSAGE_BAR, GtkWidget)

void capra_message_bar_show_error (CapraMessageBar *bar, const char *message);
void capra_message_bar_hide_error (CapraMessageBar *bar);

/* @choice: 0 for the first button, 1 for the second. The offer is hidden already. */
typedef void (*CapraMessageChosen) (guint choice, gpointer data);

/* @second: (nullable): %NULL for one button. @data must exist as long as the offer is shown. */
void capra_message_bar_show_choice (CapraMessageBar *bar, const char *message, const char *first, const char *second,
                                    CapraMessageChosen chosen, gpointer data);
void capra_message_bar_hide_choice (CapraMessageBar *bar);

G_END_DECLS
