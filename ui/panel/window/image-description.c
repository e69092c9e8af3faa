/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-description: an image's size and format, for the title of a window. */
#include "ui/panel/window/image-description.h"

#include <glib/gi18n-lib.h>

#include "ui/pipeline/read/fits-keywords.h"
#include "ui/pipeline/read/raw-values.h"

/* As many as a tooltip can show. */
#define MAX_KEYWORDS 40

/* babl names palettes, and formats with a color space, by their address. */
static const char *
describe_format (const Babl *format)
{
  if (!babl_format_is_palette (format))
    return babl_format_get_encoding (format);
  return babl_format_has_alpha (format) ? _ ("indexed colors, transparency") : _ ("indexed colors");
}

char *
capra_image_description_new (GeglBuffer *image)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (image);
  const CapraRawValues *raw = capra_raw_values_get (image);

  if (raw)
    return g_strdup_printf (_ ("%d × %d, raw values (%s)"), extent->width, extent->height,
                            capra_sample_type_get_name (raw->type));
  return g_strdup_printf (_ ("%d × %d, %s"), extent->width, extent->height,
                          describe_format (gegl_buffer_get_format (image)));
}

char *
capra_image_description_new_keywords (GeglBuffer *image)
{
  CapraFitsHeader *header = capra_fits_keywords_get (image);
  g_autofree char *text = header ? capra_fits_header_to_string (header) : NULL;
  g_auto (GStrv) lines = NULL;

  if (!text)
    return NULL;
  lines = g_strsplit (g_strchomp (text), "\n", MAX_KEYWORDS + 1);
  if (g_strv_length (lines) > MAX_KEYWORDS)
    {
      g_free (lines[MAX_KEYWORDS]);
      lines[MAX_KEYWORDS] = g_strdup ("…");
    }
  return g_strjoinv ("\n", lines);
}
