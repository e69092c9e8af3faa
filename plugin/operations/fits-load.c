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
  description (_ ("The plane of a cube, from 0; -1 for an image that has only one"))

/* clang-format on */

#else

#define GEGL_OP_NAME fits_load
#define GEGL_OP_C_FILE "fits-load.c"
#define CAPRA_OP_IMAGE_SOURCE
#include "plugin/capra-op.h"

#include "formats/fits/fits.h"

static char *
dup_key (GeglOperation *operation)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);

  return g_strdup_printf ("%s\n%s\n%d", o->path, o->image, o->plane);
}

/* Opens the file, and finds the chosen image. The plane is checked when it is read, since GEGL opens the file after
 * each change of a property. */
static CapraFits *
open_chosen (GeglOperation *operation, guint *index, GError **error)
{
  GeglProperties *o = GEGL_PROPERTIES (operation);
  g_autoptr (CapraFits) fits = capra_fits_open (o->path, error);

  if (!fits || !capra_fits_find_image (fits, o->image, index, error)
      || capra_fits_check_plane (fits, *index, 0, error) < 0)
    return NULL;
  return g_steal_pointer (&fits);
}

static gboolean
open_file (GeglOperation *operation, CapraSourceInfo *info, GError **error)
{
  guint index = 0;
  g_autoptr (CapraFits) fits = open_chosen (operation, &index, error);
  const CapraFitsImage *image = NULL;

  if (!fits)
    return FALSE;
  image = capra_fits_get_image (fits, index);
  info->width = image->width;
  info->height = image->height;
  info->header = capra_fits_read_header (fits, index, error);
  if (!info->header)
    return FALSE;
  /* An image without coordinates is an image, too. */
  info->coordinates = capra_world_coordinates_new (info->header, image->axis_x, image->axis_y, image->height, NULL);
  return TRUE;
}

static gboolean
read_pixels (GeglOperation *operation, const CapraSourceInfo *info, float *pixels, GError **error)
{
  guint index = 0;
  g_autoptr (CapraFits) fits = open_chosen (operation, &index, error);
  const CapraFitsImage *image = NULL;

  if (!fits)
    return FALSE;
  image = capra_fits_get_image (fits, index);
  if (image->width != info->width || image->height != info->height)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_CHANGED, _ ("%s was changed while it was read"),
                   GEGL_PROPERTIES (operation)->path);
      return FALSE;
    }
  return capra_fits_read_plane (fits, index, GEGL_PROPERTIES (operation)->plane, pixels, error);
}

static void
register_loaders (void)
{
  static const char *const types[] = { "image/fits", "application/fits", "image/x-fits" };
  /* GEGL looks at the last ending only: ".fits.fz", ".fits.gz". */
  static const char *const endings[] = { ".fits", ".fit", ".fts", ".fz", ".gz" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    gegl_operation_handlers_register_loader (types[i], "capra:fits-load");
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    gegl_operation_handlers_register_loader (endings[i], "capra:fits-load");
}

static void
class_init (GeglOpClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);
  CapraImageSourceClass *source_class = CAPRA_IMAGE_SOURCE_CLASS (klass);

  source_class->dup_key = dup_key;
  source_class->open = open_file;
  source_class->read = read_pixels;

  gegl_operation_class_set_keys (
    operation_class, "name", "capra:fits-load", "title", _ ("Load FITS (Capra)"), "categories", "hidden:input",
    "description", _ ("Loads an image of a FITS file. Its values are not changed, and missing ones are NaN"), NULL);
  register_loaders ();
}

#endif
