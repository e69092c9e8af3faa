/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draw: what the widgets that draw themselves share: colours and text. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Fixed places of the palette; names of kernels get the others. */
typedef enum {
  CAPRA_INK_PUSH,
  CAPRA_INK_PULL,
  CAPRA_INK_COPY,
  CAPRA_INK_HOST,
  CAPRA_INK_ARRAYS,
  CAPRA_INK_RESIDENT,
  CAPRA_INK_STAGING,
  CAPRA_INK_POOL,
  CAPRA_INK_CARD,
  CAPRA_INK_THRESHOLD,
  CAPRA_N_INKS,
} CapraInk;

GdkRGBA capra_draw_color (CapraInk color);

/* The colour of a transfer or kernel, the same wherever that name is drawn. */
GdkRGBA capra_draw_color_of_record (const char *name);

/* The widget's text colour, times @alpha. */
GdkRGBA capra_draw_foreground (GtkWidget *widget, double alpha);

/* Draws one line of @text at (@x, @y), where @align is 0 (x is its left end), 0.5 or 1 (its right end). @width, if
 * positive, is where it is ellipsized. */
void capra_draw_text (GtkSnapshot *snapshot, GtkWidget *widget, const char *text, double x, double y, double align,
                      double width, const GdkRGBA *color);

/* The size of a line of @text. */
void capra_draw_measure (GtkWidget *widget, const char *text, int *width, int *height);

/* A filled rectangle with round corners. */
void capra_draw_box (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y, double width, double height,
                     double radius);

G_END_DECLS
