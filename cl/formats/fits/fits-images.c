/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: lists the images of a file. */
#include "formats/fits/fits-private.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

static void
entry_free (gpointer data)
{
  CapraFitsEntry *entry = data;

  g_free (entry->axes);
  g_free (entry);
}

/* Sets the width, height and planes from the axes whose length is not 1. Returns FALSE if the image is empty, or its
 * size does not fit. */
static gboolean
set_size (CapraFitsEntry *entry)
{
  CapraFitsImage *image = &entry->image;
  guint64 values = 1;

  image->width = image->height = image->planes = 1;
  image->axis_x = 1;
  image->axis_y = entry->n_axes > 1 ? 2 : 0;
  for (int i = 0, n = 0; i < entry->n_axes; i++)
    {
      LONGLONG length = entry->axes[i];

      if (length < 1 || !g_uint64_checked_mul (&values, values, (guint64) length) || values > G_MAXINT64 / 8)
        return FALSE;
      if (length == 1)
        continue;
      if (n == 0)
        {
          image->width = (gsize) length;
          image->axis_x = (guint) i + 1;
          image->axis_y = i + 1 < entry->n_axes ? (guint) i + 2 : 0;
        }
      else if (n == 1)
        {
          image->height = (gsize) length;
          image->axis_y = (guint) i + 1;
        }
      else
        image->planes *= (gsize) length;
      n++;
    }
  return entry->n_axes > 0;
}

static gboolean
is_bitpix (int bits)
{
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == -32 || bits == -64;
}

/* Adds the present unit if it is an image. */
static void
add_image (CapraFits *fits, int number)
{
  CapraFitsEntry *entry = g_new0 (CapraFitsEntry, 1);
  CapraFitsImage *image = &entry->image;
  int type = 0, status = 0;
  LONGLONG data = 0;
  char name[FLEN_VALUE] = "";

  fits_get_hdu_type (fits->handle, &type, &status);
  image->hdu = number;
  image->compressed = fits_is_compressed_image (fits->handle, &status) != 0;
  if (type == IMAGE_HDU || image->compressed)
    {
      fits_get_img_type (fits->handle, &image->bits, &status);
      fits_get_img_dim (fits->handle, &entry->n_axes, &status);
      entry->axes = g_new0 (LONGLONG, status ? 1 : (gsize) MAX (entry->n_axes, 0) + 1);
      fits_get_img_sizell (fits->handle, status ? 0 : entry->n_axes, entry->axes, &status);
      fits_get_hduaddrll (fits->handle, NULL, &data, NULL, &status);
      entry->data = (guint64) data;
    }
  if ((type != IMAGE_HDU && !image->compressed) || status || !is_bitpix (image->bits) || data < 0 || !set_size (entry))
    {
      entry_free (entry);
      return;
    }
  if (fits_read_key (fits->handle, TSTRING, "EXTNAME", name, NULL, &status))
    *name = '\0';
  {
    g_autofree char *valid = g_utf8_make_valid (name, -1);

    image->name = g_string_chunk_insert (fits->names, g_strchomp (valid));
  }
  g_ptr_array_add (fits->entries, entry);
}

gboolean
capra_fits_list_images (CapraFits *fits, GError **error)
{
  int status = 0, number = 1;

  fits->entries = g_ptr_array_new_with_free_func (entry_free);
  fits->names = g_string_chunk_new (256);
  /* What follows a damaged unit cannot be found. */
  for (; !fits_movabs_hdu (fits->handle, number, NULL, &status); number++)
    add_image (fits, number);
  if (fits->entries->len > 0)
    return TRUE;
  if (status == END_OF_FILE && number > 1)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND, _ ("%s has no image"),
                 capra_source_file_get_path (fits->file));
  else
    capra_fits_set_error (fits, status, error);
  return FALSE;
}

gboolean
capra_fits_find_image (CapraFits *fits, const char *name, guint *index, GError **error)
{
  char *end = NULL;
  guint64 number = g_ascii_strtoull (name, &end, 10);
  gboolean is_number = *name && !*end;

  for (guint i = 0; i < fits->entries->len; i++)
    {
      const CapraFitsImage *image = capra_fits_get_image (fits, i);

      if (!*name || g_ascii_strcasecmp (image->name, name) == 0 || (is_number && number == (guint64) image->hdu))
        {
          *index = i;
          return TRUE;
        }
    }
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND, _ ("%s has no image \"%s\""),
               capra_source_file_get_path (fits->file), name);
  return FALSE;
}
