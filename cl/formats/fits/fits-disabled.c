/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: in builds without CFITSIO, opening a file is an error. */
#include "formats/fits/fits.h"

#include <glib/gi18n-lib.h>

gboolean
capra_fits_is_supported (void)
{
  return FALSE;
}

CapraFits *
capra_fits_open (const char *path, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
               _ ("cannot read %s: this build of Capra has no FITS support; install CFITSIO and build it again"), path);
  return NULL;
}

/* The other functions need an open file. */

void
capra_fits_close (CapraFits *fits)
{
  g_return_if_reached ();
}

guint
capra_fits_get_n_images (CapraFits *fits)
{
  g_return_val_if_reached (0);
}

const CapraFitsImage *
capra_fits_get_image (CapraFits *fits, guint index)
{
  g_return_val_if_reached (NULL);
}

gboolean
capra_fits_find_image (CapraFits *fits, const char *name, guint *index, GError **error)
{
  g_return_val_if_reached (FALSE);
}

gint64
capra_fits_check_plane (CapraFits *fits, guint index, gint64 plane, GError **error)
{
  g_return_val_if_reached (-1);
}

CapraFitsHeader *
capra_fits_read_header (CapraFits *fits, guint index, GError **error)
{
  g_return_val_if_reached (NULL);
}

CapraWorldCoordinates *
capra_fits_read_world_coordinates (CapraFits *fits, guint index, GError **error)
{
  g_return_val_if_reached (NULL);
}

gboolean
capra_fits_read_plane (CapraFits *fits, guint index, gint64 plane, float *pixels, GError **error)
{
  g_return_val_if_reached (FALSE);
}
