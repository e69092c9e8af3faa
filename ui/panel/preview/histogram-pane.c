/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-pane: the histogram of a pipeline, with the threshold of its first threshold step. */
#include "ui/panel/preview/histogram-pane.h"

#include <math.h>

#include "ui/panel/preview/histogram-data.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/resources.h"

#define DELAY 120 /* ms from the last change to the next histogram */

struct _CapraHistogramPane {
  GtkWidget parent_instance;
  CapraHistogram *histogram;
  CapraStepModel *pipeline;
  CapraPyramid *image;
  guint timer;
  gboolean computing;
  gboolean outdated; /* the pipeline changed while computing */
};

G_DEFINE_FINAL_TYPE (CapraHistogramPane, capra_histogram_pane, GTK_TYPE_WIDGET)

/* Returns: (transfer none) (nullable): the first step with a threshold */
static CapraStep *
find_threshold (CapraHistogramPane *self, guint *position, GParamSpec **property)
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

/* GEGL's threshold compares perceptual values. Capra's has a property for it. */
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
show_threshold (CapraHistogramPane *self)
{
  GParamSpec *property;
  guint position;
  CapraStep *step = find_threshold (self, &position, &property);
  g_auto (GValue) value = G_VALUE_INIT;

  if (step)
    capra_step_get (step, property, &value);
  capra_histogram_set_value (self->histogram, step ? g_value_get_double (&value) : NAN);
}

static void
on_value_changed (CapraHistogramPane *self, double number)
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

static void compute (CapraHistogramPane *self);

static void
on_computed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CapraHistogramPane) self = user_data;
  g_autoptr (CapraHistogramData) data = capra_histogram_data_compute_finish (result);

  self->computing = FALSE;
  if (!self->image)
    return; /* the window was closed */
  if (data)
    capra_histogram_set_counts (self->histogram, data->counts, data->channels, data->low, data->high);
  show_threshold (self);
  if (self->outdated)
    compute (self);
}

/* Gray floats in linear light, such as those of FITS files, are values, not colors. */
static gboolean
has_values (CapraHistogramPane *self)
{
  const Babl *format = gegl_buffer_get_format (capra_pyramid_get_buffer (self->image, 0));
  int flags = babl_get_model_flags (babl_format_get_model (format));

  return (flags & BABL_MODEL_FLAG_GRAY) && !(flags & (BABL_MODEL_FLAG_NONLINEAR | BABL_MODEL_FLAG_PERCEPTUAL))
         && babl_format_get_type (format, 0) == babl_type ("float");
}

static void
compute (CapraHistogramPane *self)
{
  g_autoptr (GPtrArray) steps = capra_step_model_snapshot (self->pipeline);
  GParamSpec *property;
  guint position;
  CapraStep *threshold = find_threshold (self, &position, &property);
  const char *format = "R'G'B' float";

  self->outdated = self->computing;
  if (self->computing || !self->image)
    return;
  if (has_values (self))
    format = "Y float";
  if (threshold)
    {
      g_ptr_array_set_size (steps, (int) position);
      format = is_perceptual (threshold) ? "Y' float" : "Y float";
    }
  self->computing = TRUE;
  capra_histogram_data_compute_async (self->image, steps, format, on_computed, g_object_ref (self));
}

static gboolean
on_timeout (gpointer data)
{
  CapraHistogramPane *self = data;

  self->timer = 0;
  compute (self);
  return G_SOURCE_REMOVE;
}

static void
update (CapraHistogramPane *self)
{
  if (!self->image)
    return;
  show_threshold (self);
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (DELAY, on_timeout, self);
}

void
capra_histogram_pane_set_image (CapraHistogramPane *self, CapraPyramid *image)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM_PANE (self));
  g_clear_pointer (&self->image, capra_pyramid_unref);
  g_clear_handle_id (&self->timer, g_source_remove);
  if (image)
    self->image = capra_pyramid_ref (image);
  gtk_widget_set_visible (GTK_WIDGET (self), image != NULL);
  update (self);
}

static void
capra_histogram_pane_dispose (GObject *object)
{
  CapraHistogramPane *self = CAPRA_HISTOGRAM_PANE (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_pointer (&self->image, capra_pyramid_unref);
  g_clear_object (&self->pipeline);
  if (self->histogram)
    gtk_widget_unparent (GTK_WIDGET (self->histogram));
  self->histogram = NULL;
  G_OBJECT_CLASS (capra_histogram_pane_parent_class)->dispose (object);
}

static void
capra_histogram_pane_class_init (CapraHistogramPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_histogram_pane_dispose;
  g_type_ensure (CAPRA_TYPE_HISTOGRAM);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "histogram-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraHistogramPane, histogram);
  gtk_widget_class_bind_template_callback (widget_class, on_value_changed);
}

static void
capra_histogram_pane_init (CapraHistogramPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
capra_histogram_pane_new (CapraStepModel *pipeline)
{
  CapraHistogramPane *self = g_object_new (CAPRA_TYPE_HISTOGRAM_PANE, NULL);

  self->pipeline = g_object_ref (pipeline);
  g_signal_connect_object (pipeline, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
