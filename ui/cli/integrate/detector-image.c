/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detector image: reads FITS and HDF5 files. */
#include "ui/cli/integrate/detector-image.h"

#include <gio/gio.h>
#include <string.h>

static gboolean
check_size (const char *path, gsize width, gsize height, guint frame_width, guint frame_height, GError **error)
{
  if (width == frame_width && height == frame_height)
    return TRUE;
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "%s: the image has %zu x %zu pixels, the frames %u x %u", path,
               width, height, frame_width, frame_height);
  return FALSE;
}

/* The reader turns images, so that their first row is the top one. */
static void
turn_rows (float *pixels, gsize width, gsize height)
{
  g_autofree float *row = g_new (float, width);

  for (gsize y = 0; y < height / 2; y++)
    {
      float *a = pixels + y * width, *b = pixels + (height - 1 - y) * width;

      memcpy (row, a, width * sizeof (float));
      memcpy (a, b, width * sizeof (float));
      memcpy (b, row, width * sizeof (float));
    }
}

static float *
read_fits (const char *path, guint width, guint height, GError **error)
{
  g_autoptr (CapraFits) fits = capra_fits_open (path, error);
  const CapraFitsImage *image = fits ? capra_fits_get_image (fits, 0) : NULL;
  g_autofree float *pixels = NULL;

  if (!image || !check_size (path, image->width, image->height, width, height, error))
    return NULL;
  pixels = g_new (float, (gsize) width * height);
  if (!capra_fits_read_plane (fits, 0, -1, pixels, error))
    return NULL;
  turn_rows (pixels, width, height);
  return g_steal_pointer (&pixels);
}

static float *
read_hdf5 (const char *path, const char *data_set, guint width, guint height, GError **error)
{
  g_autoptr (CapraHdf5Frames) frames = capra_hdf5_frames_open (path, data_set, error);
  const CapraHdf5Shape *shape = frames ? capra_hdf5_frames_get_shape (frames) : NULL;
  g_autofree float *pixels = NULL;

  if (!shape || !check_size (path, shape->width, shape->height, width, height, error)
      || capra_hdf5_frames_check (frames, -1, error) < 0)
    return NULL;
  pixels = g_new (float, (gsize) width * height);
  return capra_hdf5_frames_read_floats (frames, 0, pixels, error) ? g_steal_pointer (&pixels) : NULL;
}

/* Whether the file begins as HDF5 files do. Those with a block of other data before are not recognized. */
static gboolean
is_hdf5 (const char *path)
{
  static const char signature[] = "\x89HDF\r\n\x1a\n";
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  char start[sizeof signature - 1] = "";

  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return FALSE; /* opening a pipe would block */
  stream = g_file_read (file, NULL, NULL);
  return stream && g_input_stream_read_all (G_INPUT_STREAM (stream), start, sizeof start, NULL, NULL, NULL)
         && memcmp (start, signature, sizeof start) == 0;
}

float *
detector_image_read (const char *file, guint width, guint height, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (file, DETECTOR_IMAGE_SEPARATOR, 2);

  if (!*file || parts[1] || is_hdf5 (file))
    return read_hdf5 (parts[0] ? parts[0] : "", parts[0] && parts[1] ? parts[1] : "", width, height, error);
  return read_fits (file, width, height, error);
}
