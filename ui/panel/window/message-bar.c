/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message-bar: an error, and an offer with buttons below it, above the window's content. */
#include "ui/panel/window/message-bar.h"

#include "ui/panel/resources.h"

#define MAX_CHOICES 2 /* the responses of the buttons are 1 and 2 */

struct _CapraMessageBar {
  GtkWidget parent_instance;
  GtkInfoBar *error, *offer;
  GtkLabel *error_text, *offer_text;
  GtkButton *first, *second;
  CapraMessageChosen chosen;
  gpointer data;
};

G_DEFINE_FINAL_TYPE (CapraMessageBar, capra_message_bar, GTK_TYPE_WIDGET)

void
capra_message_bar_show_error (CapraMessageBar *bar, const char *message)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  gtk_label_set_text (bar->error_text, message);
  gtk_info_bar_set_revealed (bar->error, TRUE);
}

void
capra_message_bar_hide_error (CapraMessageBar *bar)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  gtk_info_bar_set_revealed (bar->error, FALSE);
}

void
capra_message_bar_show_choice (CapraMessageBar *bar, const char *message, const char *first, const char *second,
                               CapraMessageChosen chosen, gpointer data)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  bar->chosen = chosen;
  bar->data = data;
  gtk_label_set_text (bar->offer_text, message);
  gtk_button_set_label (bar->first, first);
  gtk_button_set_label (bar->second, second ? second : "");
  gtk_widget_set_visible (GTK_WIDGET (bar->first), TRUE);
  gtk_widget_set_visible (GTK_WIDGET (bar->second), second != NULL);
  gtk_info_bar_set_revealed (bar->offer, TRUE);
}

void
capra_message_bar_hide_choice (CapraMessageBar *bar)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  gtk_info_bar_set_revealed (bar->offer, FALSE);
}

static void
on_offer_response (CapraMessageBar *self, int response)
{
  capra_message_bar_hide_choice (self);
  if (response >= 1 && response <= MAX_CHOICES && self->chosen)
    self->chosen ((guint) response - 1, self->data);
}

static void
capra_message_bar_dispose (GObject *object)
{
  CapraMessageBar *self = CAPRA_MESSAGE_BAR (object);

  if (self->error)
    gtk_widget_unparent (GTK_WIDGET (self->error));
  if (self->offer)
    gtk_widget_unparent (GTK_WIDGET (self->offer));
  self->error = NULL;
  self->offer = NULL;
  G_OBJECT_CLASS (capra_message_bar_parent_class)->dispose (object);
}

static void
capra_message_bar_class_init (CapraMessageBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_message_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "message-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, error);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, offer);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, error_text);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, offer_text);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, first);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, second);
  gtk_widget_class_bind_template_callback (widget_class, capra_message_bar_hide_error);
  gtk_widget_class_bind_template_callback (widget_class, on_offer_response);
}

static void
capra_message_bar_init (CapraMessageBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
