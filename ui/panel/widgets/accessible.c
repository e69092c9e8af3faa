/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessible: accessible names that GTK 4.8 does not set itself. */
#include "ui/panel/widgets/accessible.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* (nullable): the button's label, if it has a mnemonic. */
static const char *
get_label (GtkWidget *button)
{
  GtkWidget *child = gtk_button_get_child (GTK_BUTTON (button));

  if (ADW_IS_BUTTON_CONTENT (child) && adw_button_content_get_use_underline (ADW_BUTTON_CONTENT (child)))
    return adw_button_content_get_label (ADW_BUTTON_CONTENT (child));
  return gtk_button_get_use_underline (GTK_BUTTON (button)) ? gtk_button_get_label (GTK_BUTTON (button)) : NULL;
}

static void
name_button (GtkWidget *button)
{
  const char *label = get_label (button);
  g_autofree char *name = NULL;

  if (label)
    {
      g_auto (GStrv) parts = g_strsplit (label, "_", -1);

      name = g_strjoinv ("", parts);
    }
  else if (gtk_widget_has_css_class (button, "close"))
    name = g_strdup (_ ("Close"));
  if (name)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
capra_accessible_name_buttons (GtkWidget *root)
{
  if (GTK_IS_BUTTON (root))
    name_button (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    capra_accessible_name_buttons (child);
}
