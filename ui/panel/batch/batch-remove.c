/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-remove: removes single files from the list of a batch. */
#include "ui/panel/batch/batch-remove.h"

#include "ui/panel/batch/batch-item.h"

#define ACTION "batch.remove"

/* (nullable): the button that removes the file of this row, which is the last widget in it. */
static GtkWidget *
find_button (GtkWidget *row)
{
  GtkWidget *child = gtk_widget_get_first_child (row), *button = child ? gtk_widget_get_last_child (child) : NULL;
  const char *action = GTK_IS_ACTIONABLE (button) ? gtk_actionable_get_action_name (GTK_ACTIONABLE (button)) : NULL;

  return g_strcmp0 (action, ACTION) == 0 ? button : NULL;
}

/* The row after that of the file gets the focus, or the one before it: GTK would give it to a button in a row. */
static void
focus_other (GtkWidget *row)
{
  GtkWidget *other = gtk_widget_get_next_sibling (row);

  if (!other)
    other = gtk_widget_get_prev_sibling (row);
  if (other)
    gtk_widget_grab_focus (other);
}

/* GTK does not say which position the row with the focus has. */
static gboolean
on_delete_key (GtkWidget *window, GVariant *arguments, gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window)), *button = NULL;

  while (focus && !GTK_IS_LIST_VIEW (gtk_widget_get_parent (focus)))
    focus = gtk_widget_get_parent (focus);
  button = focus ? find_button (focus) : NULL;
  if (!button || !gtk_widget_is_sensitive (button))
    return FALSE;
  focus_other (focus);
  return gtk_widget_activate_action_variant (window, ACTION,
                                             gtk_actionable_get_action_target_value (GTK_ACTIONABLE (button)));
}

void
capra_batch_remove_install (GtkWidgetClass *klass, GtkWidgetActionActivateFunc remove)
{
  gtk_widget_class_install_action (klass, ACTION, "s", remove);
  gtk_widget_class_add_binding (klass, GDK_KEY_Delete, 0, on_delete_key, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_Delete, 0, on_delete_key, NULL);
}

void
capra_batch_remove_uri (GListStore *items, const char *uri)
{
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (items)); i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (G_LIST_MODEL (items), i);

      if (g_strcmp0 (capra_batch_item_get_path (item), path) == 0)
        {
          g_list_store_remove (items, i);
          return;
        }
    }
}
