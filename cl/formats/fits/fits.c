/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: opens files, and describes and reads their images. */
#include "formats/fits/fits-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* The result must fit into the memory of a device, and indices into 31 bits. */
#define MAX_VALUES ((gsize) G_MAXINT32)

gboolean
capra_fits_is_supported (void)
{
  return TRUE;
}

CapraFits *
capra_fits_open (const char *path, GError **error)
{
  g_autoptr (CapraFits) fits = g_new0 (CapraFits, 1);

  fits->file = capra_source_file_open (path, error);
  return fits->file && capra_fits_list_images (fits, error) ? g_steal_pointer (&fits) : NULL;
}

void
capra_fits_close (CapraFits *fits)
{
  g_clear_pointer (&fits->entries, g_ptr_array_unref);
  g_clear_pointer (&fits->names, g_string_chunk_free);
  g_clear_pointer (&fits->file, capra_source_file_free);
  g_free (fits);
}

guint
capra_fits_get_n_images (CapraFits *fits)
{
  return fits->entries->len;
}

const CapraFitsImage *
capra_fits_get_image (CapraFits *fits, guint index)
{
  g_return_val_if_fail (index < fits->entries->len, NULL);

  return &((CapraFitsEntry *) fits->entries->pdata[index])->image;
}

guint64
capra_fits_get_plane_bytes (const CapraFitsImage *image)
{
  return (guint64) image->width * image->height * (guint64) ABS (image->bits) / 8;
}

/* Whether all of a plane is in the file. */
static gboolean
check_length (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, GError **error)
{
  guint64 size = capra_source_file_get_size (fits->file);
  guint64 end = entry->data + (plane + 1) * capra_fits_get_plane_bytes (&entry->image);

  if (entry->image.compressed || (end >= entry->data && end <= size))
    return TRUE;
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
               _ ("%s is cut off: it has %" PRIu64 " bytes, and its header needs %" PRIu64),
               capra_source_file_get_path (fits->file), size, end);
  return FALSE;
}

gint64
capra_fits_check_plane (CapraFits *fits, guint index, gint64 plane, GError **error)
{
  const CapraFitsImage *image = capra_fits_get_image (fits, index);
  const char *path = capra_source_file_get_path (fits->file);

  if (image->width > MAX_VALUES / image->height)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                 _ ("the image of %s has %zu x %zu pixels, which is too large"), path, image->width, image->height);
  else if (plane < 0 && image->planes > 1)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE, _ ("%s has %zu planes: choose one from 0 to %zu"),
                 path, image->planes, image->planes - 1);
  else if (plane >= 0 && (guint64) plane >= image->planes)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                 _ ("%s has no plane %" PRId64 ": its planes are 0 to %zu"), path, plane, image->planes - 1);
  else if (check_length (fits, fits->entries->pdata[index], (gsize) MAX (plane, 0), error))
    return MAX (plane, 0);
  return -1;
}

CapraFitsHeader *
capra_fits_read_header (CapraFits *fits, guint index, GError **error)
{
  g_return_val_if_fail (index < fits->entries->len, NULL);

  return capra_fits_header_new (((CapraFitsEntry *) fits->entries->pdata[index])->records, -1);
}

CapraWorldCoordinates *
capra_fits_read_world_coordinates (CapraFits *fits, guint index, GError **error)
{
  const CapraFitsImage *image = capra_fits_get_image (fits, index);
  g_autoptr (CapraFitsHeader) header = capra_fits_read_header (fits, index, error);

  if (!header)
    return NULL;
  return capra_world_coordinates_new (header, image->axis_x, image->axis_y, image->height, error);
}

gboolean
capra_fits_read_plane (CapraFits *fits, guint index, gint64 plane, float *pixels, GError **error)
{
  const CapraFitsEntry *entry = NULL;
  gboolean read = FALSE;

  plane = capra_fits_check_plane (fits, index, plane, error);
  if (plane < 0)
    return FALSE;
  entry = fits->entries->pdata[index];
  read = entry->image.compressed ? capra_fits_read_compressed (fits, entry, (gsize) plane, pixels, error)
                                 : capra_fits_read_stored (fits, entry, (gsize) plane, pixels, error);
  return read && capra_source_file_check_unchanged (fits->file, error);
}
