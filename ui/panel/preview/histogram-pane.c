/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-pane: the histogram of a pipeline, with the threshold of a step. */
#include "ui/panel/preview/histogram-pane.h"

#include <math.h>

#include "ui/panel/preview/histogram-data.h"
#include "ui/panel/preview/histogram-subject.h"
#include "ui/panel/preview/histogram.h"
#include "ui/panel/preview/threshold-step.h"
#include "ui/panel/resources.h"
#include "ui/panel/widgets/label-parts.h"
#include "ui/pipeline/text/pipeline-xml.h"

#define DELAY 120 /* ms from the last change to the next histogram */

struct _CapraHistogramPane {
  GtkWidget parent_instance;
  GtkWidget *box;
  GtkLabel *title, *readout;
  CapraHistogram *histogram;
  CapraStepModel *pipeline;
  CapraPyramid *image;
  CapraPreview *preview; /* of the image */
  CapraStep *threshold;  /* whose results are watched; NULL for none */
  CapraHistogramData *data;
  CapraHistogramData *next; /* replaces @data when the picture is complete */
  char *requested;          /* describes the values that were requested last; see describe() */
  char *shown;              /* describes the values that are shown */
  guint refreshes;
  guint timer;
  gboolean computing, busy, outdated;
};

G_DEFINE_FINAL_TYPE (CapraHistogramPane, capra_histogram_pane, GTK_TYPE_WIDGET)

enum { PROP_HEIGHTS = 1, PROP_CHANNEL, PROP_BUSY, PROP_OUTDATED, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

/* Channels by their numbers in the data. */
static const char *const channel_names[] = { "red", "green", "blue", NULL };

static int
get_channel (CapraHistogramPane *self)
{
  int channel = 0;

  g_object_get (self->histogram, "channel", &channel, NULL);
  return channel;
}

static void
append_number (GString *text, const char *name, const double *numbers, guint n, guint step, int digits)
{
  g_string_append_printf (text, "%s%s", text->len ? "  " : "", name);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " %.*g", digits, numbers[i * step]);
}

/* The percentiles of one channel or of a gray image, or the medians of all channels. Those of a part of the pixels are
 * marked. @of: of the first channel that counts */
static char *
describe_percentiles (const CapraHistogramData *data, const double *of, gboolean medians, int digits)
{
  gboolean all = data->pixels <= 1;
  GString *text = g_string_new (NULL);

  if (medians)
    append_number (text, all ? "50 %:" : "50 % ≈", of + 1, 3, CAPRA_HISTOGRAM_N_PERCENTILES, digits);
  for (guint i = 0; i < CAPRA_HISTOGRAM_N_PERCENTILES && !medians; i++)
    {
      g_autofree char *name = g_strdup_printf (all ? "%.0f %%:" : "%.0f %% ≈", CAPRA_HISTOGRAM_PERCENTILES[i]);

      append_number (text, name, of + i, 1, 1, digits);
    }
  return g_string_free (text, FALSE);
}

/* Whether the text is cut in the readout, once that has a width. */
static gboolean
is_cut (CapraHistogramPane *self, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->readout), text);
  int width = 0, space = gtk_widget_get_width (GTK_WIDGET (self->readout));

  pango_layout_get_pixel_size (layout, &width, NULL);
  return space > 0 && width > space;
}

static void
show_percentiles (CapraHistogramPane *self)
{
  const CapraHistogramData *data = self->data;
  int channel = data && data->channels >= 3 ? get_channel (self) : 0;
  const double *of = data ? data->percentiles + MAX (channel, 0) * CAPRA_HISTOGRAM_N_PERCENTILES : NULL;
  gboolean medians = data && channel == CAPRA_HISTOGRAM_ALL && !data->gray, known = data && !isnan (*of);
  g_autofree char *text = known ? describe_percentiles (data, of, medians, 3) : NULL;
  g_autofree char *narrow = known ? describe_percentiles (data, of, medians, 2) : NULL;

  capra_histogram_set_percentiles (self->histogram, known && !medians ? of : NULL,
                                   known && !medians ? CAPRA_HISTOGRAM_N_PERCENTILES : 0);
  capra_label_set_parts (self->readout, !known ? "" : is_cut (self, text) ? narrow : text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->readout), text); /* large text can be cut nevertheless */
}

static void
on_pointer_text (CapraHistogramPane *self)
{
  g_autofree char *text = NULL;

  g_object_get (self->histogram, "pointer-text", &text, NULL);
  gtk_label_set_attributes (self->readout, NULL);
  if (text)
    gtk_label_set_text (self->readout, text);
  else
    show_percentiles (self);
}

/* The threshold that is set, or that the preview has found last. */
static void
show_value (CapraHistogramPane *self)
{
  const char *method = NULL;
  double value = self->threshold ? capra_threshold_step_get (self->threshold, &method) : NAN;

  g_object_set (self->histogram, "method", method, NULL);
  capra_histogram_set_value (self->histogram, value);
}

static void
watch_threshold (CapraHistogramPane *self, CapraStep *step)
{
  if (self->threshold == step)
    return;
  if (self->threshold)
    g_signal_handlers_disconnect_by_func (self->threshold, show_value, self);
  g_set_object (&self->threshold, step);
  if (step)
    g_signal_connect_object (step, "notify::results", G_CALLBACK (show_value), self, G_CONNECT_SWAPPED);
}

static void
show_subject (CapraHistogramPane *self)
{
  CapraHistogramSubject subject = capra_histogram_subject_find (self->pipeline);
  GeglBuffer *image = capra_pyramid_get_buffer (self->image, 0);
  g_autofree char *title = capra_histogram_subject_get_title (&subject, image);

  gtk_label_set_text (self->title, title);
  g_object_set (self->histogram, "scale", capra_histogram_subject_get_scale (&subject, image), NULL);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), capra_histogram_subject_get_explanation (&subject, image));
  watch_threshold (self, subject.threshold);
  show_value (self);
}

static void
on_value_changed (CapraHistogramPane *self, double number)
{
  gboolean dragging = FALSE, turns = FALSE;
  const char *method = NULL;

  if (!self->threshold)
    return;
  g_object_get (self->histogram, "dragging", &dragging, NULL);
  capra_threshold_step_get (self->threshold, &method);
  turns = method && !dragging; /* the method and the value are undone at once */
  if (turns)
    capra_step_model_begin_change (self->pipeline);
  capra_threshold_step_set (self->threshold, number);
  if (turns)
    capra_step_model_end_change (self->pipeline);
}

/* All that is changed by dragging is undone at once. */
static void
on_dragging (CapraHistogramPane *self)
{
  gboolean dragging = FALSE;

  g_object_get (self->histogram, "dragging", &dragging, NULL);
  (dragging ? capra_step_model_begin_change : capra_step_model_end_change) (self->pipeline);
}

static void compute (CapraHistogramPane *self);

/* Returns: (transfer full): the steps whose result is counted */
static GPtrArray *
get_steps (CapraHistogramPane *self, const CapraHistogramSubject *subject)
{
  GPtrArray *steps = capra_step_model_snapshot (self->pipeline);

  g_ptr_array_set_size (steps, (int) subject->n_steps);
  return steps;
}

static const char *
get_format (CapraHistogramPane *self, const CapraHistogramSubject *subject)
{
  return capra_histogram_subject_get_format (subject, capra_pyramid_get_buffer (self->image, 0));
}

/* Returns: (transfer full): a text that differs if the values of @subject differ */
static char *
describe (CapraHistogramPane *self, const CapraHistogramSubject *subject)
{
  g_autoptr (GPtrArray) steps = get_steps (self, subject);
  g_autofree char *xml = capra_steps_to_xml (steps);

  return g_strdup_printf ("%u %d %s %s", self->refreshes, subject->final, get_format (self, subject), xml);
}

static void
set_outdated (CapraHistogramPane *self, gboolean outdated)
{
  if (self->outdated == outdated)
    return;
  self->outdated = outdated;
  (outdated ? gtk_widget_add_css_class : gtk_widget_remove_css_class) (self->box, "capra-outdated");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->histogram), GTK_ACCESSIBLE_STATE_BUSY, outdated, -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTDATED]);
}

/* Values of a reduced image are replaced by those of own pixels, once the preview has time to compute them. */
static void
request_sample (CapraHistogramPane *self)
{
  CapraHistogramSubject subject = capra_histogram_subject_find (self->pipeline);
  const Babl *format = capra_histogram_data_get_format (capra_pyramid_get_buffer (self->image, 0),
                                                        get_format (self, &subject));

  capra_preview_set_sample (self->preview, &(CapraSampleSubject){ subject.n_steps, subject.final, format });
}

/* Shows the values that were found last together with the picture that belongs to them. */
static void
show_next (CapraHistogramPane *self)
{
  CapraHistogramData *data = self->next;

  if (!data || self->busy)
    return;
  g_clear_pointer (&self->data, capra_histogram_data_free);
  self->data = g_steal_pointer (&self->next);
  g_free (self->shown);
  self->shown = g_strdup (self->requested);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "histogram.channel", data->channels >= 3);
  capra_histogram_set_counts (self->histogram, data->counts, data->channels, data->gray, data->low, data->high);
  capra_histogram_set_pixels (self->histogram, data->pixels);
  on_pointer_text (self);
  show_value (self);
  set_outdated (self, FALSE);
  if (data->reduced)
    request_sample (self);
}

static void
on_computed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (CapraHistogramPane) self = user_data;
  g_autoptr (CapraHistogramData) data = capra_histogram_data_compute_finish (result);
  CapraHistogramSubject subject;
  g_autofree char *now = NULL;

  self->computing = FALSE;
  if (!self->image)
    return; /* the window was closed */
  subject = capra_histogram_subject_find (self->pipeline);
  now = describe (self, &subject);
  if (data && g_strcmp0 (now, self->requested) == 0)
    {
      self->next = g_steal_pointer (&data);
      show_next (self);
    }
  else
    compute (self);
}

static void
compute (CapraHistogramPane *self)
{
  CapraHistogramSubject subject;
  g_autoptr (GPtrArray) steps = NULL;
  g_autofree char *now = NULL;

  if (self->computing || !self->image)
    return;
  subject = capra_histogram_subject_find (self->pipeline);
  now = describe (self, &subject);
  if (g_strcmp0 (now, self->requested) == 0)
    return;
  g_free (self->requested);
  self->requested = g_steal_pointer (&now);
  self->computing = TRUE;
  steps = get_steps (self, &subject);
  capra_histogram_data_compute_async (self->image, steps, subject.final, get_format (self, &subject), on_computed,
                                      g_object_ref (self));
}

/* There is none any more if the steps have changed. */
static void
on_sampled (CapraHistogramPane *self)
{
  g_autoptr (CapraValueSample) sample = capra_preview_get_sample (self->preview);

  if (!sample || self->computing)
    return;
  capra_preview_set_sample (self->preview, NULL);
  self->computing = TRUE;
  capra_histogram_data_count_async (sample, on_computed, g_object_ref (self));
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
  CapraHistogramSubject subject;
  g_autofree char *now = NULL;

  if (!self->image)
    return;
  subject = capra_histogram_subject_find (self->pipeline);
  now = describe (self, &subject);
  if (g_strcmp0 (now, self->requested) != 0) /* what was requested is not shown any more */
    {
      g_clear_pointer (&self->next, capra_histogram_data_free);
      g_clear_pointer (&self->requested, g_free);
      capra_preview_set_sample (self->preview, NULL);
    }
  set_outdated (self, g_strcmp0 (now, self->shown) != 0);
  show_subject (self);
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add (DELAY, on_timeout, self);
}

static void
clear_image (CapraHistogramPane *self)
{
  g_clear_pointer (&self->image, capra_pyramid_unref);
  if (self->preview)
    g_signal_handlers_disconnect_by_data (self->preview, self);
  g_clear_object (&self->preview);
}

void
capra_histogram_pane_set_image (CapraHistogramPane *self, CapraPyramid *image, CapraPreview *preview)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM_PANE (self));
  clear_image (self);
  g_clear_handle_id (&self->timer, g_source_remove);
  if (image)
    {
      self->image = capra_pyramid_ref (image);
      self->preview = g_object_ref (preview);
      g_signal_connect_swapped (preview, "sampled", G_CALLBACK (on_sampled), self);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), image != NULL);
  capra_histogram_pane_refresh (self);
}

void
capra_histogram_pane_refresh (CapraHistogramPane *self)
{
  g_return_if_fail (CAPRA_IS_HISTOGRAM_PANE (self));
  self->refreshes++;
  update (self);
}

static void
set_heights (CapraHistogramPane *self, const char *heights)
{
  g_object_set (self->histogram, "logarithmic", g_strcmp0 (heights, "logarithmic") == 0, NULL);
}

static void
set_channel (CapraHistogramPane *self, const char *name)
{
  int channel = CAPRA_HISTOGRAM_ALL;

  for (int i = 0; channel_names[i]; i++)
    if (g_strcmp0 (channel_names[i], name) == 0)
      channel = i;
  g_object_set (self->histogram, "channel", channel, NULL);
  show_percentiles (self);
}

static void
capra_histogram_pane_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraHistogramPane *self = CAPRA_HISTOGRAM_PANE (object);
  gboolean logarithmic = FALSE;
  int channel = get_channel (self);

  switch (id)
    {
    case PROP_HEIGHTS:
      g_object_get (self->histogram, "logarithmic", &logarithmic, NULL);
      g_value_set_static_string (value, logarithmic ? "logarithmic" : "linear");
      break;
    case PROP_CHANNEL:
      g_value_set_static_string (value, channel == CAPRA_HISTOGRAM_ALL ? "all" : channel_names[channel]);
      break;
    case PROP_BUSY: g_value_set_boolean (value, self->busy); break;
    case PROP_OUTDATED: g_value_set_boolean (value, self->outdated); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_histogram_pane_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraHistogramPane *self = CAPRA_HISTOGRAM_PANE (object);

  switch (id)
    {
    case PROP_HEIGHTS: set_heights (self, g_value_get_string (value)); break;
    case PROP_CHANNEL: set_channel (self, g_value_get_string (value)); break;
    case PROP_BUSY:
      self->busy = g_value_get_boolean (value);
      show_next (self);
      break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_histogram_pane_dispose (GObject *object)
{
  CapraHistogramPane *self = CAPRA_HISTOGRAM_PANE (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  clear_image (self);
  g_clear_pointer (&self->data, capra_histogram_data_free);
  g_clear_pointer (&self->next, capra_histogram_data_free);
  g_clear_pointer (&self->requested, g_free);
  g_clear_pointer (&self->shown, g_free);
  watch_threshold (self, NULL);
  g_clear_object (&self->pipeline);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (capra_histogram_pane_parent_class)->dispose (object);
}

static void
capra_histogram_pane_class_init (CapraHistogramPaneClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = capra_histogram_pane_dispose;
  object_class->get_property = capra_histogram_pane_get_property;
  object_class->set_property = capra_histogram_pane_set_property;
  properties[PROP_HEIGHTS] = g_param_spec_string ("heights", NULL, NULL, "linear", flags);
  properties[PROP_CHANNEL] = g_param_spec_string ("channel", NULL, NULL, "all", flags);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, flags);
  properties[PROP_OUTDATED] = g_param_spec_boolean ("outdated", NULL, NULL, FALSE,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_type_ensure (CAPRA_TYPE_HISTOGRAM);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "histogram-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraHistogramPane, box);
  gtk_widget_class_bind_template_child (widget_class, CapraHistogramPane, title);
  gtk_widget_class_bind_template_child (widget_class, CapraHistogramPane, readout);
  gtk_widget_class_bind_template_child (widget_class, CapraHistogramPane, histogram);
  gtk_widget_class_bind_template_callback (widget_class, on_value_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_dragging);
  gtk_widget_class_bind_template_callback (widget_class, on_pointer_text);
  gtk_widget_class_install_property_action (widget_class, "histogram.heights", "heights");
  gtk_widget_class_install_property_action (widget_class, "histogram.channel", "channel");
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
  g_signal_connect_object (pipeline, "notify::selected", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
