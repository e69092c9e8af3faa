/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Status-bar: the bar below the image: pixel values, time, comparison and zoom. */
#include "ui/panel/preview/status-bar.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/resources.h"
#include "ui/panel/widgets/wrap-layout.h"

struct _CapraStatusBar {
  GtkWidget parent_instance;
  GtkWidget *texts, *tools;
  GtkLabel *pointer_text, *time_text, *zoom_text;
  GtkSpinner *spinner;
  GtkWidget *original_button;
  GtkMenuButton *stretch_button;
  double scale;
  gboolean show_original;
};

G_DEFINE_FINAL_TYPE (CapraStatusBar, capra_status_bar, GTK_TYPE_WIDGET)

enum { PROP_POINTER_TEXT = 1, PROP_TIME_TEXT, PROP_BUSY, PROP_SCALE, PROP_SHOW_ORIGINAL, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

void
capra_status_bar_set_pointer_text (CapraStatusBar *bar, const char *text)
{
  g_return_if_fail (CAPRA_IS_STATUS_BAR (bar));
  /* Always two lines, so that the bar keeps its height. */
  gtk_label_set_text (bar->pointer_text, text && *text ? text : "\n");
  g_object_notify_by_pspec (G_OBJECT (bar), properties[PROP_POINTER_TEXT]);
}

void
capra_status_bar_set_time_text (CapraStatusBar *bar, const char *text)
{
  g_return_if_fail (CAPRA_IS_STATUS_BAR (bar));
  gtk_label_set_text (bar->time_text, text ? text : "");
  g_object_notify_by_pspec (G_OBJECT (bar), properties[PROP_TIME_TEXT]);
}

void
capra_status_bar_set_busy (CapraStatusBar *bar, gboolean busy)
{
  g_return_if_fail (CAPRA_IS_STATUS_BAR (bar));
  if (gtk_spinner_get_spinning (bar->spinner) == busy)
    return;
  gtk_spinner_set_spinning (bar->spinner, busy);
  g_object_notify_by_pspec (G_OBJECT (bar), properties[PROP_BUSY]);
}

void
capra_status_bar_set_stretch (CapraStatusBar *bar, const char *name)
{
  static const struct {
    const char *name, *title;
  } titles[] = { { "linear", N_ ("Linear") },
                 { "sqrt", N_ ("Square Root") },
                 { "log", N_ ("Logarithm") },
                 { "asinh", N_ ("Inverse Hyperbolic Sine") } };
  g_autofree char *tip = g_strdup (_ ("Stretch of the values in the view: none (Ctrl+D)"));

  g_return_if_fail (CAPRA_IS_STATUS_BAR (bar));
  for (guint i = 0; name && i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (name, titles[i].name))
      {
        g_free (tip);
        tip = g_strdup_printf (_ ("Stretch of the values in the view: %s (Ctrl+D)"), _ (titles[i].title));
      }
  gtk_widget_set_tooltip_text (GTK_WIDGET (bar->stretch_button), tip);
  (name ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (GTK_WIDGET (bar->stretch_button), "accent");
}

void
capra_status_bar_show_stretch_menu (CapraStatusBar *bar)
{
  g_return_if_fail (CAPRA_IS_STATUS_BAR (bar));
  gtk_menu_button_popup (bar->stretch_button);
}

static void
set_scale (CapraStatusBar *self, double scale)
{
  double percent = scale * 100.0;
  g_autofree char *text = percent < 9.95 ? g_strdup_printf ("%.1f %%", percent) : g_strdup_printf ("%.0f %%", percent);

  self->scale = scale;
  gtk_label_set_text (self->zoom_text, text);
}

static void
set_show_original (CapraStatusBar *self, gboolean show)
{
  if (self->show_original == show)
    return;
  self->show_original = show;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_ORIGINAL]);
}

static void
on_original_pressed (GtkGestureClick *gesture, int n, double x, double y, gpointer data)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  set_show_original (data, TRUE);
}

static void
on_original_ended (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  set_show_original (data, FALSE);
}

static void
capra_status_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraStatusBar *self = CAPRA_STATUS_BAR (object);

  switch (id)
    {
    case PROP_POINTER_TEXT: g_value_set_string (value, gtk_label_get_text (self->pointer_text)); break;
    case PROP_TIME_TEXT: g_value_set_string (value, gtk_label_get_text (self->time_text)); break;
    case PROP_BUSY: g_value_set_boolean (value, gtk_spinner_get_spinning (self->spinner)); break;
    case PROP_SCALE: g_value_set_double (value, self->scale); break;
    case PROP_SHOW_ORIGINAL: g_value_set_boolean (value, self->show_original); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_status_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraStatusBar *self = CAPRA_STATUS_BAR (object);

  switch (id)
    {
    case PROP_POINTER_TEXT: capra_status_bar_set_pointer_text (self, g_value_get_string (value)); break;
    case PROP_TIME_TEXT: capra_status_bar_set_time_text (self, g_value_get_string (value)); break;
    case PROP_BUSY: capra_status_bar_set_busy (self, g_value_get_boolean (value)); break;
    case PROP_SCALE: set_scale (self, g_value_get_double (value)); break;
    case PROP_SHOW_ORIGINAL: set_show_original (self, g_value_get_boolean (value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
install_properties (GObjectClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  properties[PROP_POINTER_TEXT] = g_param_spec_string ("pointer-text", NULL, NULL, "", flags);
  properties[PROP_TIME_TEXT] = g_param_spec_string ("time-text", NULL, NULL, "", flags);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  properties[PROP_SCALE] = g_param_spec_double ("scale", NULL, NULL, 0.0, G_MAXDOUBLE, 0.0,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOW_ORIGINAL] = g_param_spec_boolean ("show-original", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (klass, N_PROPERTIES, properties);
}

static void
capra_status_bar_dispose (GObject *object)
{
  CapraStatusBar *self = CAPRA_STATUS_BAR (object);

  if (self->tools)
    {
      gtk_widget_unparent (self->texts);
      gtk_widget_unparent (self->tools);
    }
  self->tools = NULL;
  G_OBJECT_CLASS (capra_status_bar_parent_class)->dispose (object);
}

static void
capra_status_bar_class_init (CapraStatusBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_status_bar_dispose;
  G_OBJECT_CLASS (klass)->get_property = capra_status_bar_get_property;
  G_OBJECT_CLASS (klass)->set_property = capra_status_bar_set_property;
  install_properties (G_OBJECT_CLASS (klass));
  g_type_ensure (CAPRA_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "status-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, pointer_text);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, texts);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, tools);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, time_text);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, spinner);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, original_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, stretch_button);
  gtk_widget_class_bind_template_child (widget_class, CapraStatusBar, zoom_text);
}

static void
capra_status_bar_init (CapraStatusBar *self)
{
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  capra_status_bar_set_pointer_text (self, NULL);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (press), GTK_PHASE_CAPTURE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_original_pressed), self);
  g_signal_connect (press, "end", G_CALLBACK (on_original_ended), self);
  g_signal_connect (press, "cancel", G_CALLBACK (on_original_ended), self);
  gtk_widget_add_controller (self->original_button, GTK_EVENT_CONTROLLER (press));
}
