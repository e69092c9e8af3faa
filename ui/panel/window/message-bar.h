/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message-bar: an error, or an offer with a button, above the window's content. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraMessageBar:
 *
 * Signal "accepted": the button of an offer was clicked; the bar is hidden already.
 */
#define CAPRA_TYPE_MESSAGE_BAR (capra_message_bar_get_type ())
G_DECLARE_FINAL_TYPE (CapraMessageBar, capra_message_bar, CAPRA, MESSAGE_BAR, GtkWidget)

void capra_message_bar_show_error (CapraMessageBar *bar, const char *message);
void capra_message_bar_show_offer (CapraMessageBar *bar, const char *message, const char *button);
void capra_message_bar_hide (CapraMessageBar *bar);

G_END_DECLS
