/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessible: accessible names and actions that GTK 4.8 does not set itself. */
#include "ui/panel/widgets/accessible.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define COMPLETED_KEY "capra-accessible"

/* (nullable): the text of @child, a label with a mnemonic or a box with an image and one. */
static const char *
get_child_label (GtkWidget *child)
{
  if (GTK_IS_BOX (child))
    child = gtk_widget_get_last_child (child);
  return GTK_IS_LABEL (child) && gtk_label_get_use_underline (GTK_LABEL (child))
           ? gtk_label_get_label (GTK_LABEL (child))
           : NULL;
}

/* (nullable): the button's label, if it has a mnemonic. */
static const char *
get_label (GtkWidget *button)
{
  GtkWidget *child = NULL;

  if (GTK_IS_MENU_BUTTON (button) && gtk_menu_button_get_child (GTK_MENU_BUTTON (button)))
    return get_child_label (gtk_menu_button_get_child (GTK_MENU_BUTTON (button)));
  if (GTK_IS_MENU_BUTTON (button))
    return gtk_menu_button_get_use_underline (GTK_MENU_BUTTON (button))
             ? gtk_menu_button_get_label (GTK_MENU_BUTTON (button))
             : NULL;
  child = gtk_button_get_child (GTK_BUTTON (button));
  if (get_child_label (child))
    return get_child_label (child);
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
  if (!name)
    return;
  /* The name would be said twice. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* What a drop-down and its button show is not in their name. */
static void
describe_choice (GtkDropDown *drop_down, GParamSpec *property, GtkWidget *button)
{
  gpointer item = gtk_drop_down_get_selected_item (drop_down);
  const char *chosen = GTK_IS_STRING_OBJECT (item) ? gtk_string_object_get_string (item) : "";

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, chosen, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, chosen, -1);
}

/* The button inside takes the focus, and gets the name of the whole. GTK 4.18 takes the chosen item as the name of a
 * drop-down, even if it has a label that tells what is chosen. */
static void
name_inner_button (GtkWidget *outer, GtkWidget *button)
{
  if (!button || g_object_get_data (G_OBJECT (button), COMPLETED_KEY))
    return;
  g_object_set_data (G_OBJECT (button), COMPLETED_KEY, GINT_TO_POINTER (TRUE));
  if (GTK_IS_DROP_DOWN (outer))
    gtk_accessible_reset_relation (GTK_ACCESSIBLE (outer), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_LABELLED_BY, outer, NULL, -1);
  if (!GTK_IS_DROP_DOWN (outer))
    return;
  g_signal_connect (outer, "notify::selected-item", G_CALLBACK (describe_choice), button);
  describe_choice (GTK_DROP_DOWN (outer), NULL, button);
}

/* A list inside of a row, a group or a table has the name of that. libadwaita names the list of a group with a title.
 */
static void
name_list (GtkWidget *list)
{
  GtkWidget *outer = gtk_widget_get_parent (list);

  while (outer && !ADW_IS_PREFERENCES_ROW (outer) && !ADW_IS_PREFERENCES_GROUP (outer) && !GTK_IS_COLUMN_VIEW (outer))
    outer = gtk_widget_get_parent (outer);
  if (outer
      && !(ADW_IS_PREFERENCES_GROUP (outer)
           && *adw_preferences_group_get_title (ADW_PREFERENCES_GROUP (outer)) != '\0'))
    gtk_accessible_update_relation (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_RELATION_LABELLED_BY, outer, NULL, -1);
}

static void
on_activate (GSimpleAction *action, GVariant *parameter, gpointer check)
{
  gtk_widget_activate (check);
}

/* What screen readers and voice control call: GTK 4.8 offers them actions of buttons and switches, and the actions that
 * a widget has itself, but none of check buttons. */
static void
add_action (GtkWidget *check)
{
  static const GActionEntry entry = { "activate", on_activate };
  g_autoptr (GSimpleActionGroup) group = NULL;

  if (g_object_get_data (G_OBJECT (check), COMPLETED_KEY))
    return;
  g_object_set_data (G_OBJECT (check), COMPLETED_KEY, GINT_TO_POINTER (TRUE));
  group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (group), &entry, 1, check);
  gtk_widget_insert_action_group (check, "check", G_ACTION_GROUP (group));
}

void
capra_accessible_complete (GtkWidget *root)
{
  if (GTK_IS_LIST_BOX (root) || (GTK_IS_LIST_VIEW (root) && GTK_IS_COLUMN_VIEW (gtk_widget_get_parent (root))))
    name_list (root);
  if (GTK_IS_CHECK_BUTTON (root))
    add_action (root);
  if (GTK_IS_BUTTON (root) || GTK_IS_MENU_BUTTON (root))
    name_button (root);
  if (GTK_IS_MENU_BUTTON (root) || GTK_IS_DROP_DOWN (root))
    name_inner_button (root, gtk_widget_get_first_child (root));
  else if (GTK_IS_EXPANDER (root) && !gtk_expander_get_expanded (GTK_EXPANDER (root)))
    capra_accessible_complete (gtk_expander_get_child (GTK_EXPANDER (root))); /* it is outside of the tree */
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    capra_accessible_complete (child);
}
