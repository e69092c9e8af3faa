/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window-histogram: the histogram above the steps: of the values that a threshold compares, with the
 * threshold on it to be dragged, else of the result. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/panel/preview/histogram-data.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/window/window-private.h"

#define DELAY 120 /* ms after the last change */

/* The first step that compares with a value, or NULL. */
static CapraStep *
find_threshold (CapraPanelWindow *self, guint *position, GParamSpec **property)
{
  for (guint i = 0; i < capra_step_model_get_length (self->pipeline); i++)
    {
      CapraStep *step = capra_step_model_get_step (self->pipeline, i);
      const char *operation = capra_step_get_operation (step);

      if (!capra_step_get_enabled (step) || !g_str_has_suffix (operation, ":threshold"))
        continue;
      *property = capra_operation_find_property (operation, "value");
      *position = i;
      if (*property && G_IS_PARAM_SPEC_DOUBLE (*property))
        return step;
    }
  return NULL;
}

/* GEGL compares perceptual values, ours does where it is asked to. */
static gboolean
is_perceptual (CapraStep *step)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (step), "perceptual");
  g_auto (GValue) value = G_VALUE_INIT;

  if (!property || !G_IS_PARAM_SPEC_BOOLEAN (property))
    return TRUE;
  capra_step_get (step, property, &value);
  return g_value_get_boolean (&value);
}

static void
show_threshold (CapraPanelWindow *self)
{
  GParamSpec *property;
  guint position;
  CapraStep *step = find_threshold (self, &position, &property);
  g_auto (GValue) value = G_VALUE_INIT;

  if (step)
    capra_step_get (step, property, &value);
  capra_histogram_set_value (CAPRA_HISTOGRAM (self->histogram), step ? g_value_get_double (&value) : NAN);
}

static void
on_value_changed (CapraPanelWindow *self, double number)
{
  GParamSpec *property;
  guint position;
  CapraStep *step = find_threshold (self, &position, &property);
  g_auto (GValue) value = G_VALUE_INIT;

  if (!step)
    return;
  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  capra_step_set (step, property, &value);
}

static void start_counting (CapraPanelWindow *self);

static void
on_counted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (CapraPanelWindow) self = data;
  g_autoptr (CapraBins) bins = capra_bins_count_finish (result);

  self->counting = FALSE;
  if (!self->pyramid)
    return; /* closed meanwhile */
  if (bins)
    capra_histogram_set_bins (CAPRA_HISTOGRAM (self->histogram), bins->counts, bins->channels, bins->low, bins->high);
  show_threshold (self);
  if (self->recount)
    start_counting (self);
}

static void
start_counting (CapraPanelWindow *self)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);
  GParamSpec *property;
  guint position;
  CapraStep *threshold = find_threshold (self, &position, &property);
  const char *format = "R'G'B' float";

  self->recount = self->counting;
  if (self->counting || !self->pyramid)
    return;
  if (threshold)
    {
      g_ptr_array_set_size (steps, (int) position);
      format = is_perceptual (threshold) ? "Y' float" : "Y float";
    }
  self->counting = TRUE;
  capra_bins_count_async (self->pyramid, steps, format, on_counted, g_object_ref (self));
}

static gboolean
on_delay (gpointer data)
{
  CapraPanelWindow *self = data;

  self->histogram_timer = 0;
  start_counting (self);
  return G_SOURCE_REMOVE;
}

void
capra_panel_window_update_histogram (CapraPanelWindow *self)
{
  if (!self->histogram || !self->pyramid)
    return;
  gtk_widget_set_visible (self->histogram, TRUE);
  show_threshold (self);
  if (self->histogram_timer)
    g_source_remove (self->histogram_timer);
  self->histogram_timer = g_timeout_add (DELAY, on_delay, self);
}

void
capra_panel_window_add_histogram (CapraPanelWindow *self)
{
  self->histogram = capra_histogram_new ();
  gtk_widget_set_size_request (self->histogram, -1, 96);
  gtk_widget_set_visible (self->histogram, FALSE);
  gtk_widget_set_overflow (self->histogram, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (self->histogram, "card");
  g_signal_connect_object (self->histogram, "value-changed", G_CALLBACK (on_value_changed), self, G_CONNECT_SWAPPED);
  capra_step_list_set_header (self->steps, self->histogram);
}
