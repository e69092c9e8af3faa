/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing-overlay: a dark card with bars for the host, transfers and kernels. */
#include "ui/panel/preview/timing-overlay.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/draw.h"
#include "ui/panel/widgets/units.h"

#define WIDTH 300
#define MARGIN 12
#define GAP 5
#define BAR_HEIGHT 5
#define INDENT 12
#define COLUMN_GAP 12    /* between a name and its time, at least */
#define MAX_KERNELS 5    /* shown by their names */
#define MIN_BUILDING 1.0 /* ms: shorter times for building programs are not shown */

typedef struct {
  char *name, *time;
  double share;    /* of the longest time; negative for no bar */
  gboolean detail; /* of the row above */
  GdkRGBA color;
} Row;

struct _CapraTimingOverlay {
  GtkWidget parent_instance;
  GArray *rows;
  char *title;
  gboolean timing;
};

G_DEFINE_FINAL_TYPE (CapraTimingOverlay, capra_timing_overlay, GTK_TYPE_WIDGET)

static void
row_clear (gpointer data)
{
  Row *row = data;

  g_free (row->name);
  g_free (row->time);
}

static int
row_height (GtkWidget *widget)
{
  int height = 0;

  capra_draw_measure (widget, "0", NULL, &height);
  return height + 2 + BAR_HEIGHT + GAP;
}

/* The width of the longest row that is not of a kernel, whose names can be of any length. */
static int
measure_rows (CapraTimingOverlay *overlay)
{
  int longest = 0;

  for (guint i = 0; i < overlay->rows->len; i++)
    {
      const Row *row = &g_array_index (overlay->rows, Row, i);
      int name = 0, time = 0;

      capra_draw_measure (GTK_WIDGET (overlay), row->name, &name, NULL);
      capra_draw_measure (GTK_WIDGET (overlay), row->time, &time, NULL);
      if (!row->detail)
        longest = MAX (longest, name + COLUMN_GAP + time);
    }
  return longest;
}

static void
capra_timing_overlay_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                              int *minimum_baseline, int *natural_baseline)
{
  CapraTimingOverlay *overlay = CAPRA_TIMING_OVERLAY (widget);
  int line = 0;

  capra_draw_measure (widget, "0", NULL, &line);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = MAX (MAX (WIDTH, 16 * line), 2 * MARGIN + measure_rows (overlay));
  else
    *minimum = *natural = 2 * MARGIN + line + GAP + (int) overlay->rows->len * row_height (widget);
}

static void
capra_timing_overlay_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraTimingOverlay *overlay = CAPRA_TIMING_OVERLAY (widget);
  const GdkRGBA card = { 0.08f, 0.08f, 0.09f, 0.82f }, text = { 1, 1, 1, 0.95f }, dim = { 1, 1, 1, 0.65f },
                groove = { 1, 1, 1, 0.12f };
  int width = gtk_widget_get_width (widget);
  int step = row_height (widget), line = step - 2 - BAR_HEIGHT - GAP, time = 0;
  double y = MARGIN, inner = width - 2 * MARGIN;

  capra_draw_box (snapshot, &card, 0, 0, width, gtk_widget_get_height (widget), 12);
  capra_draw_text (snapshot, widget, overlay->title, MARGIN, y, 0, inner, &text);
  y += line + GAP;
  for (guint i = 0; i < overlay->rows->len; i++, y += step)
    {
      const Row *row = &g_array_index (overlay->rows, Row, i);
      double left = row->detail ? MARGIN + INDENT : MARGIN, length = inner + MARGIN - left;

      capra_draw_measure (widget, row->time, &time, NULL);
      capra_draw_text (snapshot, widget, row->name, left, y, 0, length - time - COLUMN_GAP, row->detail ? &dim : &text);
      capra_draw_text (snapshot, widget, row->time, width - MARGIN, y, 1, 0, &text);
      if (row->share < 0)
        continue;
      capra_draw_box (snapshot, &groove, left, y + line + 2, length, BAR_HEIGHT, 3);
      capra_draw_box (snapshot, &row->color, left, y + line + 2, MAX (length * row->share, 2), BAR_HEIGHT, 3);
    }
}

static void
capra_timing_overlay_finalize (GObject *object)
{
  CapraTimingOverlay *overlay = CAPRA_TIMING_OVERLAY (object);

  g_array_unref (overlay->rows);
  g_free (overlay->title);
  G_OBJECT_CLASS (capra_timing_overlay_parent_class)->finalize (object);
}

static void
capra_timing_overlay_class_init (CapraTimingOverlayClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = capra_timing_overlay_finalize;
  widget_class->measure = capra_timing_overlay_measure;
  widget_class->snapshot = capra_timing_overlay_snapshot;
  gtk_widget_class_set_css_name (widget_class, "timing-overlay");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
capra_timing_overlay_init (CapraTimingOverlay *overlay)
{
  overlay->rows = g_array_new (FALSE, TRUE, sizeof (Row));
  g_array_set_clear_func (overlay->rows, row_clear);
  overlay->title = g_strdup ("");
  gtk_widget_set_can_target (GTK_WIDGET (overlay), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (overlay), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (overlay), "numeric");
  gtk_widget_set_visible (GTK_WIDGET (overlay), FALSE);
}

GtkWidget *
capra_timing_overlay_new (void)
{
  return g_object_new (CAPRA_TYPE_TIMING_OVERLAY, "halign", GTK_ALIGN_START, "valign", GTK_ALIGN_END, NULL);
}

static Row *
add_row (CapraTimingOverlay *overlay, const char *name, guint count, double time, double longest, GdkRGBA color)
{
  Row row = { NULL, capra_units_time (time), longest > 0 ? time / longest : 0, FALSE, color };

  row.name = count > 1 ? g_strdup_printf ("%s × %u", name, count) : g_strdup (name);
  g_array_append_val (overlay->rows, row);
  return &g_array_index (overlay->rows, Row, overlay->rows->len - 1);
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const CapraCommandTotal *x = a, *y = b;

  return (y->time > x->time) - (y->time < x->time);
}

/* The sum of transfers, or of kernels. @kernels: (nullable): gets the totals of the latter. */
static CapraCommandTotal
sum_up (const CapraCommandTrace *trace, gboolean transfers, GArray *kernels)
{
  CapraCommandTotal sum = { 0 };

  for (guint i = 0; i < trace->totals->len; i++)
    {
      const CapraCommandTotal *total = &g_array_index (trace->totals, CapraCommandTotal, i);

      if (capra_timeline_is_transfer (total->name) != transfers)
        continue;
      sum.count += total->count;
      sum.time += total->time;
      if (kernels)
        g_array_append_val (kernels, *total);
    }
  return sum;
}

/* The kernels that take longest; others are combined in one row. */
static void
add_kernels (CapraTimingOverlay *overlay, GArray *kernels, double longest)
{
  CapraCommandTotal others = { 0 };

  g_array_sort (kernels, compare_times);
  for (guint i = 0; i < kernels->len; i++)
    {
      const CapraCommandTotal *kernel = &g_array_index (kernels, CapraCommandTotal, i);

      if (i >= MAX_KERNELS)
        {
          others.count += kernel->count;
          others.time += kernel->time;
          continue;
        }
      add_row (overlay, kernel->name, kernel->count, kernel->time, longest, capra_draw_color_of_record (kernel->name))
        ->detail
        = TRUE;
    }
  if (others.count > 0)
    add_row (overlay, _ ("Other kernels"), others.count, others.time, longest, capra_draw_color (CAPRA_PALETTE_COPY))
      ->detail
      = TRUE;
}

static void
fill_rows (CapraTimingOverlay *overlay, const CapraCommandTrace *trace)
{
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (CapraCommandTotal));
  CapraCommandTotal transfers = sum_up (trace, TRUE, NULL), kernels = sum_up (trace, FALSE, names);
  double longest = MAX (trace->host, MAX (transfers.time, kernels.time));

  add_row (overlay, _ ("Host"), 1, trace->host, longest, capra_draw_color (CAPRA_PALETTE_HOST));
  add_row (overlay, _ ("Transfers"), transfers.count, transfers.time, longest, capra_draw_color (CAPRA_PALETTE_UPLOAD));
  add_row (overlay, _ ("Kernels"), kernels.count, kernels.time, longest, capra_draw_color (CAPRA_PALETTE_ARRAYS));
  add_kernels (overlay, names, longest);
  if (trace->building >= MIN_BUILDING)
    add_row (overlay, _ ("First use: building kernels"), 1, trace->building, 0, capra_draw_color (CAPRA_PALETTE_HOST))
      ->share
      = -1;
}

void
capra_timing_overlay_set_trace (CapraTimingOverlay *overlay, CapraCommandTrace *trace)
{
  g_autofree char *time = NULL;
  g_autoptr (GString) devices = g_string_new (NULL);
  g_autoptr (GString) summary = NULL;

  g_return_if_fail (CAPRA_IS_TIMING_OVERLAY (overlay));

  g_array_set_size (overlay->rows, 0);
  gtk_widget_set_visible (GTK_WIDGET (overlay), trace != NULL);
  if (!trace)
    return;
  for (guint i = 0; i < trace->devices->len; i++)
    g_string_append_printf (devices, "%s%s", i ? ", " : "", (const char *) trace->devices->pdata[i]);
  fill_rows (overlay, trace);
  time = capra_units_time (trace->wall);
  g_free (overlay->title);
  overlay->title = trace->devices->len ? g_strdup_printf ("%s · %s", time, devices->str) : g_strdup (time);

  summary = g_string_new (overlay->title);
  for (guint i = 0; i < overlay->rows->len; i++)
    g_string_append_printf (summary, ", %s %s", g_array_index (overlay->rows, Row, i).name,
                            g_array_index (overlay->rows, Row, i).time);
  gtk_accessible_update_property (GTK_ACCESSIBLE (overlay), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Timings of the preview"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, summary->str, -1);
  gtk_widget_queue_resize (GTK_WIDGET (overlay));
}

void
capra_timing_overlay_begin (CapraTimingOverlay *overlay)
{
  g_return_if_fail (CAPRA_IS_TIMING_OVERLAY (overlay));
  overlay->timing = TRUE;
}

void
capra_timing_overlay_end (CapraTimingOverlay *overlay, CapraTimelineScope *scope, double wall, double building)
{
  g_autoptr (CapraCommandTrace) trace = NULL;

  g_return_if_fail (CAPRA_IS_TIMING_OVERLAY (overlay));
  if (!overlay->timing)
    return;
  overlay->timing = FALSE;
  if (scope)
    trace = capra_command_trace_new_of_scope (scope, wall, building);
  capra_timing_overlay_set_trace (overlay, trace);
}
