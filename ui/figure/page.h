/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page: what a figure draws on, and how it becomes a file.
 *
 * A page has no size of its own: it grows with what is drawn. It keeps a list of the texts and marks on it. */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_ITEM_TITLE,
  CAPRA_ITEM_X_LABEL,
  CAPRA_ITEM_Y_LABEL,
  CAPRA_ITEM_BAR_LABEL,
  CAPRA_ITEM_X_TICK,
  CAPRA_ITEM_Y_TICK,
  CAPRA_ITEM_BAR_TICK,
  CAPRA_ITEM_FACTOR,
  CAPRA_ITEM_LEGEND,
  CAPRA_ITEM_MARK,
  CAPRA_ITEM_NUMBER,
} CapraItemKind;

/**
 * CapraPageStyle:
 * @font: size of the text in pixels
 * @ink: the color of texts and frames, as 0xRRGGBB
 * @paper: the color behind legends
 */
typedef struct {
  double font;
  guint32 ink, paper;
} CapraPageStyle;

/**
 * CapraItem:
 * @text: (nullable): without markup
 * @x: the left edge of its box; likewise @y the top edge
 */
typedef struct {
  CapraItemKind kind;
  char *text;
  double x, y, width, height;
} CapraItem;

/**
 * CapraPage:
 * @font: size of the text in pixels
 * @ink: the color of texts and frames; likewise @paper behind legends
 * @plot: the area inside the axes
 * @items: (element-type CapraItem)
 */
typedef struct {
  cairo_surface_t *surface;
  cairo_t *cr;
  double font;
  guint32 ink, paper;
  cairo_rectangle_t plot;
  GPtrArray *items;
} CapraPage;

CapraPage *capra_page_new (const CapraPageStyle *style);
void capra_page_free (CapraPage *page);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraPage, capra_page_free)

void capra_page_set_color (CapraPage *page, guint32 color, double alpha);
void capra_page_add_item (CapraPage *page, CapraItemKind kind, const char *text, double x, double y, double width,
                          double height);

/**
 * CapraTextPlace:
 * @x_align: the share of the text that is left of @x; likewise @y_align above @y
 * @turned: whether the text runs upward
 * @size: relative to the font of the page
 */
typedef struct {
  double x, y, x_align, y_align;
  gboolean turned;
  double size;
} CapraTextPlace;

/* The size of the text in pixels. @markup: Pango's */
void capra_page_measure (CapraPage *page, const char *markup, double size, double *width, double *height);
/* Draws @markup in the current color. */
void capra_page_text (CapraPage *page, CapraItemKind kind, const char *markup, const CapraTextPlace *place);

/* The box around everything that was drawn. */
void capra_page_get_extents (CapraPage *page, double *x, double *y, double *width, double *height);

/* Paints the page, whose origin is at @x, @y. */
void capra_page_paint (CapraPage *page, cairo_t *cr, double x, double y);

/* The suffixes of the files that can be written: "png", "svg", "pdf", NULL. */
const char *const *capra_page_get_suffixes (void);
/* Whether figures can be written to a file of that name. */
gboolean capra_page_check_name (const char *path, GError **error);
/* Writes the page, on white and with a small border, to a file that replaces another only when it is complete. */
gboolean capra_page_save (CapraPage *page, const char *path, GError **error);
/* The page as a cairo surface of 32 bits, for tests. @x, @y: (out): position of the page's origin on it */
cairo_surface_t *capra_page_to_image (CapraPage *page, double *x, double *y);

G_END_DECLS
