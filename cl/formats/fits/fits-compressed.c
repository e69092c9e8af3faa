/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: reads images that are compressed in tables, through CFITSIO. */
#include <fitsio.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "formats/fits/fits-private.h"

/* CFITSIO's own lock protects it only if it was built for several threads. */
G_LOCK_DEFINE_STATIC (library);

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

/* Sets the position of the first pixel of @plane on all axes, from 1. */
static void
locate (const CapraFitsEntry *entry, gsize plane, LONGLONG *first)
{
  /* The first two axes that are not of length 1 are those of the plane. */
  for (guint i = 0; i < entry->n_axes; i++)
    {
      gsize length = entry->axes[i];
      gboolean further = i + 1 > MAX (entry->image.axis_x, entry->image.axis_y);

      first[i] = 1 + (LONGLONG) (further ? plane % length : 0);
      plane = further ? plane / length : plane;
    }
}

/* Returns a status of CFITSIO. */
static int
read_plane (GByteArray *file, const CapraFitsEntry *entry, gsize plane, float *pixels)
{
  g_autofree LONGLONG *first = g_new (LONGLONG, entry->n_axes);
  void *memory = file->data;
  size_t size = file->len;
  LONGLONG values = (LONGLONG) (entry->image.width * entry->image.height);
  float missing = NAN;
  int status = 0, any = 0, closed = 0;
  fitsfile *handle = NULL;

  locate (entry, plane, first);
  fits_open_memfile (&handle, "memory", READONLY, &memory, &size, 0, NULL, &status);
  fits_movabs_hdu (handle, 2, NULL, &status);
  if (!status && !fits_is_compressed_image (handle, &status))
    status = DATA_DECOMPRESSION_ERR;
  fits_read_pixll (handle, TFLOAT, first, values, &missing, pixels, &any, &status);
  if (handle)
    fits_close_file (handle, &closed);
  fits_clear_errmsg ();
  return status;
}

gboolean
capra_fits_read_compressed (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels, GError **error)
{
  g_autoptr (GByteArray) file = capra_fits_extract_table (fits, entry, error);
  gboolean locked = !fits_is_reentrant ();
  char text[FLEN_STATUS] = "";
  int status = 0;

  if (!file)
    return FALSE;
  if (locked)
    G_LOCK (library);
  status = read_plane (file, entry, plane, pixels);
  if (locked)
    G_UNLOCK (library);
  if (status == 0)
    {
      turn (pixels, entry->image.width, entry->image.height);
      return TRUE;
    }
  fits_get_errstatus (status, text);
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED, _ ("cannot read %s: %s"),
               capra_source_file_get_path (fits->file), text);
  return FALSE;
}
