/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile-pane: the length of a line over an image, and the values of the result along it. */
#include "ui/panel/preview/profile-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "ui/figure/ticks.h"
#include "ui/panel/preview/ruler.h"
#include "ui/panel/resources.h"
#include "ui/panel/widgets/chart.h"
#include "ui/panel/widgets/table-export.h"

struct _CapraProfilePane {
  GtkBox parent_instance;
  GtkLabel *numbers;
  CapraChart *chart;
  CapraLineTool *tool;
  CapraPreview *preview;
  GeglBuffer *image;
  GFile *file;           /* of the image */
  CapraProfile *profile; /* NULL until it is known */
};

G_DEFINE_FINAL_TYPE (CapraProfilePane, capra_profile_pane, GTK_TYPE_BOX)

enum { PROP_TOOL = 1, PROP_TEXT, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];
static guint failed_signal;

/* From the first end to a point, in @unit. FALSE if the size of pixels is unknown. @unit: (inout): is chosen if its
 * name is NULL */
static gboolean
measure (CapraProfilePane *self, const CapraLine *line, const double point[2], CapraRulerUnit *unit, double *value)
{
  const double from[2] = { line->x[0], line->y[0] };
  CapraDistance distance;

  if (!self->image || !capra_ruler_measure (self->image, from, point, &distance))
    return FALSE;
  if (!unit->name)
    *unit = capra_ruler_choose_unit (&distance);
  *value = distance.value / unit->size;
  return TRUE;
}

static gboolean
measure_line (CapraProfilePane *self, const CapraLine *line, CapraRulerUnit *unit, double *value)
{
  const double to[2] = { line->x[1], line->y[1] };

  unit->name = NULL;
  return measure (self, line, to, unit, value);
}

/* How values between the centers of pixels are found. */
static const char *
describe_interpolation (const CapraProfile *profile)
{
  const CapraLine *line = &profile->line;

  if (line->x[0] == line->x[1] || line->y[0] == line->y[1])
    return _ ("values of pixels");
  return profile->pixel.label ? _ ("values of the nearest pixels") : _ ("bilinear interpolation");
}

static char *
describe_line (CapraProfilePane *self, const CapraLine *line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *angle = capra_ticks_format (capra_line_get_angle (line), 2);
  CapraRulerUnit unit;
  double length;

  /* Translators: the length of a line on an image, in pixels */
  g_string_append_printf (text, _ ("%.2f px"), capra_line_get_length (line));
  if (measure_line (self, line, &unit, &length))
    g_string_append_printf (text, " · %.5g %s", length, unit.symbol);
  g_string_append_printf (text, " · %s° · (%d, %d) → (%d, %d)", angle, line->x[0], line->y[0], line->x[1], line->y[1]);
  if (self->profile)
    g_string_append_printf (text, " · %s", describe_interpolation (self->profile));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* The range and the mean of a channel. */
static void
append_statistics (GString *text, const CapraProfile *profile, guint channel)
{
  double low = INFINITY, high = -INFINITY, sum = 0.0;
  gsize count = 0;

  for (gsize i = 0; i < profile->count; i++)
    {
      double value = profile->values[i * profile->pixel.count + channel];

      if (isnan (value))
        continue;
      low = MIN (low, value);
      high = MAX (high, value);
      sum += value;
      count++;
    }
  if (count > 0)
    /* Translators: the name of a channel, and the numbers of its values along a line */
    g_string_append_printf (text, _ ("; %s: %.6g to %.6g, mean %.6g"), profile->names[channel], low, high,
                            sum / (double) count);
}

static void
set_accessible_text (gpointer widget, const char *text)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
update_text (CapraProfilePane *self)
{
  const CapraLine *line = capra_line_tool_get_line (self->tool);
  g_autofree char *numbers = line ? describe_line (self, line) : g_strdup ("");
  g_autofree char *name = g_strdup_printf (_ ("Line: %s"), numbers);
  g_autoptr (GString) values = g_string_new (_ ("Line profile: "));

  gtk_label_set_text (self->numbers, numbers);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->numbers), numbers);
  set_accessible_text (self->tool, name);
  g_string_append (values, numbers);
  for (guint c = 0; self->profile && c < self->profile->pixel.count; c++)
    append_statistics (values, self->profile, c);
  set_accessible_text (self->chart, values->str);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

/* Distances of all points from the first end, in @unit, or in pixels. Returns: whether the size of pixels is known */
static gboolean
fill_distances (CapraProfilePane *self, CapraRulerUnit *unit, double *distances)
{
  const CapraProfile *profile = self->profile;
  double length;
  gboolean known = measure_line (self, &profile->line, unit, &length);

  for (gsize i = 0; i < profile->count && known; i++)
    {
      double point[2];

      capra_line_get_point (&profile->line, i, &point[0], &point[1]);
      known = measure (self, &profile->line, point, unit, &distances[i]);
    }
  for (gsize i = 0; i < profile->count && !known; i++)
    distances[i] = capra_profile_get_distance (profile, i);
  return known;
}

/* Of a channel; 0 for any color. These are visible in light and dark themes. */
static guint32
get_color (const char *name)
{
  static const struct {
    const char *name;
    guint32 color;
  } colors[] = { { "red", 0xe01b24u }, { "green", 0x26a269u }, { "blue", 0x3584e4u }, { "alpha", 0x808080u } };

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    if (g_str_equal (name, colors[i].name))
      return colors[i].color;
  return 0;
}

static void
update_chart (CapraProfilePane *self)
{
  const CapraProfile *profile = self->profile;
  guint channels = profile ? profile->pixel.count : 0;
  gsize count = profile ? profile->count : 0;
  g_autofree double *distances = g_new (double, count), *values = g_new (double, count *channels);
  g_autofree CapraCurve *curves = g_new0 (CapraCurve, channels);
  CapraCurveFigure figure = { .curves = curves, .n_curves = channels, .y_label = _ ("Value") };
  g_autofree char *label = NULL;
  CapraRulerUnit unit;

  if (!profile)
    {
      capra_chart_set_figure (self->chart, NULL);
      return;
    }
  label = g_strdup_printf (_ ("Distance (%s)"), fill_distances (self, &unit, distances) ? unit.symbol : _ ("px"));
  figure.x_label = label;
  for (guint c = 0; c < channels; c++)
    {
      double *y = values + c * count;

      for (gsize i = 0; i < count; i++)
        y[i] = profile->values[i * channels + c];
      curves[c] = (CapraCurve){ .x = distances,
                                .y = y,
                                .count = count,
                                .name = channels > 1 ? profile->names[c] : NULL,
                                .color = get_color (profile->names[c]) };
    }
  capra_chart_set_figure (self->chart, &figure);
}

static void
on_profiled (CapraProfilePane *self)
{
  g_clear_pointer (&self->profile, capra_profile_unref);
  self->profile = self->preview ? capra_preview_get_profile (self->preview) : NULL;
  update_chart (self);
  update_text (self);
}

static void
on_line_changed (CapraProfilePane *self)
{
  gboolean active;

  g_object_get (self->tool, "active", &active, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), active);
  if (self->preview)
    capra_preview_set_line (self->preview, capra_line_tool_get_line (self->tool));
  if (active)
    update_text (self);
  else
    on_profiled (self);
}

void
capra_profile_pane_set_image (CapraProfilePane *pane, CapraPreview *preview, GeglBuffer *image, GFile *file)
{
  const GeglRectangle none = { 0, 0, 0, 0 };

  g_return_if_fail (CAPRA_IS_PROFILE_PANE (pane));
  if (pane->preview)
    g_signal_handlers_disconnect_by_data (pane->preview, pane);
  g_set_object (&pane->preview, preview);
  g_set_object (&pane->image, image);
  g_set_object (&pane->file, file);
  if (preview)
    g_signal_connect_object (preview, "profiled", G_CALLBACK (on_profiled), pane, G_CONNECT_SWAPPED);
  if (!pane->tool) /* the template is being disposed of */
    return;
  capra_line_tool_set_extent (pane->tool, image ? gegl_buffer_get_extent (image) : &none);
  on_profiled (pane);
  on_line_changed (pane);
}

CapraTable *
capra_profile_pane_get_table (CapraProfilePane *pane)
{
  g_autofree double *distances = NULL;
  CapraRulerUnit unit;
  gboolean known;

  g_return_val_if_fail (CAPRA_IS_PROFILE_PANE (pane), NULL);
  if (!pane->profile)
    return NULL;
  distances = g_new (double, pane->profile->count);
  known = fill_distances (pane, &unit, distances);
  return capra_profile_get_table (pane->profile, known ? unit.name : NULL, known ? distances : NULL);
}

static void
on_copy (CapraProfilePane *self)
{
  g_autoptr (CapraTable) table = capra_profile_pane_get_table (self);

  if (table)
    capra_table_export_copy (GTK_WIDGET (self), table);
}

static void
report_failure (GtkWidget *widget, const char *message)
{
  g_signal_emit (widget, failed_signal, 0, message);
}

static void
on_save (CapraProfilePane *self)
{
  g_autoptr (CapraTable) table = capra_profile_pane_get_table (self);

  if (table)
    capra_table_export_save (GTK_WIDGET (self), table, NULL, self->file, "profile", report_failure);
}

static void
on_close (CapraProfilePane *self)
{
  g_object_set (self->tool, "active", FALSE, NULL);
}

static void
capra_profile_pane_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  CapraProfilePane *self = CAPRA_PROFILE_PANE (object);

  switch (id)
    {
    case PROP_TOOL: g_value_set_object (value, self->tool); break;
    case PROP_TEXT: g_value_set_string (value, gtk_label_get_text (self->numbers)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
capra_profile_pane_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  CapraProfilePane *self = CAPRA_PROFILE_PANE (object);

  if (id != PROP_TOOL)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  self->tool = g_value_dup_object (value);
  g_signal_connect_object (self->tool, "changed", G_CALLBACK (on_line_changed), self, G_CONNECT_SWAPPED);
}

static void
capra_profile_pane_dispose (GObject *object)
{
  CapraProfilePane *self = CAPRA_PROFILE_PANE (object);

  g_clear_object (&self->tool);
  capra_profile_pane_set_image (self, NULL, NULL, NULL);
  g_clear_pointer (&self->profile, capra_profile_unref);
  G_OBJECT_CLASS (capra_profile_pane_parent_class)->dispose (object);
}

static void
capra_profile_pane_class_init (CapraProfilePaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = capra_profile_pane_dispose;
  object_class->get_property = capra_profile_pane_get_property;
  object_class->set_property = capra_profile_pane_set_property;
  properties[PROP_TOOL] = g_param_spec_object ("tool", NULL, NULL, CAPRA_TYPE_LINE_TOOL,
                                               G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  failed_signal = g_signal_new ("failed", CAPRA_TYPE_PROFILE_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_STRING);
  g_type_ensure (CAPRA_TYPE_CHART);
  gtk_widget_class_set_template_from_resource (widget_class, CAPRA_PANEL_RESOURCE "profile-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, CapraProfilePane, numbers);
  gtk_widget_class_bind_template_child (widget_class, CapraProfilePane, chart);
  gtk_widget_class_bind_template_callback (widget_class, on_copy);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
  gtk_widget_class_bind_template_callback (widget_class, on_close);
}

static void
capra_profile_pane_init (CapraProfilePane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
