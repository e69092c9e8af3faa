/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toast: short messages that the window shows where they cover no controls. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The action of windows that show toasts. Its parameter is the message. */
#define CAPRA_TOAST_ACTION "toast.show"

/* Shows @message, which is plain text, in the window of @widget. Does nothing in a window without the action. */
void capra_toast_show (GtkWidget *widget, const char *message);

G_END_DECLS
