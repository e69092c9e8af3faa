/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draw: colors, text and boxes for widgets with a snapshot function. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Colors with a fixed meaning. Kernels have other ones. */
typedef enum {
  CAPRA_PALETTE_UPLOAD,
  CAPRA_PALETTE_DOWNLOAD,
  CAPRA_PALETTE_COPY,
  CAPRA_PALETTE_HOST,
  CAPRA_PALETTE_ARRAYS,
  CAPRA_PALETTE_RESIDENT,
  CAPRA_PALETTE_STAGING,
  CAPRA_PALETTE_POOL,
  CAPRA_PALETTE_CARD,
  CAPRA_PALETTE_THRESHOLD,
  CAPRA_N_PALETTE_COLORS,
} CapraPaletteColor;

GdkRGBA capra_draw_color (CapraPaletteColor color);

/* Returns: the color of a transfer or a kernel, which is always the same for one name */
GdkRGBA capra_draw_color_of_record (const char *name);

/* Returns: the widget's text color; its alpha is multiplied by @alpha */
GdkRGBA capra_draw_foreground (GtkWidget *widget, double alpha);

/* Draws one line of @text at (@x, @y), where @align is 0 (x is its left end), 0.5 or 1 (its right end). @width, if
 * positive, is where it is ellipsized. */
void capra_draw_text (GtkSnapshot *snapshot, GtkWidget *widget, const char *text, double x, double y, double align,
                      double width, const GdkRGBA *color);

/* Measures one line of @text. */
void capra_draw_measure (GtkWidget *widget, const char *text, int *width, int *height);

/* Draws a filled rectangle with rounded corners. */
void capra_draw_box (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y, double width, double height,
                     double radius);

G_END_DECLS
