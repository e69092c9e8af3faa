/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start-actions: opens the image in the clipboard, files that are dropped on a window, or a sample image. */
#include "ui/panel/window/start-actions.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/shortcuts.h"
#include "ui/panel/window/open-files.h"
#include "ui/panel/window/pasted-image.h"
#include "ui/panel/window/sample-images.h"
#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-text.h"

/* Whether the clipboard offers an image, even if it cannot be read. */
static gboolean
offers_image (GdkClipboard *clipboard)
{
  gsize n = 0;
  const char *const *types = gdk_content_formats_get_mime_types (gdk_clipboard_get_formats (clipboard), &n);

  for (gsize i = 0; i < n; i++)
    if (g_str_has_prefix (types[i], "image/"))
      return TRUE;
  return FALSE;
}

/* What the clipboard has instead of an image: steps have another key. */
static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraDocument) document = data;
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
  g_autoptr (GPtrArray) steps = text ? capra_steps_from_text (text, NULL) : NULL;
  g_autofree char *key = capra_shortcuts_dup_label ("win.paste-steps");
  /* Translators: %s is a key, such as Ctrl+Shift+V. */
  g_autofree char *message = g_strdup_printf (_ ("The clipboard contains steps, not an image. Press %s to paste them."),
                                              key);

  capra_document_report_failure (document, steps && steps->len > 0
                                             ? message
                                             : _ ("The clipboard contains no image. Copy an image or a file first."));
}

static void
on_image (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraDocument) document = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GeglBuffer) image = capra_pasted_image_read_finish (result, &error);

  if (image)
    capra_document_set_image (document, image, _ ("Pasted image"));
  else if (offers_image (GDK_CLIPBOARD (clipboard)))
    {
      g_autofree char *message = g_strdup_printf (_ ("The image in the clipboard could not be read. %s"),
                                                  error->message);

      capra_document_report_failure (document, message);
    }
  else
    gdk_clipboard_read_text_async (GDK_CLIPBOARD (clipboard), NULL, on_text, g_steal_pointer (&document));
}

static void
on_files (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraDocument) document = data;
  g_autoptr (GError) error = NULL;
  const GValue *value = gdk_clipboard_read_value_finish (GDK_CLIPBOARD (clipboard), result, &error);
  GSList *files = value ? g_value_get_boxed (value) : NULL;

  if (files)
    capra_open_files (document, files);
  else
    capra_document_report_failure (document, error ? error->message : _ ("The clipboard contains no file"));
}

static void
on_paste_image (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraDocument *document = data;
  GdkClipboard *clipboard = gdk_display_get_clipboard (gdk_display_get_default ());

  if (gdk_content_formats_contain_gtype (gdk_clipboard_get_formats (clipboard), GDK_TYPE_FILE_LIST))
    gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT, NULL, on_files,
                                    g_object_ref (document));
  else
    capra_pasted_image_read_async (clipboard, on_image, g_object_ref (document));
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, gpointer document)
{
  GSList *files = g_value_get_boxed (value);

  if (files)
    capra_open_files (document, files);
  return files != NULL;
}

void
capra_start_actions_accept_files (GtkWidget *widget, CapraDocument *document)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  gtk_widget_add_css_class (widget, "capra-drop");
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), document);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drop));
}

/* Without one of the operations, the image is shown without steps. */
static void
on_open_sample (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  CapraDocument *document = data;
  const char *name = g_variant_get_string (parameter, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = capra_sample_image_make (name, &error);
  g_autoptr (GPtrArray) steps = NULL;
  CapraSampleImage *sample;

  for (guint i = 0; file && !steps && (sample = capra_sample_image_get (i)); i++)
    {
      if (g_str_equal (sample->name, name))
        steps = capra_steps_from_command (sample->command, &error);
      g_free (sample);
    }
  if (steps)
    capra_step_model_replace (capra_document_get_pipeline (document), steps);
  if (file)
    capra_document_open (document, file);
  if (error)
    capra_document_report_failure (document, error->message);
}

void
capra_start_actions_add (GtkApplicationWindow *window, CapraDocument *document)
{
  static const GActionEntry entries[] = {
    { "paste-image", on_paste_image },
    { "open-sample", on_open_sample, "s" },
  };
  GtkEventController *keys = gtk_shortcut_controller_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), document);
  /* Not an accelerator of the application, which would take the key from texts. */
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_v, GDK_CONTROL_MASK), gtk_named_action_new ("win.paste-image")));
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
}
