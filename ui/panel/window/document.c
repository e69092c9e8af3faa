/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Document: a window's image and pipeline, and the files that they are read from. */
#include "ui/panel/window/document.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/window/file-kind.h"
#include "ui/panel/window/open-error.h"
#include "ui/pipeline/read/frames.h"
#include "ui/pipeline/read/original.h"
#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/error.h"
#include "ui/pipeline/text/pipeline-text.h"
#include "ui/pipeline/text/pipeline-xml.h"

struct _CapraDocument {
  GObject parent_instance;
  CapraStepModel *pipeline;
  GeglBuffer *image;
  GFile *file; /* of the image; NULL within a host */
  guint64 frame, n_frames;
  CapraFramesKind frames_kind;
  char *dataset, **datasets; /* of the file; NULL for a file without a choice */
  gboolean is_default;       /* nobody has chosen the data set */
  char *name;
  GCancellable *loading; /* while an image is being read */
  GFile *opening;        /* the file that is being read, or that could not be read */
  gboolean opening_raw;  /* whether it is read as raw values */
  guint64 opening_frame;
  char *opening_dataset; /* NULL for the first */
  gint64 opening_at;     /* in real time */
  GPtrArray *pending;    /* steps that replace the others when the file is read; NULL for none */
  char *saved;           /* the steps that were saved last, as XML; NULL for none */
  gboolean closed;
};

G_DEFINE_FINAL_TYPE (CapraDocument, capra_document, G_TYPE_OBJECT)

enum { PROP_IMAGE = 1, PROP_LOADING, N_PROPERTIES };
enum { FAILED, NOTICE, STARTED, STEPS_OFFERED, N_SIGNALS };

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

void
capra_document_report_notice (CapraDocument *self, const char *message)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  g_signal_emit (self, signals[NOTICE], 0, message);
}

void
capra_document_report_failure (CapraDocument *self, const char *message)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  g_signal_emit (self, signals[FAILED], 0, message);
}

static void
report_unreadable (CapraDocument *self, GFile *file, const GError *error)
{
  g_autofree char *message = capra_open_error_describe (file, error);

  capra_document_report_failure (self, message);
}

static void
set_image (CapraDocument *self, GeglBuffer *image, GFile *file, const char *name)
{
  g_set_object (&self->image, image);
  g_set_object (&self->file, file);
  g_free (self->name);
  self->name = g_strdup (name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IMAGE]);
}

static void
set_loading (CapraDocument *self, GCancellable *cancellable)
{
  if (self->loading)
    g_cancellable_cancel (self->loading);
  g_set_object (&self->loading, cancellable);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
}

/* Removes the steps of the window, which undoing brings back, if they are @steps, with which the image was made: they
 * are not run on their own result unless the user asks for that. */
static void
remove_own_steps (CapraDocument *self, GPtrArray *steps)
{
  g_autoptr (GPtrArray) own = capra_step_model_snapshot (self->pipeline), none = NULL;
  g_autofree char *own_text = capra_steps_to_xml (own), *text = capra_steps_to_xml (steps);

  if (strcmp (own_text, text) != 0)
    return;
  none = g_ptr_array_new_with_free_func (g_object_unref);
  capra_step_model_replace (self->pipeline, none);
}

/* Steps that are waiting for their image, or else those that the image contains. */
static void
take_steps (CapraDocument *self, CapraImage *image)
{
  g_autoptr (GPtrArray) steps = g_steal_pointer (&self->pending);

  if (steps)
    {
      capra_step_model_replace (self->pipeline, steps);
      capra_document_mark_saved (self, steps);
      return;
    }
  steps = image->graph ? capra_steps_from_xml (image->graph, NULL) : NULL;
  if (!steps || steps->len == 0)
    return;
  remove_own_steps (self, steps);
  g_signal_emit (self, signals[STEPS_OFFERED], 0, steps);
}

static void
set_datasets (CapraDocument *self, const char *dataset, gboolean is_default, char **datasets)
{
  g_free (self->dataset);
  g_strfreev (self->datasets);
  self->dataset = g_strdup (dataset);
  self->datasets = g_strdupv (datasets);
  self->is_default = is_default;
}

static void
take_image (CapraDocument *self, GFile *file, CapraImage *image)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *warning = image->warning ? g_strdup_printf ("%s: %s", name, image->warning) : NULL;

  capra_original_mark (image->buffer, file, image->dataset, self->opening_frame, self->opening_at);
  set_datasets (self, image->dataset, image->is_default, image->datasets);
  self->frame = self->opening_frame;
  self->n_frames = image->frames;
  self->frames_kind = image->kind;
  set_image (self, image->buffer, file, name);
  if (warning)
    capra_document_report_notice (self, warning);
  take_steps (self, image);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraDocument) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraImage) image = capra_frames_load_finish (result, &error);
  GFile *file = capra_frames_load_get_file (result);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->closed)
    return; /* another file is being opened, or the window was closed */
  g_clear_object (&self->loading);
  if (image || self->image)
    g_clear_object (&self->opening); /* else it is the only file that can be restored */
  if (image)
    take_image (self, file, image);
  else if (self->image && self->file) /* the previous image remains */
    capra_step_model_set_raw_values (self->pipeline, capra_raw_values_get (self->image) != NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LOADING]);
  if (!image)
    report_unreadable (self, file, error);
}

void
capra_document_open_graph (CapraDocument *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) steps = NULL;

  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  steps = capra_steps_from_xml_file (file, &error);
  if (!steps)
    {
      report_unreadable (self, file, error);
      return;
    }
  g_signal_emit (self, signals[STARTED], 0);
  capra_step_model_replace (self->pipeline, steps);
  capra_document_mark_saved (self, steps);
}

void
capra_document_show (CapraDocument *self, GFile *file, CapraImage *image, gint64 start)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  self->opening_frame = 0;
  self->opening_at = start;
  capra_step_model_set_raw_values (self->pipeline, capra_raw_values_get (image->buffer) != NULL);
  take_image (self, file, image);
}

void
capra_document_open_frame (CapraDocument *self, GFile *file, const char *dataset, guint64 frame)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  g_set_object (&self->opening, file);
  self->opening_frame = frame;
  g_free (self->opening_dataset);
  self->opening_dataset = g_strdup (dataset);
  self->opening_at = g_get_real_time ();
  g_clear_pointer (&self->pending, g_ptr_array_unref);
  set_loading (self, cancellable);
  g_signal_emit (self, signals[STARTED], 0);
  if (capra_file_is_raw (file))
    capra_step_model_set_raw_values (self->pipeline, TRUE);
  self->opening_raw = capra_step_model_get_raw_values (self->pipeline);
  capra_frames_load_async (file, dataset, (gint64) frame, self->opening_raw, self->loading, on_loaded,
                           g_object_ref (self));
}

void
capra_document_open (CapraDocument *self, GFile *file)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  if (capra_file_is_graph (file))
    capra_document_open_graph (self, file);
  else
    capra_document_open_frame (self, file, NULL, 0);
}

void
capra_document_set_frame (CapraDocument *self, guint64 frame)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  if (self->file && frame < self->n_frames && frame != capra_document_get_frame (self))
    capra_document_open_frame (self, self->file, capra_document_get_chosen_dataset (self), frame);
}

void
capra_document_set_dataset (CapraDocument *self, const char *dataset)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  if (self->file && g_strcmp0 (dataset, capra_document_get_dataset (self)) != 0)
    capra_document_open_frame (self, self->file, dataset, 0);
}

/* Reads the image again if the pipeline changed from colors to raw values or back. */
static void
on_pipeline_changed (CapraDocument *self)
{
  gboolean raw = capra_step_model_get_raw_values (self->pipeline);
  guint64 frame = capra_document_get_frame (self);
  g_autofree char *dataset = g_strdup (capra_document_get_chosen_dataset (self));
  g_autoptr (GFile) file = NULL;

  if (self->loading && self->opening)
    {
      if (raw != self->opening_raw)
        file = g_object_ref (self->opening);
    }
  else if (self->image && self->file && raw != (capra_raw_values_get (self->image) != NULL))
    file = g_object_ref (self->file);
  if (file)
    capra_document_open_frame (self, file, dataset, frame);
}

void
capra_document_paste (CapraDocument *self, const char *text)
{
  g_autoptr (GPtrArray) steps = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  if (self->closed)
    return;
  g_signal_emit (self, signals[STARTED], 0);
  steps = capra_steps_from_text (text, &error);
  if (steps)
    capra_step_model_replace (self->pipeline, steps);
  else if (g_error_matches (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_UNKNOWN))
    {
      /* Translators: %s is the message "Unknown operation…"; "Add Step" is the button. */
      g_autofree char *message = g_strdup_printf (_ ("%s. “Add Step” lists all operations."), error->message);

      capra_document_report_failure (self, message);
    }
  else
    capra_document_report_failure (self, error->message);
}

void
capra_document_open_with_steps (CapraDocument *self, GFile *file, const char *dataset, guint64 frame, GPtrArray *steps)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  capra_document_open_frame (self, file, dataset, frame);
  self->pending = g_ptr_array_ref (steps);
}

void
capra_document_mark_saved (CapraDocument *self, GPtrArray *steps)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  g_free (self->saved);
  self->saved = steps->len > 0 ? capra_steps_to_xml (steps) : NULL;
}

static CapraWindowState *
make_state (CapraDocument *self, const char *steps, gboolean unsaved)
{
  GFile *file = self->opening ? self->opening : self->file;
  CapraWindowState *state = g_new0 (CapraWindowState, 1);

  state->image = file ? g_file_get_uri (file) : NULL;
  state->dataset = g_strdup (self->opening ? self->opening_dataset : capra_document_get_chosen_dataset (self));
  state->frame = self->opening ? self->opening_frame : self->frame;
  state->steps = g_strdup (steps);
  state->unsaved = unsaved;
  return state;
}

void
capra_document_add_states (CapraDocument *self, const char *kept, GPtrArray *states)
{
  g_autoptr (GPtrArray) steps = NULL;
  g_autofree char *xml = NULL;

  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  steps = capra_step_model_snapshot (self->pipeline);
  xml = steps->len > 0 ? capra_steps_to_xml (steps) : NULL;
  if (xml || !kept)
    g_ptr_array_add (states, make_state (self, xml, xml && g_strcmp0 (xml, self->saved) != 0));
  if (kept)
    g_ptr_array_add (states, make_state (self, kept, TRUE));
}

void
capra_document_set_image (CapraDocument *self, GeglBuffer *image, const char *name)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  if (self->closed)
    return;
  set_loading (self, NULL);
  g_clear_object (&self->opening);
  self->frame = 0;
  self->n_frames = 1;
  set_datasets (self, NULL, FALSE, NULL);
  g_signal_emit (self, signals[STARTED], 0);
  capra_step_model_set_raw_values (self->pipeline, FALSE);
  set_image (self, image, NULL, name);
}

CapraStepModel *
capra_document_get_pipeline (CapraDocument *self)
{
  return self->pipeline;
}

GeglBuffer *
capra_document_get_image (CapraDocument *self)
{
  return self->image;
}

GFile *
capra_document_get_file (CapraDocument *self)
{
  return self->file;
}

const char *
capra_document_get_name (CapraDocument *self)
{
  return self->name;
}

guint64
capra_document_get_frame (CapraDocument *self)
{
  return self->loading && self->opening ? self->opening_frame : self->frame;
}

guint64
capra_document_get_n_frames (CapraDocument *self)
{
  return self->n_frames;
}

const char *
capra_document_get_dataset (CapraDocument *self)
{
  return self->loading && self->opening ? self->opening_dataset : self->dataset;
}

const char *
capra_document_get_chosen_dataset (CapraDocument *self)
{
  return self->is_default && !self->loading ? NULL : capra_document_get_dataset (self);
}

char **
capra_document_get_datasets (CapraDocument *self)
{
  return self->datasets;
}

CapraFramesKind
capra_document_get_frames_kind (CapraDocument *self)
{
  return self->frames_kind;
}

char *
capra_document_dup_loading_name (CapraDocument *self)
{
  gboolean other_frame = self->file && self->opening && g_file_equal (self->file, self->opening)
                         && (self->frame != self->opening_frame
                             || g_strcmp0 (self->dataset, self->opening_dataset) != 0);

  /* The view keeps a frame until the next one is read. */
  return self->loading && self->opening && !other_frame ? g_file_get_basename (self->opening) : NULL;
}

void
capra_document_close (CapraDocument *self)
{
  g_return_if_fail (CAPRA_IS_DOCUMENT (self));
  self->closed = TRUE;
  if (self->loading)
    g_cancellable_cancel (self->loading);
}

static void
capra_document_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraDocument *self = CAPRA_DOCUMENT (object);

  switch (id)
    {
    case PROP_IMAGE: g_value_set_object (value, self->image); break;
    case PROP_LOADING: g_value_set_boolean (value, self->loading != NULL); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_document_finalize (GObject *object)
{
  CapraDocument *self = CAPRA_DOCUMENT (object);

  g_clear_object (&self->pipeline);
  g_clear_object (&self->image);
  g_clear_object (&self->file);
  g_clear_object (&self->loading);
  g_clear_object (&self->opening);
  g_clear_pointer (&self->pending, g_ptr_array_unref);
  set_datasets (self, NULL, FALSE, NULL);
  g_free (self->opening_dataset);
  g_free (self->name);
  g_free (self->saved);
  G_OBJECT_CLASS (capra_document_parent_class)->finalize (object);
}

static guint
add_signal (const char *name, guint n_parameters)
{
  return g_signal_new (name, CAPRA_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, n_parameters,
                       G_TYPE_STRING);
}

static void
capra_document_class_init (CapraDocumentClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = capra_document_finalize;
  object_class->get_property = capra_document_get_property;
  properties[PROP_IMAGE] = g_param_spec_object ("image", NULL, NULL, GEGL_TYPE_BUFFER,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  signals[FAILED] = add_signal ("failed", 1);
  signals[NOTICE] = add_signal ("notice", 1);
  signals[STARTED] = add_signal ("started", 0);
  signals[STEPS_OFFERED] = g_signal_new ("steps-offered", CAPRA_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_PTR_ARRAY);
}

static void
capra_document_init (CapraDocument *self)
{
  self->pipeline = capra_step_model_new ();
  g_signal_connect_object (self->pipeline, "changed", G_CALLBACK (on_pipeline_changed), self, G_CONNECT_SWAPPED);
}

CapraDocument *
capra_document_new (void)
{
  return g_object_new (CAPRA_TYPE_DOCUMENT, NULL);
}
