/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-private: what the canvas's drawing and its input share. */
#pragma once

#include "ui/panel/preview/canvas.h"

G_BEGIN_DECLS

struct _CapraCanvas {
  GtkWidget parent_instance;
  CapraPreview *before, *after;
  GeglRectangle extent;      /* of the image; empty: none */
  double scale;              /* pixels of the screen for one of the image */
  double center_x, center_y; /* the place of the image in the middle of the view */
  gboolean fit;
  CapraCompare compare;
  gboolean original;
  double split;
  /* The pointer, in coordinates of the widget. */
  gboolean inside;
  double pointer_x, pointer_y;
  /* While dragging: */
  gboolean moving_split;
  double drag_x, drag_y; /* the middle, or the line, at its start */
  double pinch_scale;
};

/* Pixels of the image per unit of the widget's coordinates are 1 / this. */
double capra_canvas_get_unit_scale (CapraCanvas *canvas);
/* The part of the widget that shows the image as it was, or the result. */
graphene_rect_t capra_canvas_get_pane (CapraCanvas *canvas, gboolean before);
/* Where the image's origin is, of that pane. */
void capra_canvas_get_origin (CapraCanvas *canvas, gboolean before, double *x, double *y);
void capra_canvas_to_image (CapraCanvas *canvas, double x, double y, double *image_x, double *image_y);
/* Zooms so that what is at that place of the widget stays there. */
void capra_canvas_zoom_at (CapraCanvas *canvas, double scale, double x, double y);
/* The scale or the middle was changed. */
void capra_canvas_view_changed (CapraCanvas *canvas);
void capra_canvas_add_input (CapraCanvas *canvas);

G_END_DECLS
