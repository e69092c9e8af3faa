/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing-overlay: a dark card with bars for the upload, each kernel, the download and the host. */
#include "ui/panel/preview/timing-overlay.h"

#include <glib/gi18n-lib.h>

#include "ui/panel/widgets/draw.h"
#include "ui/panel/widgets/units.h"

#define WIDTH 300
#define MARGIN 12
#define GAP 5
#define BAR_HEIGHT 5
#define MAX_ROWS 8

typedef struct {
  char *name, *time;
  double share; /* of the longest time */
  GdkRGBA color;
} Row;

struct _CapraTimingOverlay {
  GtkWidget parent_instance;
  GArray *rows;
  char *title;
  guint64 first_record; /* number of timeline records before the view that is being timed */
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

static void
capra_timing_overlay_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                              int *minimum_baseline, int *natural_baseline)
{
  CapraTimingOverlay *overlay = CAPRA_TIMING_OVERLAY (widget);
  int line = 0;

  capra_draw_measure (widget, "0", NULL, &line);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = MAX (WIDTH, 16 * line);
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
  int step = row_height (widget), line = step - 2 - BAR_HEIGHT - GAP;
  double y = MARGIN, inner = width - 2 * MARGIN;

  capra_draw_box (snapshot, &card, 0, 0, width, gtk_widget_get_height (widget), 12);
  capra_draw_text (snapshot, widget, overlay->title, MARGIN, y, 0, inner, &text);
  y += line + GAP;
  for (guint i = 0; i < overlay->rows->len; i++, y += step)
    {
      const Row *row = &g_array_index (overlay->rows, Row, i);

      capra_draw_text (snapshot, widget, row->name, MARGIN, y, 0, inner * 0.68, &dim);
      capra_draw_text (snapshot, widget, row->time, width - MARGIN, y, 1, 0, &text);
      capra_draw_box (snapshot, &groove, MARGIN, y + line + 2, inner, BAR_HEIGHT, 3);
      capra_draw_box (snapshot, &row->color, MARGIN, y + line + 2, MAX (inner * row->share, 2), BAR_HEIGHT, 3);
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

static void
add_row (CapraTimingOverlay *overlay, const char *name, guint count, double time, double longest, GdkRGBA color)
{
  Row row = { NULL, capra_units_time (time), longest > 0 ? time / longest : 0, color };

  row.name = count > 1 ? g_strdup_printf ("%s × %u", name, count) : g_strdup (name);
  g_array_append_val (overlay->rows, row);
}

/* Transfers have a title; kernels are shown by their names. */
static const char *
get_title (const char *name)
{
  if (g_str_equal (name, "upload"))
    return _ ("Upload to the device");
  if (g_str_equal (name, "download"))
    return _ ("Download from the device");
  return name;
}

static void
fill_rows (CapraTimingOverlay *overlay, const CapraCommandTrace *trace)
{
  double longest = trace->host, others = 0;
  guint shown = MIN (trace->totals->len, MAX_ROWS), n_others = 0;

  for (guint i = 0; i < trace->totals->len; i++)
    longest = MAX (longest, g_array_index (trace->totals, CapraCommandTotal, i).time);
  if (trace->totals->len > MAX_ROWS)
    shown = MAX_ROWS - 1;
  for (guint i = 0; i < trace->totals->len; i++)
    {
      const CapraCommandTotal *bar = &g_array_index (trace->totals, CapraCommandTotal, i);

      /* The last bar is the download, which is always shown. Kernels that do not fit are combined into one bar. */
      if (i < shown - 1 || i + 1 == trace->totals->len || shown == trace->totals->len)
        {
          if (others > 0)
            add_row (overlay, _ ("Other kernels"), n_others, others, longest, capra_draw_color (CAPRA_PALETTE_COPY));
          others = 0;
          add_row (overlay, get_title (bar->name), bar->count, bar->time, longest,
                   capra_draw_color_of_record (bar->name));
          continue;
        }
      others += bar->time;
      longest = MAX (longest, others);
      n_others += bar->count;
    }
  add_row (overlay, _ ("Host"), 1, trace->host, longest, capra_draw_color (CAPRA_PALETTE_HOST));
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

static guint64
count_records (void)
{
  guint64 count = 0;

  capra_timeline_total (NULL, NULL, &count, NULL);
  return count;
}

void
capra_timing_overlay_begin (CapraTimingOverlay *overlay)
{
  g_return_if_fail (CAPRA_IS_TIMING_OVERLAY (overlay));
  overlay->first_record = count_records ();
  overlay->timing = TRUE;
}

void
capra_timing_overlay_end (CapraTimingOverlay *overlay, double wall)
{
  g_autoptr (GArray) records = NULL;
  g_autoptr (CapraCommandTrace) trace = NULL;

  g_return_if_fail (CAPRA_IS_TIMING_OVERLAY (overlay));
  if (!overlay->timing)
    return;
  overlay->timing = FALSE;
  if (count_records () < overlay->first_record)
    overlay->first_record = 0; /* the timeline was reset */
  records = capra_timeline_records (overlay->first_record);
  if (records->len > 0)
    trace = capra_command_trace_new (records, wall);
  capra_timing_overlay_set_trace (overlay, trace);
}
