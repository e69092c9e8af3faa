/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: opens a FITS file, and reads its keywords, coordinates and pixels. */
#include "tests/fuzz/fuzz-file.h"

#include <math.h>

#include "formats/fits/fits.h"

/* Larger planes only take time. */
#define MAX_PIXELS ((gsize) 1 << 20)

static void
use_coordinates (CapraFits *fits, guint index)
{
  g_autoptr (CapraWorldCoordinates) coordinates = capra_fits_read_world_coordinates (fits, index, NULL);
  double world[2], pixel[2];

  if (!coordinates)
    return;
  if (capra_world_coordinates_from_pixel (coordinates, 3.0, 5.0, world))
    {
      g_assert_true (isfinite (world[0]) && isfinite (world[1]));
      capra_world_coordinates_to_pixel (coordinates, world, pixel);
    }
  g_assert_nonnull (capra_world_coordinates_get_name (coordinates, 0));
  g_assert_nonnull (capra_world_coordinates_get_unit (coordinates, 1));
}

static void
use_header (CapraFits *fits, guint index)
{
  g_autoptr (CapraFitsHeader) header = capra_fits_read_header (fits, index, NULL);
  g_autofree char *text = header ? capra_fits_header_to_string (header) : NULL;

  g_assert_true (!text || g_utf8_validate (text, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autofree char *path = fuzz_write_file (data, size);
  g_autoptr (CapraFits) fits = capra_fits_open (path, NULL);

  for (guint i = 0; fits && i < MIN (capra_fits_get_n_images (fits), 8); i++)
    {
      const CapraFitsImage *image = capra_fits_get_image (fits, i);
      gint64 last = (gint64) image->planes - 1;

      use_header (fits, i);
      use_coordinates (fits, i);
      if (capra_fits_check_plane (fits, i, last, NULL) >= 0 && image->width <= MAX_PIXELS / image->height)
        {
          g_autofree float *pixels = g_new (float, image->width *image->height);

          capra_fits_read_plane (fits, i, last, pixels, NULL);
        }
    }
  return 0;
}
