/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas: shows an image and what a pipeline makes of it, to be moved, zoomed and compared. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/preview.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_COMPARE_OFF,   /* the result alone */
  CAPRA_COMPARE_SPLIT, /* the image left of a line that can be dragged */
  CAPRA_COMPARE_SIDE,  /* both, side by side */
} CapraCompare;

/**
 * CapraCanvas:
 *
 * Signals: "view-changed": the scale or the place shown; "pointer-changed": see
 * capra_canvas_get_pointer().
 */
#define CAPRA_TYPE_CANVAS (capra_canvas_get_type ())
G_DECLARE_FINAL_TYPE (CapraCanvas, capra_canvas, CAPRA, CANVAS, GtkWidget)

/* @before: of the image alone; @after: of the result. %NULL for all: nothing to show. */
void capra_canvas_set_image (CapraCanvas *canvas, const GeglRectangle *extent, CapraPreview *before,
                             CapraPreview *after);

void capra_canvas_set_compare (CapraCanvas *canvas, CapraCompare compare);
CapraCompare capra_canvas_get_compare (CapraCanvas *canvas);
/* Shows the image as it was, while it is TRUE. */
void capra_canvas_set_show_original (CapraCanvas *canvas, gboolean show);
/* Where the dividing line is, 0 (left) to 1. */
void capra_canvas_set_split (CapraCanvas *canvas, double split);

/* Pixels of the screen for one of the image. */
double capra_canvas_get_scale (CapraCanvas *canvas);
void capra_canvas_zoom_to (CapraCanvas *canvas, double scale);
/* By one step, @direction 1 or -1. */
void capra_canvas_zoom_step (CapraCanvas *canvas, int direction);
/* As large as the window allows, and so until it is zoomed otherwise. */
void capra_canvas_zoom_fit (CapraCanvas *canvas);

/* Returns: whether the pointer is over the image; then its pixel. */
gboolean capra_canvas_get_pointer (CapraCanvas *canvas, int *x, int *y);
/* The part of the image that is in view. */
GeglRectangle capra_canvas_get_visible (CapraCanvas *canvas);

G_END_DECLS
