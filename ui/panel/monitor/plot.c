/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot: memory over the last minute, the latest at the right. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/monitor/plot.h"
#include "ui/panel/widgets/units.h"

#define SPAN (60.0 * G_TIME_SPAN_SECOND)
#define HEIGHT 96

typedef struct {
  gint64 time;
  guint64 areas[CAPRA_PLOT_AREAS], line;
} Sample;

struct _CapraPlot {
  GtkWidget parent_instance;
  CapraPaletteColor colors[CAPRA_PLOT_AREAS], line;
  GArray *samples;
};

G_DEFINE_FINAL_TYPE (CapraPlot, capra_plot, GTK_TYPE_WIDGET)

static double
time_to_x (gint64 time, gint64 now, double width)
{
  return width * (1 - (double) (now - time) / SPAN);
}

/* Adds the sum of the first @areas areas to the path, from left to right, or @back from right to left. */
static void
add_sum (CapraPlot *plot, cairo_t *cr, int areas, double width, double height, double top, gint64 now, gboolean back)
{
  for (guint i = 0; i < plot->samples->len; i++)
    {
      const Sample *sample = &g_array_index (plot->samples, Sample, back ? plot->samples->len - 1 - i : i);
      guint64 sum = 0;

      for (int a = 0; a < areas; a++)
        sum += sample->areas[a];
      cairo_line_to (cr, time_to_x (sample->time, now, width), height * (1 - (double) sum / top));
    }
}

static void
draw_areas (CapraPlot *plot, cairo_t *cr, double width, double height, double top, gint64 now)
{
  for (int a = 0; a < CAPRA_PLOT_AREAS; a++)
    {
      GdkRGBA color = capra_draw_color (plot->colors[a]);

      color.alpha = 0.75f;
      cairo_new_path (cr);
      add_sum (plot, cr, a, width, height, top, now, FALSE);
      add_sum (plot, cr, a + 1, width, height, top, now, TRUE);
      cairo_close_path (cr);
      gdk_cairo_set_source_rgba (cr, &color);
      cairo_fill (cr);
    }
}

static void
draw_line (CapraPlot *plot, cairo_t *cr, double width, double height, double top, gint64 now)
{
  GdkRGBA color = capra_draw_color (plot->line);

  cairo_new_path (cr);
  for (guint i = 0; i < plot->samples->len; i++)
    {
      const Sample *sample = &g_array_index (plot->samples, Sample, i);

      if (sample->line > 0)
        cairo_line_to (cr, time_to_x (sample->time, now, width), height * (1 - (double) sample->line / top));
    }
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

/* The smallest power of two above all samples. */
static guint64
find_top (CapraPlot *plot)
{
  guint64 top = 1u << 20, most = 0;

  for (guint i = 0; i < plot->samples->len; i++)
    {
      const Sample *sample = &g_array_index (plot->samples, Sample, i);
      guint64 sum = 0;

      for (int a = 0; a < CAPRA_PLOT_AREAS; a++)
        sum += sample->areas[a];
      most = MAX (most, MAX (sum, sample->line));
    }
  while (top < most + most / 8)
    top *= 2;
  return top;
}

static void
capra_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraPlot *plot = CAPRA_PLOT (widget);
  double width = gtk_widget_get_width (widget), height = 0;
  GdkRGBA groove = capra_draw_foreground (widget, 0.05), grid = capra_draw_foreground (widget, 0.10),
          dim = capra_draw_foreground (widget, 0.6);
  guint64 top = find_top (plot);
  g_autofree char *label = capra_units_bytes (top);
  graphene_rect_t bounds;
  GskRoundedRect clip;
  cairo_t *cr = NULL;
  int line = 0;

  capra_draw_measure (widget, "0", NULL, &line);
  height = gtk_widget_get_height (widget) - line - 2;
  bounds = GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height);
  gsk_rounded_rect_init_from_rect (&clip, &bounds, 6);
  gtk_snapshot_push_rounded_clip (snapshot, &clip);
  gtk_snapshot_append_color (snapshot, &groove, &bounds);
  for (int i = 1; i < 4; i++)
    gtk_snapshot_append_color (snapshot, &grid, &GRAPHENE_RECT_INIT (0, (float) (height * i / 4), (float) width, 1));
  for (int i = 1; i < 6; i++)
    gtk_snapshot_append_color (snapshot, &grid, &GRAPHENE_RECT_INIT ((float) (width * i / 6), 0, 1, (float) height));
  if (plot->samples->len > 0)
    {
      gint64 now = g_array_index (plot->samples, Sample, plot->samples->len - 1).time;

      cr = gtk_snapshot_append_cairo (snapshot, &bounds);
      draw_areas (plot, cr, width, height, (double) top, now);
      draw_line (plot, cr, width, height, (double) top, now);
      cairo_destroy (cr);
    }
  gtk_snapshot_pop (snapshot);
  capra_draw_text (snapshot, widget, label, 6, 2, 0, 0, &dim);
  capra_draw_text (snapshot, widget, _ ("a minute ago"), 0, height + 2, 0, 0, &dim);
  capra_draw_text (snapshot, widget, _ ("now"), width, height + 2, 1, 0, &dim);
}

static void
capra_plot_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                    int *minimum_baseline, int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 360 : HEIGHT + 24;
}

static void
capra_plot_finalize (GObject *object)
{
  g_array_unref (CAPRA_PLOT (object)->samples);
  G_OBJECT_CLASS (capra_plot_parent_class)->finalize (object);
}

static void
capra_plot_class_init (CapraPlotClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = capra_plot_finalize;
  widget_class->snapshot = capra_plot_snapshot;
  widget_class->measure = capra_plot_measure;
  gtk_widget_class_set_css_name (widget_class, "plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
capra_plot_init (CapraPlot *plot)
{
  plot->samples = g_array_new (FALSE, TRUE, sizeof (Sample));
  gtk_widget_add_css_class (GTK_WIDGET (plot), "caption");
  gtk_accessible_update_property (GTK_ACCESSIBLE (plot), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Memory over the last minute"), -1);
}

GtkWidget *
capra_plot_new (const CapraPaletteColor colors[CAPRA_PLOT_AREAS], CapraPaletteColor line)
{
  CapraPlot *plot = g_object_new (CAPRA_TYPE_PLOT, "hexpand", TRUE, NULL);

  memcpy (plot->colors, colors, sizeof plot->colors);
  plot->line = line;
  return GTK_WIDGET (plot);
}

void
capra_plot_add (CapraPlot *plot, const guint64 areas[CAPRA_PLOT_AREAS], guint64 line)
{
  Sample sample = { .time = g_get_monotonic_time (), .line = line };
  guint old = 0;

  g_return_if_fail (CAPRA_IS_PLOT (plot));

  memcpy (sample.areas, areas, sizeof sample.areas);
  /* One sample outside the plot is kept, so that the areas reach its edge. */
  while (old + 1 < plot->samples->len && sample.time - g_array_index (plot->samples, Sample, old + 1).time > SPAN)
    old++;
  if (old > 0)
    g_array_remove_range (plot->samples, 0, old);
  g_array_append_val (plot->samples, sample);
  gtk_widget_queue_draw (GTK_WIDGET (plot));
}
