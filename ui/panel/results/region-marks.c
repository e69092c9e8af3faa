/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region-marks: the regions of a table over the image: their outlines and numbers, and their selection by the pointer.
 */
#include "ui/panel/results/region-marks.h"

#include <math.h>
#include <string.h>

#include "ui/panel/results/number-places.h"
#include "ui/panel/results/region-outlines.h"
#include "ui/panel/widgets/draw.h"
#include "ui/panel/widgets/pixels.h"

#define MAX_NUMBERS 500 /* drawn at once */
#define MAX_BOXES 20000
#define NUMBER_MARGIN 3.0 /* around a number, in units of the widget */
#define CLICK_DISTANCE 4.0
#define REGION_SHARE 0.25 /* of the view that a region covers after it was zoomed to */
#define MAX_ZOOM 16.0

static const CapraOutlineStyle all_regions = { 0xff00d0ff, 0xffffd000, 0x40403400 };
static const GdkRGBA plain = { 0.0f, 0.82f, 1.0f, 1.0f }, selected_color = { 1.0f, 0.82f, 0.0f, 1.0f };
static const GdkRGBA number_back = { 0, 0, 0, 0.6f }, number_front = { 1, 1, 1, 1 };

struct _CapraRegionMarks {
  GtkWidget parent_instance;
  CapraCanvas *canvas;
  CapraResultsTable *table;
  CapraRegionLabels *labels;
  gboolean all;
  GdkTexture *outlines; /* as last drawn; NULL if something has changed */
  double press_x, press_y;
  gboolean dragging;
  graphene_rect_t band; /* the rectangle of a drag, in coordinates of the canvas */
};

G_DEFINE_FINAL_TYPE (CapraRegionMarks, capra_region_marks, GTK_TYPE_WIDGET)

static guint picked_signal;

/* The columns that the marks need. */
typedef struct {
  guint label, x, y, min_x, min_y, max_x, max_y;
} Columns;

static Columns
find_columns (CapraRegionMarks *self)
{
  static const char *const names[] = { "label", "centroid_x", "centroid_y", "min_x", "min_y", "max_x", "max_y" };
  guint found[G_N_ELEMENTS (names)];

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    found[i] = (guint) capra_results_table_find_column (self->table, names[i]);
  return (Columns){ found[0], found[1], found[2], found[3], found[4], found[5], found[6] };
}

static gboolean
has_regions (CapraRegionMarks *self)
{
  return self->table && capra_results_table_has_regions (self->table);
}

static void
redraw (CapraRegionMarks *self)
{
  g_clear_object (&self->outlines);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The box of a row, in coordinates of the canvas. */
static graphene_rect_t
get_box (CapraRegionMarks *self, const Columns *columns, guint row)
{
  double scale = capra_canvas_get_unit_scale (self->canvas), x, y;
  double left = capra_results_table_get_value (self->table, row, columns->min_x);
  double top = capra_results_table_get_value (self->table, row, columns->min_y);
  double right = capra_results_table_get_value (self->table, row, columns->max_x) + 1.0;
  double bottom = capra_results_table_get_value (self->table, row, columns->max_y) + 1.0;

  capra_canvas_get_origin (self->canvas, &x, &y);
  return GRAPHENE_RECT_INIT ((float) (left * scale + x), (float) (top * scale + y), (float) ((right - left) * scale),
                             (float) ((bottom - top) * scale));
}

static gboolean
is_selected (CapraRegionMarks *self, guint row)
{
  return gtk_bitset_contains (capra_results_table_get_selected (self->table), row);
}

/* (transfer full): the labels of the rows that are selected. */
static GHashTable *
get_selected_labels (CapraRegionMarks *self)
{
  GHashTable *labels = g_hash_table_new (NULL, NULL);
  guint column = find_columns (self).label, row;
  GtkBitsetIter iter;

  for (gboolean more = gtk_bitset_iter_init_first (&iter, capra_results_table_get_selected (self->table), &row); more;
       more = gtk_bitset_iter_next (&iter, &row))
    g_hash_table_add (labels, GUINT_TO_POINTER ((guint32) capra_results_table_get_value (self->table, row, column)));
  return labels;
}

static void
draw_outlines (CapraRegionMarks *self, GtkSnapshot *snapshot)
{
  GtkWidget *widget = GTK_WIDGET (self);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  int factor = gtk_widget_get_scale_factor (widget);
  CapraOutlineStyle style = all_regions;
  double x, y;

  capra_canvas_get_origin (self->canvas, &x, &y);
  if (!self->all)
    style.all = 0;
  if (!self->outlines)
    {
      double scale = capra_canvas_get_unit_scale (self->canvas);
      g_autoptr (GHashTable) selected = get_selected_labels (self);

      self->outlines = capra_region_outlines_new (self->labels, width * factor, height * factor, -x / scale, -y / scale,
                                                  scale * factor, selected, &style);
    }
  capra_pixels_draw (snapshot, widget, self->outlines, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
}

static void
draw_box (GtkSnapshot *snapshot, const graphene_rect_t *box, const GdkRGBA *color, float width)
{
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, box, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ width, width, width, width },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
}

/* In place of outlines. */
static void
draw_boxes (CapraRegionMarks *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  Columns columns = find_columns (self);
  guint rows = capra_results_table_get_rows (self->table);

  for (guint row = 0, drawn = 0; row < rows && drawn < MAX_BOXES; row++)
    {
      gboolean selected = is_selected (self, row);
      graphene_rect_t box = get_box (self, &columns, row);

      if ((!self->all && !selected) || !graphene_rect_intersection (&box, area, NULL))
        continue;
      draw_box (snapshot, &box, selected ? &selected_color : &plain, selected ? 2.0f : 1.0f);
      drawn++;
    }
}

/* What is needed to draw numbers. */
typedef struct {
  Columns columns;
  int digit, height; /* the size of a digit */
  CapraNumberPlaces *places;
} Numbers;

/* Returns: whether there was space for the number. Measuring each text would take long. */
static gboolean
draw_number (CapraRegionMarks *self, GtkSnapshot *snapshot, const Numbers *numbers, guint row)
{
  const Columns *columns = &numbers->columns;
  double scale = capra_canvas_get_unit_scale (self->canvas), x, y;
  double center_x = capra_results_table_get_value (self->table, row, columns->x) + 0.5;
  double center_y = capra_results_table_get_value (self->table, row, columns->y) + 0.5;
  graphene_rect_t region = get_box (self, columns, row), box;
  gboolean selected = is_selected (self, row);
  char text[32];
  int width;

  g_snprintf (text, sizeof text, "%.0f", capra_results_table_get_value (self->table, row, columns->label));
  width = numbers->digit * (int) strlen (text);
  if (!selected && (region.size.width < (float) width || region.size.height < (float) numbers->height))
    return FALSE;
  capra_canvas_get_origin (self->canvas, &x, &y);
  x += center_x * scale;
  y += center_y * scale - numbers->height / 2.0;
  box = GRAPHENE_RECT_INIT ((float) (x - width / 2.0 - NUMBER_MARGIN), (float) y, (float) (width + 2 * NUMBER_MARGIN),
                            (float) numbers->height);
  if (!capra_number_places_take (numbers->places, &box))
    return FALSE;
  capra_draw_box (snapshot, &number_back, box.origin.x, box.origin.y, box.size.width, box.size.height, 3.0);
  capra_draw_text (snapshot, GTK_WIDGET (self), text, x, y, 0.5, 0.0, selected ? &selected_color : &number_front);
  return TRUE;
}

/* Those of selected regions come first. Boxes without space for a digit are left out. */
static void
draw_numbers (CapraRegionMarks *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  Numbers numbers = { .columns = find_columns (self) };
  guint rows = capra_results_table_get_rows (self->table), drawn = 0;

  capra_draw_measure (GTK_WIDGET (self), "0", &numbers.digit, &numbers.height);
  numbers.places = capra_number_places_new (area, (float) numbers.height);
  for (int pass = 0; pass < 2; pass++)
    for (guint row = 0; row < rows && drawn < MAX_NUMBERS; row++)
      {
        graphene_rect_t box = get_box (self, &numbers.columns, row);
        gboolean fits = self->all && box.size.width >= (float) numbers.digit
                        && box.size.height >= (float) numbers.height;

        if ((pass == 0 ? is_selected (self, row) : fits && !is_selected (self, row))
            && graphene_rect_intersection (&box, area, NULL))
          drawn += draw_number (self, snapshot, &numbers, row) ? 1 : 0;
      }
  capra_number_places_free (numbers.places);
}

static void
capra_region_marks_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraRegionMarks *self = CAPRA_REGION_MARKS (widget);
  graphene_rect_t area = capra_canvas_get_result_area (self->canvas);

  if (!has_regions (self) || area.size.width <= 0.0f
      || (!self->all && gtk_bitset_is_empty (capra_results_table_get_selected (self->table))))
    return;
  gtk_snapshot_push_clip (snapshot, &area);
  if (self->labels && self->labels->labels)
    draw_outlines (self, snapshot);
  else
    draw_boxes (self, snapshot, &area);
  draw_numbers (self, snapshot, &area);
  if (self->dragging)
    draw_box (snapshot, &self->band, &selected_color, 1.0f);
  gtk_snapshot_pop (snapshot);
}

/* The row of the region at a point of the image, or -1. Without labels, that of the smallest box around the point. */
static int
find_row (CapraRegionMarks *self, double x, double y)
{
  Columns columns = find_columns (self);
  double smallest = INFINITY;
  int found = -1;

  if (self->labels && self->labels->labels)
    {
      guint32 label = capra_region_labels_get (self->labels, x, y);

      return label ? capra_results_table_find_label (self->table, label) : -1;
    }
  for (guint row = 0; row < capra_results_table_get_rows (self->table); row++)
    {
      double left = capra_results_table_get_value (self->table, row, columns.min_x);
      double top = capra_results_table_get_value (self->table, row, columns.min_y);
      double right = capra_results_table_get_value (self->table, row, columns.max_x) + 1.0;
      double bottom = capra_results_table_get_value (self->table, row, columns.max_y) + 1.0;

      if (x < left || y < top || x >= right || y >= bottom || (right - left) * (bottom - top) >= smallest)
        continue;
      smallest = (right - left) * (bottom - top);
      found = (int) row;
    }
  return found;
}

static void
pick (CapraRegionMarks *self, GtkBitset *rows, int row)
{
  g_object_ref (self);
  capra_results_table_set_selected (self->table, rows);
  if (row >= 0)
    g_signal_emit (self, picked_signal, 0, (guint) row);
  g_object_unref (self);
}

static void
on_pressed (CapraRegionMarks *self, int n_press, double x, double y)
{
  self->press_x = x;
  self->press_y = y;
}

static void
on_released (CapraRegionMarks *self, int n_press, double x, double y, GtkGesture *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  g_autoptr (GtkBitset) rows = NULL;
  double image_x, image_y;
  int row = -1;

  if (!has_regions (self) || hypot (x - self->press_x, y - self->press_y) > CLICK_DISTANCE || (state & GDK_SHIFT_MASK))
    return;
  capra_canvas_to_image (self->canvas, x, y, &image_x, &image_y);
  row = find_row (self, image_x, image_y);
  rows = (state & GDK_CONTROL_MASK) ? gtk_bitset_copy (capra_results_table_get_selected (self->table))
                                    : gtk_bitset_new_empty ();
  if (row >= 0 && !gtk_bitset_add (rows, (guint) row))
    {
      gtk_bitset_remove (rows, (guint) row);
      row = -1;
    }
  pick (self, rows, row);
}

static void
on_drag_begin (CapraRegionMarks *self, double x, double y, GtkGesture *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  self->dragging = has_regions (self) && (state & GDK_SHIFT_MASK);
  self->band = GRAPHENE_RECT_INIT ((float) x, (float) y, 0, 0);
  gtk_gesture_set_state (gesture, self->dragging ? GTK_EVENT_SEQUENCE_CLAIMED : GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_drag_update (CapraRegionMarks *self, double dx, double dy)
{
  if (!self->dragging)
    return;
  self->band.size = GRAPHENE_SIZE_INIT ((float) dx, (float) dy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_drag_end (CapraRegionMarks *self, double dx, double dy)
{
  graphene_rect_t band;
  g_autoptr (GtkBitset) rows = gtk_bitset_new_empty ();
  double left, top, right, bottom;
  Columns columns;

  if (!self->dragging || !has_regions (self))
    return;
  self->dragging = FALSE;
  band = GRAPHENE_RECT_INIT (self->band.origin.x, self->band.origin.y, (float) dx, (float) dy);
  graphene_rect_normalize (&band);
  capra_canvas_to_image (self->canvas, band.origin.x, band.origin.y, &left, &top);
  capra_canvas_to_image (self->canvas, band.origin.x + band.size.width, band.origin.y + band.size.height, &right,
                         &bottom);
  columns = find_columns (self);
  for (guint row = 0; row < capra_results_table_get_rows (self->table); row++)
    {
      double x = capra_results_table_get_value (self->table, row, columns.x) + 0.5;
      double y = capra_results_table_get_value (self->table, row, columns.y) + 0.5;

      if (x >= left && x < right && y >= top && y < bottom)
        gtk_bitset_add (rows, row);
    }
  pick (self, rows, gtk_bitset_is_empty (rows) ? -1 : (int) gtk_bitset_get_minimum (rows));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
capra_region_marks_set_table (CapraRegionMarks *marks, CapraResultsTable *table)
{
  g_return_if_fail (CAPRA_IS_REGION_MARKS (marks));
  if (marks->table == table)
    return;
  if (marks->table)
    g_signal_handlers_disconnect_by_data (marks->table, marks);
  g_set_object (&marks->table, table);
  if (table)
    {
      g_signal_connect_swapped (table, "changed", G_CALLBACK (redraw), marks);
      g_signal_connect_swapped (table, "selection-changed", G_CALLBACK (redraw), marks);
    }
  redraw (marks);
}

void
capra_region_marks_set_labels (CapraRegionMarks *marks, CapraRegionLabels *labels)
{
  g_return_if_fail (CAPRA_IS_REGION_MARKS (marks));
  g_clear_pointer (&marks->labels, capra_region_labels_unref);
  marks->labels = labels ? capra_region_labels_ref (labels) : NULL;
  redraw (marks);
}

void
capra_region_marks_set_all (CapraRegionMarks *marks, gboolean all)
{
  g_return_if_fail (CAPRA_IS_REGION_MARKS (marks));
  marks->all = !!all;
  redraw (marks);
}

void
capra_region_marks_center (CapraRegionMarks *marks, guint row, gboolean zoom)
{
  graphene_rect_t area = capra_canvas_get_result_area (marks->canvas), box;
  Columns columns;

  g_return_if_fail (CAPRA_IS_REGION_MARKS (marks));
  if (!has_regions (marks))
    return;
  columns = find_columns (marks);
  box = get_box (marks, &columns, row);
  if (zoom)
    {
      double factor = REGION_SHARE * MIN (area.size.width / box.size.width, area.size.height / box.size.height);

      capra_canvas_zoom_to (marks->canvas, MIN (capra_canvas_get_scale (marks->canvas) * factor, MAX_ZOOM));
    }
  capra_canvas_set_center (marks->canvas, capra_results_table_get_value (marks->table, row, columns.x) + 0.5,
                           capra_results_table_get_value (marks->table, row, columns.y) + 0.5);
}

static void
capra_region_marks_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  redraw (CAPRA_REGION_MARKS (widget));
}

static void
capra_region_marks_dispose (GObject *object)
{
  CapraRegionMarks *self = CAPRA_REGION_MARKS (object);

  capra_region_marks_set_table (self, NULL);
  capra_region_marks_set_labels (self, NULL);
  g_clear_object (&self->outlines);
  g_clear_object (&self->canvas);
  G_OBJECT_CLASS (capra_region_marks_parent_class)->dispose (object);
}

static void
capra_region_marks_class_init (CapraRegionMarksClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = capra_region_marks_dispose;
  widget_class->snapshot = capra_region_marks_snapshot;
  widget_class->size_allocate = capra_region_marks_size_allocate;
  picked_signal = g_signal_new ("picked", CAPRA_TYPE_REGION_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
}

static void
capra_region_marks_init (CapraRegionMarks *self)
{
  self->all = TRUE;
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
capra_region_marks_new (CapraCanvas *canvas)
{
  CapraRegionMarks *self = g_object_new (CAPRA_TYPE_REGION_MARKS, NULL);
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new ();

  self->canvas = g_object_ref (canvas);
  g_signal_connect_object (canvas, "notify", G_CALLBACK (redraw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_pressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (click, "released", G_CALLBACK (on_released), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (on_drag_begin), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (on_drag_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (on_drag_end), self, G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (GTK_WIDGET (canvas), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (canvas), GTK_EVENT_CONTROLLER (drag));
  return GTK_WIDGET (self);
}
