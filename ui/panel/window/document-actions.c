/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Document-actions: actions of a window that change its document. */
#include "ui/panel/window/document-actions.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/window/file-dialogs.h"
#include "ui/panel/window/keywords-window.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/write/save.h"

/* What the actions of one window work on; the window owns it. */
typedef struct {
  GtkWindow *window;
  CapraDocument *document;
} Target;

static void
target_free (gpointer data)
{
  Target *target = data;

  g_object_unref (target->document);
  g_free (target);
}

static CapraStepModel *
get_pipeline (gpointer data)
{
  return capra_document_get_pipeline (((Target *) data)->document);
}

static void
open_image (gpointer document, GFile *file)
{
  capra_document_open (document, file);
}

static void
open_graph (gpointer document, GFile *file)
{
  capra_document_open_graph (document, file);
}

static void
save_graph (gpointer document, GFile *file)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (capra_document_get_pipeline (document));
  g_autofree char *xml = capra_steps_to_xml (steps);
  g_autoptr (GError) error = NULL;

  if (capra_save_text (file, xml, &error))
    {
      capra_document_mark_saved (document, steps);
      capra_document_report_notice (document, _ ("Graph saved"));
    }
  else
    capra_document_report_failure (document, error->message);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Target *target = data;

  capra_file_dialogs_open_image (target->window, open_image, target->document);
}

static void
on_open_graph (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Target *target = data;

  capra_file_dialogs_open_graph (target->window, open_graph, target->document);
}

static void
on_save_graph (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Target *target = data;

  capra_file_dialogs_save_graph (target->window, save_graph, target->document);
}

static void
on_undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  capra_step_model_undo (get_pipeline (data));
}

static void
on_redo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  capra_step_model_redo (get_pipeline (data));
}

static void
on_pasted (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraDocument) document = data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (text)
    capra_document_paste (document, text);
  else
    capra_document_report_failure (document, _ ("The clipboard contains no steps. Copy steps as text first."));
}

static void
on_paste (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Target *target = data;

  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (target->window)), NULL, on_pasted,
                                 g_object_ref (target->document));
}

static void
on_show_keywords (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Target *target = data;

  capra_keywords_window_show (target->window, capra_document_get_image (target->document),
                              capra_document_get_name (target->document));
}

/* The pipeline may change this, too: see update(). */
static void
on_raw_values (GSimpleAction *action, GVariant *value, gpointer data)
{
  g_simple_action_set_state (action, value);
  capra_step_model_set_raw_values (get_pipeline (data), g_variant_get_boolean (value));
}

static GSimpleAction *
find (GActionMap *map, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (map, name));
}

/* The actions follow the pipeline. */
static void
update (GActionMap *map, CapraStepModel *pipeline)
{
  g_simple_action_set_enabled (find (map, "save-graph"), capra_step_model_get_length (pipeline) > 0);
  g_simple_action_set_state (find (map, "data"), g_variant_new_boolean (capra_step_model_get_raw_values (pipeline)));
}

static void
on_image_changed (CapraDocument *document, GParamSpec *property, gpointer map)
{
  g_simple_action_set_enabled (find (map, "show-keywords"),
                               capra_keywords_window_can_show (capra_document_get_image (document)));
}

void
capra_document_actions_add (GtkApplicationWindow *window, CapraDocument *document, gboolean hosted)
{
  static const GActionEntry entries[] = {
    { "open", on_open },
    { "open-graph", on_open_graph },
    { "save-graph", on_save_graph },
    { "undo", on_undo },
    { "redo", on_redo },
    { "paste-steps", on_paste },
    { "data", NULL, NULL, "false", on_raw_values },
    { "show-keywords", on_show_keywords },
  };
  CapraStepModel *pipeline = capra_document_get_pipeline (document);
  GActionMap *map = G_ACTION_MAP (window);
  Target *target = g_new0 (Target, 1);

  target->window = GTK_WINDOW (window);
  target->document = g_object_ref (document);
  g_object_set_data_full (G_OBJECT (window), "capra-document-actions", target, target_free);
  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), target);
  g_simple_action_set_enabled (find (map, "open"), !hosted);
  g_simple_action_set_enabled (find (map, "data"), !hosted);
  g_object_bind_property (pipeline, "can-undo", find (map, "undo"), "enabled", G_BINDING_SYNC_CREATE);
  g_object_bind_property (pipeline, "can-redo", find (map, "redo"), "enabled", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update), window, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notify::image", G_CALLBACK (on_image_changed), window, 0);
  on_image_changed (document, NULL, map);
  update (map, pipeline);
}
