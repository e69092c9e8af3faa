/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps-offer: offers the steps with which an image was made, and the image that they were applied to. */
#include "ui/panel/window/steps-offer.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/window/file-dialogs.h"
#include "ui/pipeline/read/original.h"

struct _CapraStepsOffer {
  GObject parent_instance;
  CapraDocument *document;
  CapraMessageBar *bar; /* a weak pointer: files are searched for longer than the window may live */
  GPtrArray *steps;     /* that are offered; NULL for none */
  GFile *result;        /* the image that contains them */
  CapraOriginal *original;
};

G_DEFINE_FINAL_TYPE (CapraStepsOffer, capra_steps_offer, G_TYPE_OBJECT)

static void
clear (CapraStepsOffer *self)
{
  g_clear_pointer (&self->steps, g_ptr_array_unref);
  g_clear_object (&self->result);
  g_clear_pointer (&self->original, capra_original_free);
}

static void
open_original (CapraStepsOffer *self, GFile *file)
{
  if (self->steps)
    capra_document_open_with_steps (self->document, file, self->original->dataset, self->original->frame, self->steps);
}

/* A comparison of a chosen file with the original. */
typedef struct {
  CapraStepsOffer *offer;
  GFile *result;
  char *name; /* of the original */
} Comparison;

/* Says so if the file is not the one that the result names, unless another image was opened meanwhile. */
static void
on_compared (GObject *source, GAsyncResult *answer, gpointer data)
{
  Comparison *comparison = data;
  CapraStepsOffer *self = comparison->offer;
  GFile *chosen = G_FILE (source), *file = capra_document_get_file (self->document);

  if (!capra_original_is_finish (answer) && self->bar && file
      && (g_file_equal (file, chosen) || g_file_equal (file, comparison->result)))
    {
      g_autofree char *name = g_file_get_basename (chosen);
      /* Translators: the first %s is the name of a file, the second that of the original. */
      g_autofree char *message = g_strdup_printf (_ ("“%s” is not the original “%s”: its contents differ."), name,
                                                  comparison->name);

      capra_document_report_notice (self->document, message);
    }
  g_object_unref (comparison->offer);
  g_object_unref (comparison->result);
  g_free (comparison->name);
  g_free (comparison);
}

/* The file is read a second time for its hash, while it is opened. */
void
capra_steps_offer_open (CapraStepsOffer *self, GFile *file)
{
  g_return_if_fail (CAPRA_IS_STEPS_OFFER (self));
  if (self->original && self->original->hash && self->original->name)
    {
      Comparison *comparison = g_new (Comparison, 1);

      *comparison = (Comparison){ g_object_ref (self), g_object_ref (self->result), g_strdup (self->original->name) };
      capra_original_is_async (self->original, file, on_compared, comparison);
    }
  open_original (self, file);
}

static void
open_chosen (gpointer object, GFile *file)
{
  capra_steps_offer_open (object, file);
}

/* From which image the open one was made. */
static char *
get_message (const CapraOriginal *original)
{
  switch (original->state)
    {
    /* Translators: %s is the name of an image file. */
    case CAPRA_ORIGINAL_FOUND: return g_strdup_printf (_ ("This image was made with Capra from “%s”."), original->name);
    case CAPRA_ORIGINAL_CHANGED:
      return g_strdup_printf (_ ("This image was made with Capra from “%s”, which has changed since."), original->name);
    case CAPRA_ORIGINAL_MISSING:
      return g_strdup_printf (_ ("This image was made with Capra from “%s”, which was not found."), original->name);
    default: return g_strdup (_ ("This image was made with Capra and contains its steps."));
    }
}

static void on_chosen (guint choice, gpointer object);

static void
show (CapraStepsOffer *self)
{
  g_autofree char *message = get_message (self->original);

  capra_message_bar_show_choice (self->bar, message,
                                 self->original->file ? _ ("Open Original with Steps") : _ ("Choose Original…"),
                                 _ ("Apply Steps to This Image"), on_chosen, self);
}

static void
on_chosen (guint choice, gpointer object)
{
  CapraStepsOffer *self = object;

  if (!self->steps)
    return;
  if (choice > 0)
    {
      g_autoptr (GPtrArray) steps = g_steal_pointer (&self->steps);

      capra_step_model_replace (capra_document_get_pipeline (self->document), steps);
      return;
    }
  show (self); /* until the original is open: it may be unreadable, or none may be chosen */
  if (self->original->file)
    open_original (self, self->original->file);
  else
    capra_file_dialogs_open_original (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self->bar))), self->result,
                                      open_chosen, self);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraStepsOffer) self = data;
  g_autoptr (CapraOriginal) original = capra_original_find_finish (result);
  GFile *file = capra_document_get_file (self->document);

  if (!self->bar || !self->steps || self->original || g_task_get_task_data (G_TASK (result)) != self->result || !file
      || !g_file_equal (file, self->result))
    return; /* another image was opened meanwhile */
  self->original = g_steal_pointer (&original);
  show (self);
}

static void
on_offered (CapraStepsOffer *self, GPtrArray *steps)
{
  clear (self);
  self->steps = g_ptr_array_ref (steps);
  self->result = g_object_ref (capra_document_get_file (self->document));
  capra_original_find_async (self->result, on_found, g_object_ref (self));
}

/* The offer is about the previous image. */
static void
on_image_changed (CapraStepsOffer *self)
{
  clear (self);
  if (self->bar)
    capra_message_bar_hide_choice (self->bar);
}

static void
capra_steps_offer_dispose (GObject *object)
{
  CapraStepsOffer *self = CAPRA_STEPS_OFFER (object);

  clear (self);
  g_clear_weak_pointer (&self->bar);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (capra_steps_offer_parent_class)->dispose (object);
}

static void
capra_steps_offer_class_init (CapraStepsOfferClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = capra_steps_offer_dispose;
}

static void
capra_steps_offer_init (CapraStepsOffer *self)
{
}

CapraStepsOffer *
capra_steps_offer_new (CapraDocument *document, CapraMessageBar *bar)
{
  CapraStepsOffer *self = g_object_new (CAPRA_TYPE_STEPS_OFFER, NULL);

  self->document = g_object_ref (document);
  g_set_weak_pointer (&self->bar, bar);
  g_signal_connect_object (document, "steps-offered", G_CALLBACK (on_offered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "notify::image", G_CALLBACK (on_image_changed), self, G_CONNECT_SWAPPED);
  return self;
}
