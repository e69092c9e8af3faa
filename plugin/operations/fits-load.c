/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* capra:fits-load: loads an image of a FITS file. */
#ifdef GEGL_PROPERTIES

/* clang-format off */

property_file_path (path, _ ("File"), "")
  description (_ ("The FITS file"))

property_string (image, _ ("Image"), "")
  description (_ ("The name (EXTNAME) or number of the image in the file; empty for the first one"))

property_int (plane, _ ("Plane"), -1)
  value_range (-1, G_MAXINT)
  ui_range (-1, 100)
  description (_ ("The plane of a cube, from 0; -1 for the first one, with a message if there are others"))

/* clang-format on */

#else

#define GEGL_OP_NAME fits_load
#define GEGL_OP_C_FILE "fits-load.c"
#define CAPRA_OP_IMAGE_SOURCE
#include "plugin/capra-op.h"

#include "formats/fits/fits.h"

/* Opens the file, and finds the image. */
static CapraFits *
open_image (const CapraSourceChoice *choice, guint *index, GError **error)
{
  g_autoptr (CapraFits) fits = capra_fits_open (choice->path, error);

  if (!fits || !capra_fits_find_image (fits, choice->part, index, error)
      || capra_fits_check_plane (fits, *index, 0, error) < 0)
    return NULL;
  return g_steal_pointer (&fits);
}

static gboolean
open_file (GeglOperation *operation, const CapraSourceChoice *choice, CapraSourceInfo *info, GError **error)
{
  guint index = 0;
  g_autoptr (CapraFits) fits = open_image (choice, &index, error);
  const CapraFitsImage *image = NULL;

  if (!fits)
    return FALSE;
  image = capra_fits_get_image (fits, index);
  info->width = image->width;
  info->height = image->height;
  info->count = image->planes;
  info->header = capra_fits_read_header (fits, index, error);
  if (!info->header)
    return FALSE;
  /* An image without coordinates is an image, too. */
  info->coordinates = capra_world_coordinates_new (info->header, image->axis_x, image->axis_y, image->height, NULL);
  return TRUE;
}

static gboolean
read_pixels (GeglOperation *operation, const CapraSourceChoice *choice, const CapraSourceInfo *info, float *pixels,
             GError **error)
{
  guint index = 0;
  g_autoptr (CapraFits) fits = open_image (choice, &index, error);
  const CapraFitsImage *image = NULL;

  if (!fits)
    return FALSE;
  image = capra_fits_get_image (fits, index);
  if (image->width != info->width || image->height != info->height)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_CHANGED, _ ("%s was changed while it was read"),
                   choice->path);
      return FALSE;
    }
  return capra_fits_read_plane (fits, index, choice->number, pixels, error);
}

static void
class_init (GeglOpClass *klass)
{
  /* gzip-load.c handles those that end with ".gz". */
  static const char *const endings[] = { ".fits", ".fit", ".fts", ".fz", NULL };
  CapraImageSourceClass *source_class = CAPRA_IMAGE_SOURCE_CLASS (klass);

  source_class->part = "image";
  source_class->number = "plane";
  source_class->open = open_file;
  source_class->read = read_pixels;

  gegl_operation_class_set_keys (
    GEGL_OPERATION_CLASS (klass), "name", "capra:fits-load", "title", _ ("Load FITS (Capra)"), "categories",
    "hidden:input", "description",
    _ ("Loads an image of a FITS file. Its values are not changed, and missing ones are NaN"), NULL);
  capra_image_source_class_handle (source_class, "image/fits", endings);
}

#endif
