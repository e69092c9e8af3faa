/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: reads images that are compressed in tables, through CFITSIO. */
#include "formats/fits/fits-private.h"

#include <math.h>
#include <string.h>

/* Swaps the rows, of which the first is the bottom one. */
static void
turn (float *pixels, gsize width, gsize height)
{
  g_autofree float *row = g_new (float, width);
  gsize bytes = width * sizeof *row;

  for (gsize y = 0; y < height / 2; y++)
    {
      float *top = pixels + y * width, *bottom = pixels + (height - 1 - y) * width;

      memcpy (row, top, bytes);
      memcpy (top, bottom, bytes);
      memcpy (bottom, row, bytes);
    }
}

gboolean
capra_fits_read_compressed (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels, GError **error)
{
  const CapraFitsImage *image = &entry->image;
  g_autofree LONGLONG *first = g_new (LONGLONG, entry->n_axes);
  LONGLONG values = (LONGLONG) (image->width * image->height);
  float missing = NAN;
  int status = 0, any = 0;

  /* The first two axes that are not of length 1 are those of the plane. */
  for (int i = 0; i < entry->n_axes; i++)
    {
      gsize length = (gsize) entry->axes[i];
      gboolean further = i + 1 > (int) MAX (image->axis_x, image->axis_y);

      first[i] = 1 + (LONGLONG) (further ? plane % length : 0);
      plane = further ? plane / length : plane;
    }
  fits_movabs_hdu (fits->handle, image->hdu, NULL, &status);
  fits_read_pixll (fits->handle, TFLOAT, first, values, &missing, pixels, &any, &status);
  if (status)
    {
      capra_fits_set_error (fits, status, error);
      return FALSE;
    }
  turn (pixels, image->width, image->height);
  return TRUE;
}
