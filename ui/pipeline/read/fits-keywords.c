/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FITS-keywords: attaches keywords and world coordinates to buffers. */
#include "ui/pipeline/read/fits-keywords.h"

static void
attach (GeglBuffer *buffer, CapraFitsHeader *header, CapraWorldCoordinates *coordinates)
{
  if (header)
    g_object_set_data_full (G_OBJECT (buffer), CAPRA_FITS_HEADER_KEY, capra_fits_header_ref (header),
                            (GDestroyNotify) capra_fits_header_unref);
  if (coordinates)
    g_object_set_data_full (G_OBJECT (buffer), CAPRA_FITS_COORDINATES_KEY, capra_world_coordinates_ref (coordinates),
                            (GDestroyNotify) capra_world_coordinates_unref);
}

void
capra_fits_keywords_attach (GeglNode *node, GeglBuffer *buffer)
{
  g_autofree char *path = NULL, *image = NULL;
  g_autoptr (CapraFits) fits = NULL;
  g_autoptr (CapraFitsHeader) header = NULL;
  g_autoptr (CapraWorldCoordinates) coordinates = NULL;
  guint index = 0;

  gegl_node_get (node, "path", &path, "image", &image, NULL);
  fits = capra_fits_open (path, NULL);
  if (!fits || !capra_fits_find_image (fits, image, &index, NULL))
    return;
  header = capra_fits_read_header (fits, index, NULL);
  coordinates = capra_fits_read_world_coordinates (fits, index, NULL);
  attach (buffer, header, coordinates);
}

void
capra_fits_keywords_copy (GeglBuffer *from, GeglBuffer *to)
{
  attach (to, g_object_get_data (G_OBJECT (from), CAPRA_FITS_HEADER_KEY),
          g_object_get_data (G_OBJECT (from), CAPRA_FITS_COORDINATES_KEY));
}

CapraFitsHeader *
capra_fits_keywords_get (GeglBuffer *buffer)
{
  return g_object_get_data (G_OBJECT (buffer), CAPRA_FITS_HEADER_KEY);
}
