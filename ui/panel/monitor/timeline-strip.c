/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timeline strip: draws a command trace; tooltips describe the commands. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/panel/widgets/draw.h"
#include "ui/panel/monitor/timeline-strip.h"
#include "ui/panel/widgets/units.h"

#define LANE_GAP 3
#define LANES 3
#define PADDING 6

struct _CapraTimelineStrip {
  GtkWidget parent_instance;
  CapraCommandTrace *trace;
};

G_DEFINE_FINAL_TYPE (CapraTimelineStrip, capra_timeline_strip, GTK_TYPE_WIDGET)

/* The positions of the parts, in pixels. */
typedef struct {
  int line;           /* height of a line of text */
  double left, width; /* of the lanes */
  double device;      /* height of a device's lanes with its heading */
  double scale;       /* pixels per millisecond */
} Layout;

static int
lane_of (const char *name)
{
  return g_str_equal (name, "upload") ? 0 : g_str_equal (name, "download") ? 2 : 1;
}

static const char *
lane_name (int lane)
{
  /* Translators: lanes of the timeline: transfers to the device, kernels, transfers back. */
  static const char *const names[LANES] = { NC_ ("lane", "in"), NC_ ("lane", "kernels"), NC_ ("lane", "out") };

  return g_dpgettext2 (GETTEXT_PACKAGE, "lane", names[lane]);
}

static Layout
lay_out (CapraTimelineStrip *strip)
{
  GtkWidget *widget = GTK_WIDGET (strip);
  Layout layout = { 0 };

  capra_draw_measure (widget, "0", NULL, &layout.line);
  for (int i = 0; i < LANES; i++)
    {
      int width = 0;

      capra_draw_measure (widget, lane_name (i), &width, NULL);
      layout.left = MAX (layout.left, width + 2 * PADDING);
    }
  layout.width = MAX (gtk_widget_get_width (widget) - layout.left - PADDING, 1);
  layout.device = (LANES + 1) * (layout.line + LANE_GAP);
  if (strip->trace && strip->trace->span > 0)
    layout.scale = layout.width / strip->trace->span;
  return layout;
}

static graphene_rect_t
command_bounds (const Layout *layout, const CapraTracedCommand *command)
{
  double top = command->device * layout->device + (1 + lane_of (command->name)) * (layout->line + LANE_GAP);

  return GRAPHENE_RECT_INIT ((float) (layout->left + command->start * layout->scale), (float) top,
                             (float) MAX ((command->end - command->start) * layout->scale, 1.5), (float) layout->line);
}

static void
capra_timeline_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                              int *minimum_baseline, int *natural_baseline)
{
  CapraTimelineStrip *strip = CAPRA_TIMELINE_STRIP (widget);
  Layout layout = lay_out (strip);
  guint devices = strip->trace ? MAX (strip->trace->devices->len, 1) : 1;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 160;
      *natural = 480;
    }
  else
    *minimum = *natural = (int) (devices * layout.device) + layout.line + 2 * PADDING;
}

/* The step of the time axis: 1, 2 or 5 times a power of ten, at least @pixels wide. */
static double
tick_step (const Layout *layout, double pixels)
{
  double least = pixels / layout->scale;
  double power = pow (10, floor (log10 (least)));
  double ratio = least / power;

  return power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
}

static void
draw_axis (CapraTimelineStrip *strip, GtkSnapshot *snapshot, const Layout *layout)
{
  GtkWidget *widget = GTK_WIDGET (strip);
  GdkRGBA line = capra_draw_foreground (widget, 0.12), text = capra_draw_foreground (widget, 0.6);
  double bottom = strip->trace->devices->len * layout->device + PADDING;
  double step = tick_step (layout, 90);

  for (double time = 0; time <= strip->trace->span * 1.0001; time += step)
    {
      double x = layout->left + time * layout->scale;
      g_autofree char *label = time > 0 ? capra_units_time (time) : g_strdup ("0");
      gboolean last = x > layout->left + layout->width - 30;

      gtk_snapshot_append_color (
        snapshot, &line, &GRAPHENE_RECT_INIT ((float) x, (float) layout->line, 1, (float) (bottom - layout->line)));
      capra_draw_text (snapshot, widget, label, x, bottom, time > 0 ? last ? 1 : 0.5 : 0, 0, &text);
    }
}

static void
draw_lanes (CapraTimelineStrip *strip, GtkSnapshot *snapshot, const Layout *layout)
{
  GtkWidget *widget = GTK_WIDGET (strip);
  GdkRGBA groove = capra_draw_foreground (widget, 0.06), text = capra_draw_foreground (widget, 0.6),
          heading = capra_draw_foreground (widget, 0.9);

  for (guint device = 0; device < strip->trace->devices->len; device++)
    {
      double top = device * layout->device;

      capra_draw_text (snapshot, widget, strip->trace->devices->pdata[device], PADDING, top, 0, layout->width,
                       &heading);
      for (int lane = 0; lane < LANES; lane++)
        {
          double y = top + (1 + lane) * (layout->line + LANE_GAP);

          capra_draw_box (snapshot, &groove, layout->left, y, layout->width, layout->line, 4);
          capra_draw_text (snapshot, widget, lane_name (lane), layout->left - PADDING, y, 1, 0, &text);
        }
    }
}

static void
draw_commands (CapraTimelineStrip *strip, GtkSnapshot *snapshot, const Layout *layout)
{
  const GdkRGBA ink = { 1, 1, 1, 0.95f };

  for (guint i = 0; i < strip->trace->commands->len; i++)
    {
      const CapraTracedCommand *command = &g_array_index (strip->trace->commands, CapraTracedCommand, i);
      graphene_rect_t box = command_bounds (layout, command);
      GdkRGBA color = capra_draw_color_of_record (command->name);

      capra_draw_box (snapshot, &color, box.origin.x, box.origin.y, box.size.width, box.size.height, 3);
      if (box.size.width > 40)
        capra_draw_text (snapshot, GTK_WIDGET (strip), command->name, box.origin.x + 4, box.origin.y, 0,
                         box.size.width - 6, &ink);
    }
}

static void
capra_timeline_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraTimelineStrip *strip = CAPRA_TIMELINE_STRIP (widget);
  Layout layout = lay_out (strip);
  GdkRGBA dim = capra_draw_foreground (widget, 0.6);

  if (!strip->trace || strip->trace->span <= 0)
    {
      capra_draw_text (snapshot, widget, _ ("No operation has run yet"), gtk_widget_get_width (widget) / 2.0,
                       (gtk_widget_get_height (widget) - layout.line) / 2.0, 0.5, 0, &dim);
      return;
    }
  draw_lanes (strip, snapshot, &layout);
  draw_axis (strip, snapshot, &layout);
  draw_commands (strip, snapshot, &layout);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  CapraTimelineStrip *strip = CAPRA_TIMELINE_STRIP (widget);
  Layout layout = lay_out (strip);

  for (guint i = strip->trace ? strip->trace->commands->len : 0; i-- > 0;)
    {
      const CapraTracedCommand *command = &g_array_index (strip->trace->commands, CapraTracedCommand, i);
      graphene_rect_t box = command_bounds (&layout, command);
      g_autofree char *time = NULL, *rate = NULL, *size = NULL, *text = NULL;

      graphene_rect_inset (&box, -2, 0);
      if (!graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
        continue;
      time = capra_units_time (command->end - command->start);
      rate = command->shared ? capra_units_shared () : capra_units_rate (command->bytes, command->end - command->start);
      size = capra_units_bytes (command->bytes);
      text = g_strdup_printf ("%s\n%s · %s · %s", command->name, time, size, rate);
      gtk_tooltip_set_text (tooltip, text);
      return TRUE;
    }
  return FALSE;
}

static void
capra_timeline_strip_finalize (GObject *object)
{
  g_clear_pointer (&CAPRA_TIMELINE_STRIP (object)->trace, capra_command_trace_unref);
  G_OBJECT_CLASS (capra_timeline_strip_parent_class)->finalize (object);
}

static void
capra_timeline_strip_class_init (CapraTimelineStripClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = capra_timeline_strip_finalize;
  widget_class->measure = capra_timeline_strip_measure;
  widget_class->snapshot = capra_timeline_strip_snapshot;
  gtk_widget_class_set_css_name (widget_class, "timeline-strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
capra_timeline_strip_init (CapraTimelineStrip *strip)
{
  gtk_widget_add_css_class (GTK_WIDGET (strip), "caption");
  gtk_widget_set_has_tooltip (GTK_WIDGET (strip), TRUE);
  g_signal_connect (strip, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (strip), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Timeline of the last run"),
                                  -1);
}

GtkWidget *
capra_timeline_strip_new (void)
{
  return g_object_new (CAPRA_TYPE_TIMELINE_STRIP, "hexpand", TRUE, "margin-top", 6, NULL);
}

void
capra_timeline_strip_set_trace (CapraTimelineStrip *strip, CapraCommandTrace *trace)
{
  g_autofree char *time = NULL, *text = NULL;
  guint n = trace ? trace->commands->len : 0;

  g_return_if_fail (CAPRA_IS_TIMELINE_STRIP (strip));

  if (trace)
    capra_command_trace_ref (trace);
  g_clear_pointer (&strip->trace, capra_command_trace_unref);
  strip->trace = trace;
  time = capra_units_time (trace ? trace->span : 0);
  /* Translators: the number of commands, and their total time */
  text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u command in %s", "%u commands in %s", n), n, time);
  gtk_accessible_update_property (GTK_ACCESSIBLE (strip), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_resize (GTK_WIDGET (strip));
}
