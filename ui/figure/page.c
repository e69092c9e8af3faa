/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Page: what a figure draws on, and how it becomes a file. */
#include "ui/figure/page.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/write/output-file.h"

#define BORDER 0.6            /* white around the figure, relative to the font */
#define POINTS_PER_PIXEL 0.75 /* of vector formats, which measure in points */

/* Cairo 1.16 shifts SVG files by the uninitialized bounds of a recording without bounds, or by negative bounds. The
 * bounds are therefore larger than any figure and begin at 0, and the origin of the page is far within. */
#define BOUNDS 262144
#define ORIGIN 16384

static void
item_free (gpointer data)
{
  CapraItem *item = data;

  g_free (item->text);
  g_free (item);
}

CapraPage *
capra_page_new (const CapraPageStyle *style)
{
  const cairo_rectangle_t bounds = { 0, 0, BOUNDS, BOUNDS };
  CapraPage *page = g_new0 (CapraPage, 1);

  page->surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &bounds);
  page->cr = cairo_create (page->surface);
  cairo_translate (page->cr, ORIGIN, ORIGIN);
  page->font = style->font;
  page->ink = style->ink;
  page->paper = style->paper;
  page->items = g_ptr_array_new_with_free_func (item_free);
  return page;
}

void
capra_page_free (CapraPage *page)
{
  cairo_destroy (page->cr);
  cairo_surface_destroy (page->surface);
  g_ptr_array_unref (page->items);
  g_free (page);
}

void
capra_page_set_color (CapraPage *page, guint32 color, double alpha)
{
  cairo_set_source_rgba (page->cr, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0, (color & 255) / 255.0,
                         alpha);
}

void
capra_page_add_item (CapraPage *page, CapraItemKind kind, const char *text, double x, double y, double width,
                     double height)
{
  CapraItem *item = g_new0 (CapraItem, 1);

  *item = (CapraItem){ kind, g_strdup (text), x, y, width, height };
  g_ptr_array_add (page->items, item);
}

static PangoLayout *
new_layout (CapraPage *page, const char *markup, double size)
{
  PangoLayout *layout = pango_cairo_create_layout (page->cr);
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("sans");

  pango_font_description_set_absolute_size (font, page->font * size * PANGO_SCALE);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_markup (layout, markup, -1);
  return layout;
}

static void
measure_layout (PangoLayout *layout, double *width, double *height)
{
  PangoRectangle box;

  pango_layout_get_extents (layout, NULL, &box);
  *width = (double) box.width / PANGO_SCALE;
  *height = (double) box.height / PANGO_SCALE;
}

void
capra_page_measure (CapraPage *page, const char *markup, double size, double *width, double *height)
{
  g_autoptr (PangoLayout) layout = new_layout (page, markup, size);

  measure_layout (layout, width, height);
}

void
capra_page_text (CapraPage *page, CapraItemKind kind, const char *markup, const CapraTextPlace *place)
{
  g_autoptr (PangoLayout) layout = new_layout (page, markup, place->size);
  double width, height, x, y;

  measure_layout (layout, &width, &height);
  cairo_save (page->cr);
  if (place->turned)
    {
      x = place->x - height * place->x_align;
      y = place->y - width * place->y_align;
      capra_page_add_item (page, kind, pango_layout_get_text (layout), x, y, height, width);
      cairo_translate (page->cr, x, y + width);
      cairo_rotate (page->cr, -G_PI / 2);
    }
  else
    {
      x = place->x - width * place->x_align;
      y = place->y - height * place->y_align;
      capra_page_add_item (page, kind, pango_layout_get_text (layout), x, y, width, height);
      cairo_translate (page->cr, x, y);
    }
  cairo_move_to (page->cr, 0, 0);
  pango_cairo_show_layout (page->cr, layout);
  cairo_restore (page->cr);
}

void
capra_page_get_extents (CapraPage *page, double *x, double *y, double *width, double *height)
{
  cairo_recording_surface_ink_extents (page->surface, x, y, width, height);
  *x -= ORIGIN;
  *y -= ORIGIN;
}

void
capra_page_paint (CapraPage *page, cairo_t *cr, double x, double y)
{
  cairo_set_source_surface (cr, page->surface, x - ORIGIN, y - ORIGIN);
  cairo_paint (cr);
}

const char *const *
capra_page_get_suffixes (void)
{
  static const char *const suffixes[] = { "png", "svg", "pdf", NULL };

  return suffixes;
}

static char *
get_suffix (const char *path)
{
  const char *dot = strrchr (path, '.');

  return g_ascii_strdown (dot ? dot + 1 : "", -1);
}

gboolean
capra_page_check_name (const char *path, GError **error)
{
  g_autofree char *suffix = get_suffix (path);

  if (g_strv_contains (capra_page_get_suffixes (), suffix))
    return TRUE;
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               "%s: figures are written as .png, .svg or .pdf files", path);
  return FALSE;
}

/* The size of the file in pixels, and the position of the page's origin on it. */
static void
get_size (CapraPage *page, double *width, double *height, double *x, double *y)
{
  double border = ceil (BORDER * page->font);

  capra_page_get_extents (page, x, y, width, height);
  *x = border - floor (*x);
  *y = border - floor (*y);
  *width = ceil (*width) + 2 * border + 1;
  *height = ceil (*height) + 2 * border + 1;
}

/* On a surface of that size in units of @scale pixels. */
static void
replay (CapraPage *page, cairo_surface_t *surface, double scale, double x, double y)
{
  cairo_t *cr = cairo_create (surface);

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  cairo_scale (cr, scale, scale);
  capra_page_paint (page, cr, x, y);
  cairo_destroy (cr);
}

cairo_surface_t *
capra_page_to_image (CapraPage *page, double *x, double *y)
{
  double width, height;
  cairo_surface_t *surface;

  get_size (page, &width, &height, x, y);
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
  replay (page, surface, 1.0, *x, *y);
  return surface;
}

static cairo_status_t
on_write (void *data, const unsigned char *bytes, unsigned int length)
{
  return capra_output_file_write (data, bytes, length, NULL) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static cairo_status_t
write_vectors (CapraPage *page, gboolean pdf, CapraOutputFile *file)
{
  double width, height, x, y;
  cairo_surface_t *surface;
  cairo_status_t status;

  get_size (page, &width, &height, &x, &y);
  surface = (pdf ? cairo_pdf_surface_create_for_stream : cairo_svg_surface_create_for_stream) (
    on_write, file, width * POINTS_PER_PIXEL, height * POINTS_PER_PIXEL);
  replay (page, surface, POINTS_PER_PIXEL, x, y);
  cairo_surface_finish (surface);
  status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

static cairo_status_t
write_pixels (CapraPage *page, CapraOutputFile *file)
{
  double x, y;
  cairo_surface_t *surface = capra_page_to_image (page, &x, &y);
  cairo_status_t status = cairo_surface_write_to_png_stream (surface, on_write, file);

  cairo_surface_destroy (surface);
  return status;
}

gboolean
capra_page_save (CapraPage *page, const char *path, GError **error)
{
  g_autofree char *suffix = get_suffix (path);
  g_autoptr (CapraOutputFile) file = NULL;
  cairo_status_t status;

  if (!capra_page_check_name (path, error))
    return FALSE;
  file = capra_output_file_open (path, error);
  if (!file)
    return FALSE;
  status = strcmp (suffix, "png") == 0 ? write_pixels (page, file)
                                       : write_vectors (page, strcmp (suffix, "pdf") == 0, file);
  if (!capra_output_file_check (file, error))
    return FALSE;
  if (status != CAIRO_STATUS_SUCCESS)
    {
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, "cannot write %s: %s", path,
                   cairo_status_to_string (status));
      return FALSE;
    }
  return capra_output_file_commit (file, error);
}
