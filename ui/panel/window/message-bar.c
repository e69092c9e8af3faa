/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Message-bar: an error, or an offer with buttons, above the window's content. */
#include "ui/panel/window/message-bar.h"

#include "ui/panel/resources.h"

#define MAX_CHOICES 2 /* the responses of the buttons are 1 and 2 */

struct _CapraMessageBar {
  GtkWidget parent_instance;
  GtkInfoBar *bar;
  GtkLabel *text;
  GtkButton *first, *second;
  CapraMessageChosen chosen;
  gpointer data;
};

G_DEFINE_FINAL_TYPE (CapraMessageBar, capra_message_bar, GTK_TYPE_WIDGET)

static void
set_button (GtkButton *button, const char *label)
{
  gtk_widget_set_visible (GTK_WIDGET (button), label != NULL);
  if (label)
    gtk_button_set_label (button, label);
}

static void
show (CapraMessageBar *self, GtkMessageType type, const char *message, const char *first, const char *second)
{
  gtk_info_bar_set_message_type (self->bar, type);
  gtk_label_set_text (self->text, message);
  set_button (self->first, first);
  set_button (self->second, second);
  gtk_info_bar_set_revealed (self->bar, TRUE);
}

void
capra_message_bar_show_error (CapraMessageBar *bar, const char *message)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  show (bar, GTK_MESSAGE_ERROR, message, NULL, NULL);
}

void
capra_message_bar_show_choice (CapraMessageBar *bar, const char *message, const char *first, const char *second,
                               CapraMessageChosen chosen, gpointer data)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  bar->chosen = chosen;
  bar->data = data;
  show (bar, GTK_MESSAGE_INFO, message, first, second);
}

void
capra_message_bar_hide (CapraMessageBar *bar)
{
  g_return_if_fail (CAPRA_IS_MESSAGE_BAR (bar));
  gtk_info_bar_set_revealed (bar->bar, FALSE);
}

static void
on_response (CapraMessageBar *self, int response)
{
  capra_message_bar_hide (self);
  if (response >= 1 && response <= MAX_CHOICES && self->chosen)
    self->chosen ((guint) response - 1, self->data);
}

static void
capra_message_bar_dispose (GObject *object)
{
  CapraMessageBar *self = CAPRA_MESSAGE_BAR (object);

  if (self->bar)
    gtk_widget_unparent (GTK_WIDGET (self->bar));
  self->bar = NULL;
  G_OBJECT_CLASS (capra_message_bar_parent_class)->dispose (object);
}

static void
capra_message_bar_class_init (CapraMessageBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_message_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "message-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, bar);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, text);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, first);
  gtk_widget_class_bind_template_child (widget_class, CapraMessageBar, second);
  gtk_widget_class_bind_template_callback (widget_class, on_response);
}

static void
capra_message_bar_init (CapraMessageBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
