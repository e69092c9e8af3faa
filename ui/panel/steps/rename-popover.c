/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rename-popover: changes the name of a step. */
#include "ui/panel/steps/rename-popover.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define STEP "capra-step"

static void
on_activate (GtkEntry *entry, GtkPopover *popover)
{
  CapraStep *step = g_object_get_data (G_OBJECT (popover), STEP);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  gtk_popover_popdown (popover);
  capra_step_set_name (step, strcmp (text, gtk_entry_get_placeholder_text (entry)) == 0 ? NULL : text);
}

static void
on_map (GtkPopover *popover, GtkWidget *entry)
{
  g_autofree char *title = capra_step_dup_title (g_object_get_data (G_OBJECT (popover), STEP));

  gtk_editable_set_text (GTK_EDITABLE (entry), title);
  gtk_widget_grab_focus (entry);
  gtk_editable_select_region (GTK_EDITABLE (entry), 0, -1); /* what is typed replaces the name */
}

GtkWidget *
capra_rename_popover_new (CapraStep *step)
{
  GtkWidget *popover = g_object_new (GTK_TYPE_POPOVER, "accessible-role", GTK_ACCESSIBLE_ROLE_DIALOG, NULL);
  GtkWidget *entry = gtk_entry_new ();
  g_autofree char *operation = capra_operation_get_title (capra_step_get_operation (step));

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 24);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), operation);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Name of the step"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (popover), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Rename"), -1);
  gtk_popover_set_child (GTK_POPOVER (popover), entry);
  g_object_set_data_full (G_OBJECT (popover), STEP, g_object_ref (step), g_object_unref);
  g_signal_connect (entry, "activate", G_CALLBACK (on_activate), popover);
  g_signal_connect (popover, "map", G_CALLBACK (on_map), entry);
  return popover;
}
