/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-action: the action of a window that applies its steps to many files. */
#include "ui/panel/batch/batch-action.h"

#include "ui/panel/batch/batch-window.h"
#include "ui/pipeline/graph/find-labels.h"

#define SOURCE "capra-batch-action"
#define PATIENCE 300 /* ms until the window opens without knowing whether the results consist of labels */

/* What the action works on; the window owns it. */
typedef struct {
  GtkWindow *window;
  CapraDocument *document;
  CapraTaskButton *tasks; /* in the window */
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  g_object_unref (source->document);
  g_free (source);
}

/* Numbers keep their range in TIFF files. */
static void
show (const Source *source, gboolean numbers)
{
  CapraBatchWindow *window = capra_batch_window_new (gtk_window_get_application (source->window),
                                                     capra_document_get_pipeline (source->document), source->tasks);

  capra_batch_window_set_names (window, numbers ? "{name}-capra.tif" : "{name}-capra.png");
  capra_batch_window_set_dataset (window, capra_document_get_chosen_dataset (source->document));
  gtk_window_present (GTK_WINDOW (window));
}

static void
on_labels_found (GObject *object, GAsyncResult *result, gpointer data)
{
  g_autoptr (GtkWindow) window = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (window))) /* it was not closed meanwhile */
    show (g_object_get_data (G_OBJECT (window), SOURCE), capra_find_labels_finish (result));
}

static void
on_apply_to_many (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Source *source = data;
  CapraStepModel *pipeline = capra_document_get_pipeline (source->document);
  GeglBuffer *image = capra_document_get_image (source->document);
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (pipeline);

  if (image && !capra_step_model_get_raw_values (pipeline))
    capra_find_labels_async (steps, image, PATIENCE, on_labels_found, g_object_ref (source->window));
  else
    show (source, capra_step_model_get_raw_values (pipeline));
}

static void
update (GSimpleAction *action, CapraStepModel *pipeline)
{
  g_simple_action_set_enabled (action, capra_step_model_get_length (pipeline) > 0);
}

void
capra_batch_action_add (GtkApplicationWindow *window, CapraDocument *document, CapraTaskButton *tasks)
{
  static const GActionEntry entry = { "apply-to-many", on_apply_to_many };
  CapraStepModel *pipeline = capra_document_get_pipeline (document);
  Source *source = g_new0 (Source, 1);
  GAction *action = NULL;

  source->window = GTK_WINDOW (window);
  source->document = g_object_ref (document);
  source->tasks = tasks;
  g_object_set_data_full (G_OBJECT (window), SOURCE, source, source_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), &entry, 1, source);
  action = g_action_map_lookup_action (G_ACTION_MAP (window), entry.name);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update), action, G_CONNECT_SWAPPED);
  update (G_SIMPLE_ACTION (action), pipeline);
}
