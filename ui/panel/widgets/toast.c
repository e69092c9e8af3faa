/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toast: short messages that the window shows where they cover no controls. */
#include "ui/panel/widgets/toast.h"

void
capra_toast_show (GtkWidget *widget, const char *message)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  gtk_widget_activate_action (widget, CAPRA_TOAST_ACTION, "s", message);
}
