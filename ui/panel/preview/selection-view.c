/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection-view: draws the outline of a layer's selection over a canvas. */
#include "ui/panel/preview/selection-view.h"

#include <math.h>

#include "ui/panel/preview/render-schedule.h"

#define STRIPE 4 /* units: width of the black and of the white parts of the line */
#define STRIP 64 /* rows that are read at a time for the bounds */

/* What an outline is drawn for. */
typedef struct {
  GeglRectangle visible; /* of the image */
  graphene_rect_t area;  /* of the canvas */
  double scale, x, y;
} Place;

struct _CapraSelectionView {
  GtkWidget parent_instance;
  CapraCanvas *canvas;
  CapraPyramid *selection;
  GskRenderNode *node; /* NULL if not drawn yet */
  Place place;         /* that of the node */
};

G_DEFINE_FINAL_TYPE (CapraSelectionView, capra_selection_view, GTK_TYPE_WIDGET)

enum { PROP_CANVAS = 1, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

GeglRectangle
capra_selection_get_bounds (GeglBuffer *selection)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (selection);
  GeglRectangle bounds = { 0, 0, 0, 0 };
  g_autofree float *values = g_new (float, (gsize) extent->width *STRIP);

  for (int y = 0; y < extent->height; y += STRIP)
    {
      GeglRectangle strip = { extent->x, extent->y + y, extent->width, MIN (STRIP, extent->height - y) };
      const float *row = values;

      gegl_buffer_get (selection, &strip, 1.0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (int r = 0; r < strip.height; r++, row += extent->width)
        {
          int first = 0, end = extent->width;

          while (first < end && row[first] <= 0.0f)
            first++;
          while (end > first && row[end - 1] <= 0.0f)
            end--;
          if (end > first)
            gegl_rectangle_bounding_box (&bounds, &bounds,
                                         GEGL_RECTANGLE (extent->x + first, strip.y + r, end - first, 1));
        }
    }
  return bounds;
}

/* Black and white stripes across the line at any direction, as in image editors. */
static cairo_pattern_t *
make_stripes (void)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 2 * STRIPE, 2 * STRIPE);
  guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  cairo_pattern_t *pattern = NULL;

  cairo_surface_flush (surface);
  for (int y = 0; y < 2 * STRIPE; y++)
    for (int x = 0; x < 2 * STRIPE; x++)
      ((guint32 *) (gpointer) (data + y * stride))[x] = (x + y) / STRIPE % 2 ? 0xffffff : 0;
  cairo_surface_mark_dirty (surface);
  pattern = cairo_pattern_create_for_surface (surface);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  cairo_surface_destroy (surface);
  return pattern;
}

/* Adds the lines between selected and other pixels of a row, or of a column, and those of the one before. @step and
 * @across: from value to value along the line and across it. */
static void
add_lines (cairo_t *cr, const float *values, int count, gssize step, gssize across, gboolean vertical, int at,
           const GeglRectangle *rect, const Place *place)
{
  int start = -1;

  for (int i = 0; i <= count; i++)
    {
      gboolean edge = i < count && (values[i * step] >= 0.5f) != (values[i * step - across] >= 0.5f);

      if (edge && start < 0)
        start = i;
      if (edge || start < 0)
        continue;
      if (vertical)
        {
          double x = round ((rect->x + at) * place->scale + place->x) + 0.5;

          cairo_move_to (cr, x, round ((rect->y + start) * place->scale + place->y));
          cairo_line_to (cr, x, round ((rect->y + i) * place->scale + place->y) + 1.0);
        }
      else
        {
          double y = round ((rect->y + at) * place->scale + place->y) + 0.5;

          cairo_move_to (cr, round ((rect->x + start) * place->scale + place->x), y);
          cairo_line_to (cr, round ((rect->x + i) * place->scale + place->x) + 1.0, y);
        }
      start = -1;
    }
}

/* @rect: pixels of the level, with a border of one pixel. */
static void
add_outline (cairo_t *cr, GeglBuffer *buffer, const GeglRectangle *rect, const Place *place)
{
  gsize width = (gsize) rect->width, height = (gsize) rect->height;
  g_autofree float *values = g_new (float, width *height);

  gegl_buffer_get (buffer, rect, 1.0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (int y = 1; y < rect->height; y++)
    add_lines (cr, values + (gsize) y * width, rect->width, 1, (gssize) width, FALSE, y, rect, place);
  for (int x = 1; x < rect->width; x++)
    add_lines (cr, values + x, rect->height, (gssize) width, 1, TRUE, x, rect, place);
}

static GskRenderNode *
draw_outline (CapraSelectionView *self, const Place *place)
{
  int level = CLAMP (capra_render_schedule_get_level (capra_canvas_get_scale (self->canvas)), 0,
                     CAPRA_PYRAMID_MAX_LEVEL);
  GeglRectangle rect = capra_pyramid_scale (&place->visible, level);
  Place scaled = *place;
  GskRenderNode *node = gsk_cairo_node_new (&place->area);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);
  cairo_pattern_t *stripes = make_stripes ();

  scaled.scale = place->scale / capra_pyramid_get_scale (level);
  rect = (GeglRectangle){ rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2 };
  capra_pyramid_fill (self->selection, level, &rect, NULL, 0);
  cairo_rectangle (cr, place->area.origin.x, place->area.origin.y, place->area.size.width, place->area.size.height);
  cairo_clip (cr);
  add_outline (cr, capra_pyramid_get_buffer (self->selection, level), &rect, &scaled);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_set_line_width (cr, 1.0);
  cairo_set_source (cr, stripes);
  cairo_stroke (cr);
  cairo_destroy (cr);
  cairo_pattern_destroy (stripes);
  return node;
}

static gboolean
is_same_place (const Place *a, const Place *b)
{
  return gegl_rectangle_equal (&a->visible, &b->visible) && graphene_rect_equal (&a->area, &b->area)
         && a->scale == b->scale && a->x == b->x && a->y == b->y;
}

static void
capra_selection_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  CapraSelectionView *self = CAPRA_SELECTION_VIEW (widget);
  Place place;

  if (!self->selection)
    return;
  place.visible = capra_canvas_get_visible (self->canvas);
  place.area = capra_canvas_get_result_area (self->canvas);
  place.scale = capra_canvas_get_unit_scale (self->canvas);
  capra_canvas_get_origin (self->canvas, &place.x, &place.y);
  if (place.area.size.width < 1 || place.visible.width <= 0 || place.visible.height <= 0)
    return;
  if (!self->node || !is_same_place (&self->place, &place))
    {
      g_clear_pointer (&self->node, gsk_render_node_unref);
      self->node = draw_outline (self, &place);
      self->place = place;
    }
  gtk_snapshot_append_node (snapshot, self->node);
}

void
capra_selection_view_set_selection (CapraSelectionView *view, CapraPyramid *selection, gboolean zoom)
{
  GeglRectangle area = { 0, 0, 0, 0 };

  g_return_if_fail (CAPRA_IS_SELECTION_VIEW (view));
  g_clear_pointer (&view->selection, capra_pyramid_unref);
  view->selection = selection ? capra_pyramid_ref (selection) : NULL;
  g_clear_pointer (&view->node, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  if (selection && zoom)
    area = capra_selection_get_bounds (capra_pyramid_get_buffer (selection, 0));
  if (area.width > 0)
    {
      int margin = MAX (area.width, area.height) / 10;

      area = (GeglRectangle){ area.x - margin, area.y - margin, area.width + 2 * margin, area.height + 2 * margin };
      capra_canvas_zoom_to_area (view->canvas, &area);
    }
}

/* The canvas notifies of its scale whenever its view changes. */
static void
set_canvas (CapraSelectionView *self, CapraCanvas *canvas)
{
  g_set_object (&self->canvas, canvas);
  if (!canvas)
    return;
  g_signal_connect_object (canvas, "notify::scale", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "notify::compare", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

static void
capra_selection_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_CANVAS)
    g_value_set_object (value, CAPRA_SELECTION_VIEW (object)->canvas);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_selection_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  if (id == PROP_CANVAS)
    set_canvas (CAPRA_SELECTION_VIEW (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
capra_selection_view_dispose (GObject *object)
{
  CapraSelectionView *self = CAPRA_SELECTION_VIEW (object);

  g_clear_pointer (&self->node, gsk_render_node_unref);
  g_clear_pointer (&self->selection, capra_pyramid_unref);
  g_clear_object (&self->canvas);
  G_OBJECT_CLASS (capra_selection_view_parent_class)->dispose (object);
}

static void
capra_selection_view_class_init (CapraSelectionViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = capra_selection_view_dispose;
  object_class->get_property = capra_selection_view_get_property;
  object_class->set_property = capra_selection_view_set_property;
  GTK_WIDGET_CLASS (klass)->snapshot = capra_selection_view_snapshot;
  properties[PROP_CANVAS] = g_param_spec_object ("canvas", NULL, NULL, CAPRA_TYPE_CANVAS,
                                                 G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
capra_selection_view_init (CapraSelectionView *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}
