/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Image header: searches the operations upstream for the one that loaded the image. */
#include "plugin/image-header.h"

#include <string.h>

#include "plugin/operation.h"

/* The maximum number of operations that are passed. */
#define MAX_UPSTREAM 256

/* Whether a list of categories, such as "map:distort", has one whose operations move pixels. */
static gboolean
moves_pixels (GeglOperation *operation)
{
  static const char *const moving[] = { "transform", "map", "distort", "projection" };
  const char *text = gegl_operation_class_get_key (GEGL_OPERATION_GET_CLASS (operation), "categories");
  g_auto (GStrv) categories = g_strsplit (text ? text : "", ":", -1);

  for (guint i = 0; i < G_N_ELEMENTS (moving); i++)
    if (g_strv_contains ((const char *const *) categories, moving[i]))
      return TRUE;
  return FALSE;
}

static gboolean
keeps_extent (GeglOperation *operation)
{
  const GeglRectangle *input = gegl_operation_source_get_bounding_box (operation, "input");
  GeglRectangle output = gegl_operation_get_bounding_box (operation);

  return input && gegl_rectangle_equal (input, &output);
}

static gboolean
keeps_positions (GeglOperation *operation)
{
  static const char *const names[] = { "gegl:crop",           "gegl:nop",           "gegl:cache",
                                       "gegl:convert-format", "gegl:gaussian-blur", NULL };

  if (g_strv_contains (names, gegl_operation_get_name (operation)))
    return TRUE;
  if (moves_pixels (operation))
    return FALSE;
  return GEGL_IS_OPERATION_POINT_FILTER (operation) || GEGL_IS_OPERATION_POINT_COMPOSER (operation)
         || GEGL_IS_OPERATION_AREA_FILTER (operation) || (CAPRA_IS_OPERATION (operation) && keeps_extent (operation));
}

/* Of a buffer to which a program has attached them. */
static void
get_attached (GeglOperation *operation, CapraSourceInfo *info)
{
  g_autoptr (GeglBuffer) buffer = NULL;
  CapraFitsHeader *header = NULL;
  CapraWorldCoordinates *coordinates = NULL;

  gegl_node_get (operation->node, "buffer", &buffer, NULL);
  if (!buffer)
    return;
  header = g_object_get_data (G_OBJECT (buffer), CAPRA_HEADER_KEY);
  coordinates = g_object_get_data (G_OBJECT (buffer), CAPRA_COORDINATES_KEY);
  info->width = (gsize) gegl_buffer_get_width (buffer);
  info->height = (gsize) gegl_buffer_get_height (buffer);
  info->header = header ? capra_fits_header_ref (header) : NULL;
  info->coordinates = coordinates ? capra_world_coordinates_ref (coordinates) : NULL;
}

gboolean
capra_image_header_find (GeglOperation *operation, const char *pad, CapraSourceInfo *info)
{
  *info = (CapraSourceInfo){ 0 };
  for (guint i = 0; i < MAX_UPSTREAM && operation && operation->node; i++, pad = "input")
    {
      GeglNode *producer = gegl_node_has_pad (operation->node, pad)
                             ? gegl_node_get_producer (operation->node, (char *) pad, NULL)
                             : NULL;

      operation = producer ? gegl_node_get_gegl_operation (producer) : NULL;
      if (!operation)
        return FALSE;
      if (CAPRA_IS_IMAGE_SOURCE (operation))
        capra_image_source_get_info (operation, info);
      else if (g_strcmp0 (gegl_operation_get_name (operation), "gegl:buffer-source") == 0)
        get_attached (operation, info);
      else if (keeps_positions (operation))
        continue;
      return info->header != NULL || info->coordinates != NULL;
    }
  return FALSE;
}
