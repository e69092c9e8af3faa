/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Palette: formats of indexed images. */
#include "ui/pipeline/graph/palette.h"

#include <string.h>

#define MAX_COLORS 256

typedef struct {
  guint8 values[3 * MAX_COLORS]; /* beyond the last color that one again, whose index is the result of conversions */
} Colors;

static const Babl *
get_color_format (const Babl *space)
{
  return babl_format_with_space ("R'G'B' u8", space);
}

static Colors
read_colors (const Babl *format)
{
  gsize size = (gsize) babl_format_get_bytes_per_pixel (format); /* of an index, or of one and alpha */
  guint8 pixels[2 * MAX_COLORS];
  Colors colors;

  memset (pixels, 255, sizeof pixels);
  for (gsize i = 0; i < MAX_COLORS; i++)
    pixels[i * size] = (guint8) i;
  babl_process (babl_fish (format, get_color_format (babl_format_get_space (format))), pixels, colors.values,
                MAX_COLORS);
  return colors;
}

const Babl *
capra_palette_format_keep (const Babl *format)
{
  const Babl *space = babl_format_get_space (format), *opaque = NULL, *with_alpha = NULL;
  g_autofree char *checksum = NULL, *name = NULL;
  Colors colors, old;

  if (!babl_format_is_palette (format))
    return format;
  colors = read_colors (format);
  checksum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, colors.values, sizeof colors.values);
  name = g_strdup_printf ("capra-palette-%s", checksum);
  babl_new_palette_with_space (name, space, &opaque, &with_alpha); /* those that exist, if they do */
  old = read_colors (opaque);
  if (memcmp (&old, &colors, sizeof colors) != 0)
    babl_palette_set_palette (opaque, get_color_format (space), colors.values, MAX_COLORS);
  return babl_format_has_alpha (format) ? with_alpha : opaque;
}

const Babl *
capra_palette_format_get_colors (const Babl *format)
{
  return babl_format_is_palette (format) ? babl_format_with_space ("R'G'B'A u8", babl_format_get_space (format))
                                         : format;
}
