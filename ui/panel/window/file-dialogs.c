/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File-dialogs: the window's dialogs for opening and saving files. */
#include "ui/panel/window/file-dialogs.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "ui/panel/widgets/result-name.h"
#include "ui/pipeline/graph/find-labels.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/write/save.h"

#define CHOSEN "capra-chosen"
#define PREPARING "capra-preparing" /* set on a window whose dialog is about to open */
#define PATIENCE 300 /* ms until the dialog opens without knowing whether the result consists of labels */
#define BITS "bits"  /* the choice whose values capra_save() takes */

static void
on_response (GtkNativeDialog *dialog, int response, gpointer object)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;
  CapraFileChosen chosen = (CapraFileChosen) g_object_get_data (G_OBJECT (dialog), CHOSEN);

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  chosen (object, file);
}

static void
on_files_response (GtkNativeDialog *dialog, int response, gpointer object)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GListModel) files = NULL;
  CapraFilesChosen chosen = (CapraFilesChosen) g_object_get_data (G_OBJECT (dialog), CHOSEN);

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  chosen (object, files);
}

static void
on_save_response (GtkNativeDialog *dialog, int response, gpointer object)
{
  g_autoptr (GtkNativeDialog) owned = dialog;
  g_autoptr (GFile) file = NULL;
  CapraSaveChosen chosen = (CapraSaveChosen) g_object_get_data (G_OBJECT (dialog), CHOSEN);

  if (response != GTK_RESPONSE_ACCEPT)
    return;
  file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  chosen (object, file, atoi (gtk_file_chooser_get_choice (GTK_FILE_CHOOSER (dialog), BITS)));
}

static GtkFileChooserNative *
make_dialog (GtkWindow *parent, const char *title, GtkFileChooserAction action)
{
  gboolean save = action == GTK_FILE_CHOOSER_ACTION_SAVE;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, parent, action, save ? _ ("_Save") : _ ("_Open"),
                                                              _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  return dialog;
}

static void
show (GtkFileChooserNative *dialog, GCallback on_dialog_response, gpointer chosen, gpointer object)
{
  g_object_set_data (G_OBJECT (dialog), CHOSEN, chosen);
  g_signal_connect_object (dialog, "response", on_dialog_response, object, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

static void
add_filter (GtkFileChooserNative *dialog, const char *name, const char *type, const char *suffix)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, name);
  if (type)
    gtk_file_filter_add_mime_type (filter, type);
  if (suffix)
    gtk_file_filter_add_suffix (filter, suffix);
  if (!type && !suffix)
    gtk_file_filter_add_pattern (filter, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
}

GtkFileFilter *
capra_file_dialogs_image_filter_new (void)
{
  static const char *const suffixes[] = { "fits", "fit", "fts", "fits.fz", "fits.gz", "h5", "hdf5", "nxs" };
  GtkFileFilter *filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Images"));
  gtk_file_filter_add_mime_type (filter, "image/*");
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    gtk_file_filter_add_suffix (filter, suffixes[i]);
  return filter;
}

static void
add_image_filters (GtkFileChooserNative *dialog)
{
  g_autoptr (GtkFileFilter) filter = capra_file_dialogs_image_filter_new ();

  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  add_filter (dialog, _ ("All Files"), NULL, NULL);
}

void
capra_file_dialogs_open_image (GtkWindow *parent, CapraFileChosen chosen, gpointer object)
{
  GtkFileChooserNative *dialog = make_dialog (parent, _ ("Open an Image"), GTK_FILE_CHOOSER_ACTION_OPEN);

  add_image_filters (dialog);
  show (dialog, G_CALLBACK (on_response), chosen, object);
}

void
capra_file_dialogs_open_original (GtkWindow *parent, GFile *result, CapraFileChosen chosen, gpointer object)
{
  GtkFileChooserNative *dialog = make_dialog (parent, _ ("Choose the Original"), GTK_FILE_CHOOSER_ACTION_OPEN);
  g_autoptr (GFile) folder = g_file_get_parent (result);

  add_image_filters (dialog);
  if (folder)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  show (dialog, G_CALLBACK (on_response), chosen, object);
}

void
capra_file_dialogs_add_images (GtkWindow *parent, gboolean folders, CapraFilesChosen chosen, gpointer object)
{
  GtkFileChooserNative *dialog = make_dialog (parent, folders ? _ ("Add Folders") : _ ("Add Files"),
                                              folders ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
                                                      : GTK_FILE_CHOOSER_ACTION_OPEN);

  gtk_file_chooser_native_set_accept_label (dialog, _ ("_Add"));
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  if (!folders)
    add_image_filters (dialog);
  show (dialog, G_CALLBACK (on_files_response), chosen, object);
}

void
capra_file_dialogs_choose_folder (GtkWindow *parent, GFile *folder, CapraFileChosen chosen, gpointer object)
{
  GtkFileChooserNative *dialog = make_dialog (parent, _ ("Folder for the Results"),
                                              GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);

  if (folder)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  show (dialog, G_CALLBACK (on_response), chosen, object);
}

/* Without a filter, GTK's dialog shows an empty list of them beside a choice. */
static void
add_result_filters (GtkFileChooserNative *dialog, gboolean raw)
{
  const char *const *suffixes = capra_save_get_suffixes (raw);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

  gtk_file_filter_set_name (filter, _ ("Images"));
  for (guint i = 0; suffixes[i]; i++)
    gtk_file_filter_add_suffix (filter, suffixes[i]);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  add_filter (dialog, _ ("All Files"), NULL, NULL);
}

static void
show_graph_dialog (GtkFileChooserNative *dialog, CapraFileChosen chosen, gpointer object)
{
  add_filter (dialog, _ ("GEGL Graphs"), NULL, "xml");
  add_filter (dialog, _ ("All Files"), NULL, NULL);
  show (dialog, G_CALLBACK (on_response), chosen, object);
}

void
capra_file_dialogs_open_graph (GtkWindow *parent, CapraFileChosen chosen, gpointer object)
{
  show_graph_dialog (make_dialog (parent, _ ("Open a Graph"), GTK_FILE_CHOOSER_ACTION_OPEN), chosen, object);
}

void
capra_file_dialogs_save_graph (GtkWindow *parent, CapraFileChosen chosen, gpointer object)
{
  GtkFileChooserNative *dialog = make_dialog (parent, _ ("Save the Graph"), GTK_FILE_CHOOSER_ACTION_SAVE);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "graph.xml");
  show_graph_dialog (dialog, chosen, object);
}

/* How the values are written, for the formats that leave a choice. */
static void
add_bits (GtkFileChooser *chooser, GeglBuffer *image, gboolean regions)
{
  const char *bits[] = { "0", "8", "16", NULL };
  const char *labels[] = { _ ("Unchanged"), _ ("8 bits"), _ ("16 bits"), NULL };
  const char *region_bits[] = { "16", G_STRINGIFY (CAPRA_SAVE_COLORS), NULL };
  const char *region_labels[] = { _ ("Numbers (dark in image viewers)"), _ ("Colors"), NULL };
  gboolean bytes = babl_format_get_type (gegl_buffer_get_format (image), 0) == babl_type ("u8");
  const char *first = "16";

  if (capra_raw_values_get (image))
    {
      gtk_file_chooser_add_choice (chooser, BITS, _ ("Sample size"), bits, labels);
      first = "0";
    }
  else if (regions)
    gtk_file_chooser_add_choice (chooser, BITS, _ ("Regions in a PNG"), region_bits, region_labels);
  else
    {
      gtk_file_chooser_add_choice (chooser, BITS, _ ("PNG bit depth"), bits + 1, labels + 1);
      first = bytes ? "8" : "16";
    }
  gtk_file_chooser_set_choice (chooser, BITS, first);
}

/* A dialog that is about to open. */
typedef struct {
  GtkWindow *parent;
  GeglBuffer *image;
  GFile *source;
  CapraSaveChosen chosen;
  gpointer object;
} Request;

static void
request_free (Request *request)
{
  g_object_unref (request->parent);
  g_object_unref (request->image);
  g_clear_object (&request->source);
  g_object_unref (request->object);
  g_free (request);
}

static void
show_save_dialog (const Request *request, gboolean regions)
{
  gboolean raw = capra_raw_values_get (request->image) != NULL;
  g_autofree char *name = capra_result_name_suggest (request->source, raw ? "tif" : "png");
  g_autoptr (GFile) folder = request->source ? capra_result_name_suggest_folder (request->source) : NULL;
  GtkFileChooserNative *dialog = make_dialog (request->parent, _ ("Save the Result"), GTK_FILE_CHOOSER_ACTION_SAVE);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  gtk_file_chooser_set_current_name (chooser, name);
  add_result_filters (dialog, raw);
  if (folder)
    gtk_file_chooser_set_current_folder (chooser, folder, NULL);
  add_bits (chooser, request->image, regions);
  show (dialog, G_CALLBACK (on_save_response), request->chosen, request->object);
}

static void
on_labels_found (GObject *source, GAsyncResult *result, gpointer data)
{
  Request *request = data;

  g_object_set_data (G_OBJECT (request->parent), PREPARING, NULL);
  if (gtk_widget_get_mapped (GTK_WIDGET (request->parent))) /* it was not closed meanwhile */
    show_save_dialog (request, capra_find_labels_finish (result));
  request_free (request);
}

void
capra_file_dialogs_save_result (GtkWindow *parent, CapraDocument *document, CapraSaveChosen chosen, gpointer object)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_document_get_pipeline (document));
  GFile *source = capra_document_get_file (document);
  Request *request = NULL;

  if (g_object_get_data (G_OBJECT (parent), PREPARING))
    return;
  g_object_set_data (G_OBJECT (parent), PREPARING, GINT_TO_POINTER (TRUE));
  request = g_new0 (Request, 1);
  request->parent = g_object_ref (parent);
  request->image = g_object_ref (capra_document_get_image (document));
  request->source = source ? g_object_ref (source) : NULL;
  request->chosen = chosen;
  request->object = g_object_ref (object);
  capra_find_labels_async (steps, request->image, PATIENCE, on_labels_found, request);
}
