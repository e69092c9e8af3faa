/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-hdr: writes Radiance RGBE.
 *
 * Greg Ward: Real Pixels, Graphics Gems II, 1991. Pixels are not compressed, because GEGL does not read compressed
 * lines correctly. The largest of the three components is at least 128, so no pixel looks like the start of one. */
#include "ui/pipeline/write/save-private.h"

#include <math.h>
#include <string.h>

#define MAX_EXPONENT 127

/* Encodes three values with the exponent of the largest. Negative values and NaN become 0. */
static void
pack_pixel (const float *from, guint8 *to)
{
  double values[3], largest = 0.0;
  int exponent;

  for (int i = 0; i < 3; i++)
    {
      values[i] = from[i] > 0.0f ? MIN ((double) from[i], ldexp (255.0 / 256.0, MAX_EXPONENT)) : 0.0;
      largest = MAX (largest, values[i]);
    }
  memset (to, 0, 4);
  if (largest < 1e-38)
    return;
  frexp (largest, &exponent);
  for (int i = 0; i < 3; i++)
    to[i] = (guint8) ldexp (values[i], 8 - exponent);
  to[3] = (guint8) (exponent + 128);
}

gboolean
capra_write_hdr (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  gsize width = (gsize) saving->bounds.width;
  int height = saving->bounds.height, band = capra_saving_choose_rows (saving, width * 12);
  g_autofree char *head = g_strdup_printf ("#?RADIANCE\nSOFTWARE=Capra " CAPRA_VERSION
                                           "\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n",
                                           height, saving->bounds.width);
  g_autofree float *pixels = g_new (float, width *(gsize) band * 3);
  g_autofree guint8 *packed = g_new (guint8, width * (gsize) band * 4);

  if (!capra_output_file_write (file, head, strlen (head), error))
    return FALSE;
  for (int y = 0; y < height; y += band)
    {
      int rows = MIN (band, height - y);

      if (!capra_saving_render (saving, y, rows, babl_format ("RGB float"), pixels, GEGL_AUTO_ROWSTRIDE, error))
        return FALSE;
      for (gsize i = 0; i < width * (gsize) rows; i++)
        pack_pixel (pixels + i * 3, packed + i * 4);
      if (!capra_output_file_write (file, packed, width * (gsize) rows * 4, error))
        return FALSE;
    }
  return TRUE;
}
