/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table-export: tables of numbers to the clipboard and to files, as `capra run --tables` writes them. */
#include "ui/panel/widgets/table-export.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/result-name.h"
#include "ui/panel/widgets/toast.h"

static const struct {
  const char *title, *suffix;
} formats[] = { { N_ ("CSV"), "csv" }, { N_ ("JSON"), "json" }, { N_ ("NumPy array"), "npy" } };

#define WHOLE "whole" /* a choice of the dialog */

/* What a dialog saves. */
typedef struct {
  GtkWidget *widget;         /* weak */
  CapraTable *table, *whole; /* the second may be NULL */
  CapraTableFailed failed;
} Request;

static void
request_free (gpointer data, GClosure *closure)
{
  Request *request = data;

  g_clear_weak_pointer (&request->widget);
  capra_table_unref (request->table);
  g_clear_pointer (&request->whole, capra_table_unref);
  g_free (request);
}

/* "8 rows, 5 columns" */
static char *
describe_size (CapraTable *table)
{
  guint n_rows = (guint) capra_table_get_rows (table), n_columns = capra_table_get_columns (table);
  g_autofree char *rows = g_strdup_printf (ngettext ("%u row", "%u rows", n_rows), n_rows);
  g_autofree char *columns = g_strdup_printf (ngettext ("%u column", "%u columns", n_columns), n_columns);

  return g_strdup_printf ("%s, %s", rows, columns);
}

void
capra_table_export_copy (GtkWidget *widget, CapraTable *table)
{
  g_autofree char *text = capra_table_to_tsv (table), *size = describe_size (table);
  /* Translators: %s is such as "8 rows, 5 columns". */
  g_autofree char *message = g_strdup_printf (_ ("Copied as text: %s"), size);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  capra_toast_show (widget, message);
}

void
capra_table_export_write (GtkWidget *widget, CapraTable *table, GFile *file, CapraTableFailed failed)
{
  const char *path = g_file_peek_path (file);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file), *size = describe_size (table), *message = NULL;

  if (!path)
    {
      failed (widget, _ ("Only local files can be written"));
      return;
    }
  if (!capra_table_save (table, path, &error))
    {
      failed (widget, error->message);
      return;
    }
  message = g_strdup_printf (_ ("Saved as %s: %s"), name, size);
  capra_toast_show (widget, message);
}

static void
on_response (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  const Request *request = data;
  g_autoptr (GFile) file = NULL;
  const char *whole = NULL;

  if (response != GTK_RESPONSE_ACCEPT || !request->widget)
    return;
  whole = request->whole ? gtk_file_chooser_get_choice (GTK_FILE_CHOOSER (dialog), WHOLE) : NULL;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  capra_table_export_write (request->widget, g_strcmp0 (whole, "true") == 0 ? request->whole : request->table, file,
                            request->failed);
}

/* The name ends as the chosen format wants. */
static void
on_filter_changed (GtkFileChooser *chooser)
{
  GtkFileFilter *filter = gtk_file_chooser_get_filter (chooser);
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser), *changed = NULL;
  const char *dot = name ? strrchr (name, '.') : NULL;

  for (guint i = 0; filter && name && i < G_N_ELEMENTS (formats); i++)
    if (g_strcmp0 (gtk_file_filter_get_name (filter), _ (formats[i].title)) == 0)
      {
        changed = g_strdup_printf ("%.*s.%s", (int) (dot ? dot - name : (gssize) strlen (name)), name,
                                   formats[i].suffix);
        gtk_file_chooser_set_current_name (chooser, changed);
      }
}

void
capra_table_export_save (GtkWidget *widget, CapraTable *table, CapraTable *whole, GFile *source, const char *what,
                         CapraTableFailed failed)
{
  GtkWindow *parent = GTK_WINDOW (gtk_widget_get_root (widget));
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Save the Table"), parent,
                                                              GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  g_autofree char *first = capra_result_name_suggest_table (source, what, formats[0].suffix);
  g_autoptr (GFile) folder = source ? capra_result_name_suggest_folder (source) : NULL;
  Request *request = g_new (Request, 1);

  *request = (Request){ NULL, capra_table_ref (table), whole ? capra_table_ref (whole) : NULL, failed };
  g_set_weak_pointer (&request->widget, widget);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

      gtk_file_filter_set_name (filter, _ (formats[i].title));
      gtk_file_filter_add_suffix (filter, formats[i].suffix);
      gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
    }
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), first);
  if (folder)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  if (whole)
    gtk_file_chooser_add_choice (GTK_FILE_CHOOSER (dialog), WHOLE, _ ("All rows and columns"), NULL, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), request, request_free, 0);
  g_signal_connect (dialog, "notify::filter", G_CALLBACK (on_filter_changed), NULL);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
