/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-open: opens results of a batch, and their tables. */
#include "ui/panel/batch/batch-open.h"

/* In a new window of the panel. */
static void
open_result (GtkWidget *window, GFile *file)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (window));

  if (application)
    g_application_open (G_APPLICATION (application), &file, 1, "");
}

static void
on_open_result (GtkWidget *window, const char *action, GVariant *uri)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (uri, NULL));

  open_result (window, file);
}

/* In the application for such files. */
static void
on_open_table (GtkWidget *window, const char *action, GVariant *uri)
{
  gtk_show_uri (GTK_WINDOW (window), g_variant_get_string (uri, NULL), GDK_CURRENT_TIME);
}

void
capra_batch_open_item (GtkWidget *window, CapraBatchItem *item)
{
  g_autoptr (GFile) file = NULL;

  if (capra_batch_item_get_state (item) != CAPRA_BATCH_DONE)
    return;
  file = g_file_new_for_path (capra_batch_item_get_output (item));
  open_result (window, file);
}

void
capra_batch_open_install (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "batch.open-result", "s", on_open_result);
  gtk_widget_class_install_action (klass, "batch.open-table", "s", on_open_table);
}
