/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP reader: an operation with GIMP's prefix that copies its input, and requests in chunks. */
#include "ui/cli/run/gimp-reader.h"

#include <gegl-plugin.h>

typedef GeglOperationFilter GimpReader;
typedef GeglOperationFilterClass GimpReaderClass;

GType gimp_reader_get_type (void);

G_DEFINE_TYPE (GimpReader, gimp_reader, GEGL_TYPE_OPERATION_FILTER)

static void
prepare (GeglOperation *operation)
{
  const Babl *format = gegl_operation_get_source_format (operation, "input");

  gegl_operation_set_format (operation, "input", format);
  gegl_operation_set_format (operation, "output", format);
}

static gboolean
process (GeglOperation *operation, GeglBuffer *input, GeglBuffer *output, const GeglRectangle *roi, gint level)
{
  gegl_buffer_copy (input, roi, GEGL_ABYSS_NONE, output, roi);
  return TRUE;
}

static void
gimp_reader_class_init (GimpReaderClass *klass)
{
  GEGL_OPERATION_CLASS (klass)->prepare = prepare;
  klass->process = process;
  gegl_operation_class_set_keys (GEGL_OPERATION_CLASS (klass), "name", "gimp:capra-reader", "categories", "hidden",
                                 NULL);
}

static void
gimp_reader_init (GimpReader *self)
{
}

GeglNode *
gimp_reader_append (GeglNode *node, const Babl *format)
{
  GeglNode *graph = gegl_node_get_parent (node);
  GeglNode *convert = gegl_node_new_child (graph, "operation", "gegl:convert-format", "format", format, NULL);
  GeglNode *reader = NULL;

  g_type_class_unref (g_type_class_ref (gimp_reader_get_type ()));
  reader = gegl_node_new_child (graph, "operation", "gimp:capra-reader", NULL);
  gegl_node_link_many (node, convert, reader, NULL);
  return reader;
}

void
gimp_reader_render (GeglNode *node, GeglBuffer *result)
{
  const GeglRectangle all = *gegl_buffer_get_extent (result);
  const int width = MIN (all.width, 128), height = MIN (all.height, 128);
  const GeglRectangle chunks[] = {
    { all.x, all.y, width, height },
    { all.x + width, all.y, all.width - width, height },
    { all.x, all.y + height, all.width, all.height - height },
  };

  for (guint i = 0; i < G_N_ELEMENTS (chunks); i++)
    if (!gegl_rectangle_is_empty (&chunks[i]))
      gegl_node_blit_buffer (node, result, &chunks[i], 0, GEGL_ABYSS_NONE);
}
