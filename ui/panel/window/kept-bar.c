/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kept-bar: offers the steps and the windows of an earlier session, above the window's content. */
#include "ui/panel/window/kept-bar.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/widgets/accessible.h"
#include "ui/pipeline/text/pipeline-xml.h"

enum { RESPONSE_ACCEPT = 1 };

struct _CapraKeptBar {
  GtkWidget parent_instance;
  GtkInfoBar *bar;
  GtkLabel *text;
  GtkButton *accept_button, *refuse_button;
  CapraStepModel *pipeline;
  char *xml;        /* the steps that are offered; NULL for none */
  GPtrArray *steps; /* NULL if they cannot be read */
  char *failure;    /* then the message */
  guint windows;    /* to reopen */
};

G_DEFINE_FINAL_TYPE (CapraKeptBar, capra_kept_bar, GTK_TYPE_WIDGET)

static void
clear (CapraKeptBar *self)
{
  g_clear_pointer (&self->xml, g_free);
  g_clear_pointer (&self->steps, g_ptr_array_unref);
  g_clear_pointer (&self->failure, g_free);
}

void
capra_kept_bar_set_pipeline (CapraKeptBar *bar, CapraStepModel *pipeline)
{
  g_return_if_fail (CAPRA_IS_KEPT_BAR (bar));
  g_return_if_fail (!bar->pipeline);
  bar->pipeline = g_object_ref (pipeline);
}

/* The steps for this window first, then the other windows. */
static void
update (CapraKeptBar *self)
{
  g_autofree char *windows = g_strdup_printf (
    ngettext ("%u window of the last session has steps.", "%u windows of the last session have steps.", self->windows),
    self->windows);
  const char *steps = self->failure ? self->failure : _ ("The steps of the last session were kept.");

  gtk_label_set_text (self->text, self->xml ? steps : windows);
  gtk_info_bar_set_message_type (self->bar, self->failure ? GTK_MESSAGE_WARNING : GTK_MESSAGE_INFO);
  gtk_button_set_label (self->accept_button, self->xml ? _ ("_Restore Steps") : _ ("_Reopen Windows"));
  gtk_button_set_label (self->refuse_button, self->xml ? _ ("_Discard") : _ ("Not No_w"));
  gtk_widget_set_visible (GTK_WIDGET (self->accept_button), !self->failure);
  gtk_info_bar_set_revealed (self->bar, self->xml || self->windows > 0);
  capra_accessible_complete (GTK_WIDGET (self->bar));
}

void
capra_kept_bar_offer (CapraKeptBar *bar, const char *steps)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (CAPRA_IS_KEPT_BAR (bar));
  clear (bar);
  bar->steps = steps ? capra_steps_from_xml (steps, &error) : NULL;
  if (error || (bar->steps && bar->steps->len > 0))
    bar->xml = g_strdup (steps);
  if (error)
    bar->failure = g_strdup_printf (_ ("The steps of the last session cannot be restored. %s"), error->message);
  update (bar);
}

void
capra_kept_bar_offer_windows (CapraKeptBar *bar, guint count)
{
  g_return_if_fail (CAPRA_IS_KEPT_BAR (bar));
  bar->windows = count;
  update (bar);
}

const char *
capra_kept_bar_get_steps (CapraKeptBar *bar)
{
  g_return_val_if_fail (CAPRA_IS_KEPT_BAR (bar), NULL);
  return bar->xml;
}

static void
on_response (CapraKeptBar *self, int response)
{
  gboolean accepted = response == RESPONSE_ACCEPT;

  if (self->xml)
    {
      if (accepted && self->steps)
        capra_step_model_replace (self->pipeline, self->steps);
      clear (self);
    }
  else
    {
      self->windows = 0;
      if (accepted)
        gtk_widget_activate_action (GTK_WIDGET (self), "app.reopen-windows", NULL);
    }
  update (self);
}

static void
capra_kept_bar_dispose (GObject *object)
{
  CapraKeptBar *self = CAPRA_KEPT_BAR (object);

  if (self->bar)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  clear (self);
  g_clear_object (&self->pipeline);
  G_OBJECT_CLASS (capra_kept_bar_parent_class)->dispose (object);
}

static void
capra_kept_bar_class_init (CapraKeptBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_kept_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "kept-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraKeptBar, bar);
  gtk_widget_class_bind_template_child (widget_class, CapraKeptBar, text);
  gtk_widget_class_bind_template_child (widget_class, CapraKeptBar, accept_button);
  gtk_widget_class_bind_template_child (widget_class, CapraKeptBar, refuse_button);
  gtk_widget_class_bind_template_callback (widget_class, on_response);
}

static void
capra_kept_bar_init (CapraKeptBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  update (self);
}
