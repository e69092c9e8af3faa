/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copy-actions: actions of a window that copy its steps as text. */
#include "ui/panel/window/copy-actions.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/result-name.h"
#include "ui/pipeline/graph/find-labels.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/raw-mark.h"
#include "ui/pipeline/text/script-fu.h"
#include "ui/pipeline/text/shell-command.h"

/* What the actions of one window copy; the window owns it. */
typedef struct {
  GtkWindow *window;
  CapraDocument *document;
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  g_object_unref (source->document);
  g_free (source);
}

static GPtrArray *
get_steps (const Source *source)
{
  return capra_step_model_snapshot (capra_document_get_pipeline (source->document));
}

/* (nullable): the path of the image's file. */
static char *
get_path (const Source *source)
{
  GFile *file = capra_document_get_file (source->document);

  return file ? g_file_get_path (file) : NULL;
}

static void
copy (const Source *source, const char *text, const char *notice)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (source->window)), text);
  capra_document_report_notice (source->document, notice);
}

/* A command for the image's file. */
typedef struct {
  GtkApplicationWindow *window;
  const Source *source; /* of the window */
  GeglBuffer *image;
  GPtrArray *steps;
  char *path;
} Command;

static void
command_free (Command *command)
{
  g_object_unref (command->window);
  g_object_unref (command->image);
  g_ptr_array_unref (command->steps);
  g_free (command->path);
  g_free (command);
}

/* With the name of a new file for the result. */
static char *
make_command (const Command *command, gboolean labels)
{
  CapraDocument *document = command->source->document;
  g_autoptr (GFile) file = g_file_new_for_path (command->path);
  gboolean numbers = capra_steps_have_raw_values (command->steps) || labels;
  g_autofree char *output = capra_result_name_find_free (file, numbers ? "tif" : "png");
  g_autofree char *tables = capra_result_name_find_free (file, "csv");
  const char *dataset = capra_document_get_dataset (document);
  gboolean frames = dataset || capra_document_get_n_frames (document) > 1;
  CapraCommandFiles files = { command->path, output, tables, dataset,
                              frames ? (gint64) capra_document_get_frame (document) : -1 };

  return capra_steps_to_shell_command (command->steps, command->image, labels, &files);
}

static void
on_labels_found (GObject *object, GAsyncResult *result, gpointer data)
{
  Command *command = data;
  g_autofree char *text = make_command (command, capra_find_labels_finish (result));

  if (gtk_widget_get_realized (GTK_WIDGET (command->window))) /* it was not closed meanwhile */
    copy (command->source, text, _ ("Copied as a command"));
  command_free (command);
}

/* Without a file, only the steps. */
static void
on_copy_command (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Source *source = data;
  g_autoptr (GPtrArray) steps = get_steps (source);
  g_autofree char *path = get_path (source);
  Command *command = NULL;

  if (!path)
    {
      g_autofree char *text = capra_steps_to_command (steps);

      copy (source, text, _ ("Copied as arguments of a command"));
      return;
    }
  command = g_new0 (Command, 1);
  command->window = g_object_ref (GTK_APPLICATION_WINDOW (source->window));
  command->source = source;
  command->image = g_object_ref (capra_document_get_image (source->document));
  command->steps = g_ptr_array_ref (steps);
  command->path = g_steal_pointer (&path);
  capra_find_labels_async (steps, command->image, 0, on_labels_found, command);
}

static void
on_copy_script_fu (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Source *source = data;
  gboolean frames = capra_document_get_n_frames (source->document) > 1;
  g_autoptr (GPtrArray) steps = get_steps (source);
  g_autofree char *path = frames ? NULL : get_path (source); /* GIMP opens all frames, as layers or as images */
  g_autofree char *output = path ? capra_result_name_find_free (capra_document_get_file (source->document), "png")
                                 : NULL;
  g_autofree char *text = capra_steps_to_script_fu (steps, path, output, CAPRA_GIMP_VERSION);

  copy (source, text,
        frames ? _ ("Copied as a script for GIMP's active layer: open the file there, and choose its frame or page")
               : _ ("Copied as a script for GIMP"));
}

static void
on_copy_xml (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Source *source = data;
  g_autoptr (GPtrArray) steps = get_steps (source);
  g_autofree char *text = capra_steps_to_xml (steps);

  copy (source, text, _ ("Copied as XML"));
}

static void
set_enabled (GActionMap *map, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (map, name)), enabled);
}

/* GIMP's layers have colors, so that a script cannot work on raw values. */
static void
update (GActionMap *map, CapraStepModel *pipeline)
{
  gboolean steps = capra_step_model_get_length (pipeline) > 0;

  set_enabled (map, "copy-command", steps);
  set_enabled (map, "copy-script-fu", steps && !capra_step_model_get_raw_values (pipeline));
  set_enabled (map, "copy-xml", steps);
}

void
capra_copy_actions_add (GtkApplicationWindow *window, CapraDocument *document)
{
  static const GActionEntry entries[] = {
    { "copy-command", on_copy_command },
    { "copy-script-fu", on_copy_script_fu },
    { "copy-xml", on_copy_xml },
  };
  CapraStepModel *pipeline = capra_document_get_pipeline (document);
  Source *source = g_new0 (Source, 1);

  source->window = GTK_WINDOW (window);
  source->document = g_object_ref (document);
  g_object_set_data_full (G_OBJECT (window), "capra-copy-actions", source, source_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), source);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update), window, G_CONNECT_SWAPPED);
  update (G_ACTION_MAP (window), pipeline);
}
