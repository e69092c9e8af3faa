/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure-image: the values or the colors that a figure shows of an image. */
#include "ui/cli/run/figure-image.h"

#include <math.h>

#include "algorithms/label/label.h"
#include "ui/pipeline/graph/display.h"

#define BACKGROUND 0xff000000u /* of labels */

/* Numbers of files are not changed: those of perceptual formats stay perceptual. */
static const Babl *
get_value_format (const Babl *own)
{
  gboolean linear = !(babl_get_model_flags (babl_format_get_model (own)) & BABL_MODEL_FLAG_NONLINEAR);

  return babl_format_with_space (linear ? "YA float" : "Y'A float", babl_format_get_space (own));
}

/* Transparent pixels have no value. */
static float *
read_values (GeglBuffer *buffer, const GeglRectangle *extent)
{
  gsize count = (gsize) extent->width * (gsize) extent->height;
  const Babl *own = gegl_buffer_get_format (buffer), *format = get_value_format (own);
  float *values = g_new (float, count);
  g_autofree float *row = g_new (float, 2 * (gsize) extent->width);

  for (int y = 0; y < extent->height; y++)
    {
      float *to = values + (gsize) y * (gsize) extent->width;

      gegl_buffer_get (buffer, GEGL_RECTANGLE (extent->x, extent->y + y, extent->width, 1), 1.0, format, row,
                       GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (int x = 0; x < extent->width; x++)
        to[x] = row[2 * x + 1] > 0.0f ? row[2 * x] : NAN;
    }
  return values;
}

static guint32 *
read_colors (GeglBuffer *buffer, const GeglRectangle *extent, gboolean labels)
{
  gsize count = (gsize) extent->width * (gsize) extent->height;
  guint32 *colors = g_new (guint32, count);

  gegl_buffer_get (buffer, extent, 1.0, labels ? gegl_buffer_get_format (buffer) : babl_format ("cairo-ARGB32"), colors,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < count; i++)
    if (labels)
      colors[i] = colors[i] ? capra_label_color (colors[i]) : BACKGROUND;
    else /* premultiplied colors on white */
      colors[i] += (255 - (colors[i] >> 24)) * 0x010101u;
  return colors;
}

FigureImage *
figure_image_new (GeglBuffer *buffer, gboolean as_values)
{
  FigureImage *image = g_new0 (FigureImage, 1);
  const Babl *format = gegl_buffer_get_format (buffer);
  int channels = babl_format_get_n_components (format) - babl_format_has_alpha (format);

  image->extent = *gegl_buffer_get_extent (buffer);
  image->labels = capra_format_is_labels (format);
  if (image->labels || (!as_values && (channels > 1 || babl_format_is_palette (format))))
    image->colors = read_colors (buffer, &image->extent, image->labels);
  else
    image->values = read_values (buffer, &image->extent);
  return image;
}

void
figure_image_free (FigureImage *image)
{
  g_free (image->values);
  g_free (image->colors);
  g_free (image);
}
