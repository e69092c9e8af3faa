/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open-files: opens several files, one after the other. */
#include "ui/panel/window/open-files.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/window/file-kind.h"
#include "ui/panel/window/open-error.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/text/pipeline-xml.h"

#define MAX_MESSAGES 3 /* of files; others are counted */

/* Its references are those of the handlers of signals and of the file that is being read. */
typedef struct {
  GWeakRef document;
  GQueue files;       /* of GFile, that are not opened yet */
  GPtrArray *errors;  /* of messages */
  gboolean shown;     /* the window of the document has one of the files */
  gulong handlers[2]; /* of the document, until then */
  gint64 start;       /* of reading the file for another window, in real time */
} Opening;

static void
opening_clear (gpointer data)
{
  Opening *self = data;

  g_weak_ref_clear (&self->document);
  g_queue_clear_full (&self->files, g_object_unref);
  g_ptr_array_unref (self->errors);
}

static void
opening_unref (gpointer self)
{
  g_rc_box_release_full (self, opening_clear);
}

static void
closure_unref (gpointer self, GClosure *closure)
{
  opening_unref (self);
}

static void
add_error (Opening *self, GFile *file, const GError *error)
{
  g_ptr_array_add (self->errors, capra_open_error_describe (file, error));
}

static void
stop_watching (Opening *self, CapraDocument *document)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->handlers); i++)
    g_clear_signal_handler (&self->handlers[i], document);
}

/* All messages at once, since the start of another file hides them. */
static void
report_errors (Opening *self, CapraDocument *document)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = self->errors->len, left = n > MAX_MESSAGES ? n - MAX_MESSAGES : 0;

  for (guint i = 0; i < n - left; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (const char *) self->errors->pdata[i]);
  g_string_append (text, left > 0 ? "\n" : "");
  if (left > 0)
    g_string_append_printf (
      text, ngettext ("%u more file could not be opened.", "%u more files could not be opened.", left), left);
  if (n > 0)
    capra_document_report_failure (document, text->str);
}

static void open_next (Opening *self);

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  Opening *self = data;
  g_autoptr (CapraDocument) document = g_weak_ref_get (&self->document);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_frames_load_finish (result, &error);
  GFile *file = capra_frames_load_get_file (result);

  if (image && document)
    g_signal_emit_by_name (g_application_get_default (), "image-read", file, image, self->start);
  else if (!image)
    add_error (self, file, error);
  open_next (self);
  opening_unref (self);
}

/* A graph is read at once, before there is a window for it. */
static void
open_graph (Opening *self, CapraDocument *document, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = capra_steps_from_xml_file (file, &error);

  if (!steps)
    add_error (self, file, error);
  else if (self->shown)
    g_application_open (g_application_get_default (), &file, 1, "");
  else
    capra_document_open_graph (document, file);
  self->shown = self->shown || steps;
}

static void
open_image (Opening *self, CapraDocument *document, GFile *file)
{
  if (!self->shown)
    {
      capra_document_open (document, file); /* on_shown() or on_failed() */
      return;
    }
  self->start = g_get_real_time ();
  capra_frames_load_async (file, NULL, 0, capra_file_is_raw (file), NULL, on_loaded, g_rc_box_acquire (self));
}

static void
open_next (Opening *self)
{
  g_autoptr (CapraDocument) document = g_weak_ref_get (&self->document);
  g_autoptr (GFile) file = document ? g_queue_pop_head (&self->files) : NULL;

  while (file && capra_file_is_graph (file))
    {
      open_graph (self, document, file);
      g_object_unref (file);
      file = g_queue_pop_head (&self->files);
    }
  if (document && (self->shown || !file))
    stop_watching (self, document);
  if (file)
    open_image (self, document, file);
  else if (document)
    report_errors (self, document);
}

static void
on_shown (CapraDocument *document, GParamSpec *property, gpointer data)
{
  Opening *self = g_rc_box_acquire (data);

  self->shown = TRUE;
  stop_watching (self, document);
  open_next (self);
  opening_unref (self);
}

static void
on_failed (CapraDocument *document, const char *message, gpointer data)
{
  Opening *self = NULL;
  gboolean loading = FALSE;

  g_object_get (document, "loading", &loading, NULL);
  if (loading)
    return; /* a message of something else */
  self = g_rc_box_acquire (data);
  g_ptr_array_add (self->errors, g_strdup (message));
  open_next (self);
  opening_unref (self);
}

void
capra_open_files (CapraDocument *document, GSList *files)
{
  Opening *self = NULL;

  g_return_if_fail (CAPRA_IS_DOCUMENT (document) && files);
  if (!files->next)
    {
      capra_document_open (document, files->data);
      return;
    }
  self = g_rc_box_new0 (Opening);
  g_weak_ref_init (&self->document, document);
  g_queue_init (&self->files);
  self->errors = g_ptr_array_new_with_free_func (g_free);
  for (GSList *file = files; file; file = file->next)
    g_queue_push_tail (&self->files, g_object_ref (file->data));
  self->handlers[0] = g_signal_connect_data (document, "notify::image", G_CALLBACK (on_shown), g_rc_box_acquire (self),
                                             closure_unref, 0);
  self->handlers[1] = g_signal_connect_data (document, "failed", G_CALLBACK (on_failed), g_rc_box_acquire (self),
                                             closure_unref, 0);
  open_next (self);
  opening_unref (self);
}
