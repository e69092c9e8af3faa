/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: shows an image and a pipeline's result; both can be panned, zoomed and compared. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/preview.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_COMPARE_OFF,   /* only the result */
  CAPRA_COMPARE_SPLIT, /* the image to the left of a dividing line, the result to the right */
  CAPRA_COMPARE_SIDE,  /* image and result side by side */
} CapraCompare;

#define CAPRA_TYPE_COMPARE (capra_compare_get_type ())
GType capra_compare_get_type (void);

/**
 * CapraCanvas:
 *
 * Properties: "scale" (double, read-only): pixels of the screen per pixel of the image; "compare" (CapraCompare);
 * "show-original" (boolean): whether to show only the image.
 * Signal "pointer-changed": capra_canvas_get_pointer() has changed.
 */
#define CAPRA_TYPE_CANVAS (capra_canvas_get_type ())
G_DECLARE_FINAL_TYPE (CapraCanvas, capra_canvas, CAPRA, CANVAS, GtkWidget)

/**
 * capra_canvas_set_image:
 * @extent: (nullable): the image's extent; %NULL to show nothing
 * @before: (nullable): of the image without steps
 * @after: (nullable): of the result
 * @keep_view: whether to keep scale and center, if the extent is that of the image before; else the image is fitted in
 *   the widget
 */
void capra_canvas_set_image (CapraCanvas *canvas, const GeglRectangle *extent, CapraPreview *before,
                             CapraPreview *after, gboolean keep_view);

void capra_canvas_set_compare (CapraCanvas *canvas, CapraCompare compare);
CapraCompare capra_canvas_get_compare (CapraCanvas *canvas);
void capra_canvas_set_show_original (CapraCanvas *canvas, gboolean show);

/* The dividing line: 0 is the left edge, 1 the right one. */
void capra_canvas_set_split (CapraCanvas *canvas, double split);
double capra_canvas_get_split (CapraCanvas *canvas);
/* Returns: whether a drag from @x (in units of the widget) moves the dividing line */
gboolean capra_canvas_is_near_split (CapraCanvas *canvas, double x);

double capra_canvas_get_scale (CapraCanvas *canvas);
/* Units of the widget per pixel of the image. */
double capra_canvas_get_unit_scale (CapraCanvas *canvas);
void capra_canvas_zoom_to (CapraCanvas *canvas, double scale);
/* The pixel of the image at @x, @y (in units of the widget) does not move. */
void capra_canvas_zoom_at (CapraCanvas *canvas, double scale, double x, double y);
/* Zooms by a factor of √2; @direction is 1 or -1. */
void capra_canvas_zoom_step (CapraCanvas *canvas, int direction);
/* Fits the image in the widget until the scale or the center is set. */
void capra_canvas_zoom_fit (CapraCanvas *canvas);
/* Fits a part of the image, which is not empty, in the widget likewise. */
void capra_canvas_zoom_to_area (CapraCanvas *canvas, const GeglRectangle *area);

/* The point of the image in the middle of the view. */
void capra_canvas_get_center (CapraCanvas *canvas, double *x, double *y);
void capra_canvas_set_center (CapraCanvas *canvas, double x, double y);

/* @inside: whether the pointer is over the widget, at @x, @y. */
void capra_canvas_set_pointer (CapraCanvas *canvas, gboolean inside, double x, double y);
/* Returns: whether the pointer is over the image; then @x, @y is its pixel */
gboolean capra_canvas_get_pointer (CapraCanvas *canvas, int *x, int *y);
/* The part of the image in view. */
GeglRectangle capra_canvas_get_visible (CapraCanvas *canvas);

/* For what other widgets draw over the canvas, in its coordinates; "scale" is notified whenever one of them changes. */
/* The position of the image's origin in the result. */
void capra_canvas_get_origin (CapraCanvas *canvas, double *x, double *y);
/* The point of the image at @x, @y. */
void capra_canvas_to_image (CapraCanvas *canvas, double x, double y, double *image_x, double *image_y);
/* The part of the canvas that shows the result; empty if it shows only the image. */
graphene_rect_t capra_canvas_get_result_area (CapraCanvas *canvas);

G_END_DECLS
