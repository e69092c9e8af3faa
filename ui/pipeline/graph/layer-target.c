/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layer-target: what becomes of a result that a host writes into a layer. A GEGL operation of this process. */
#include "ui/pipeline/graph/layer-target.h"

#include <gegl-plugin.h>

#include "ui/pipeline/graph/palette.h"

#define OPERATION "capra-panel:layer-target"
#define STRIP 32 /* rows that are processed at a time */

#define KEY "capra-layer-target"

static void
target_free (gpointer data)
{
  CapraLayerTarget *target = data;

  g_clear_object (&target->selection);
  g_free (target);
}

void
capra_layer_target_mark (GeglBuffer *layer, const CapraLayerTarget *target)
{
  CapraLayerTarget *copy = g_memdup2 (target, sizeof *target);

  if (copy->selection)
    g_object_ref (copy->selection);
  g_object_set_data_full (G_OBJECT (layer), KEY, copy, target_free);
}

const CapraLayerTarget *
capra_layer_target_get (GeglBuffer *image)
{
  return g_object_get_data (G_OBJECT (image), KEY);
}

#define CAPRA_TYPE_LAYER_OPERATION (capra_layer_operation_get_type ())
G_DECLARE_FINAL_TYPE (CapraLayerOperation, capra_layer_operation, CAPRA, LAYER_OPERATION, GeglOperationFilter)

struct _CapraLayerOperation {
  GeglOperationFilter parent_instance;
  GeglBuffer *layer; /* not owned, like the selection */
  CapraLayerTarget target;
};

/* clang-format off */
G_DEFINE_FINAL_TYPE (CapraLayerOperation, capra_layer_operation, GEGL_TYPE_OPERATION_FILTER)
/* clang-format on */

/* Indices into a palette cannot be scaled or averaged: their colors can. */
static const Babl *
get_output_format (GeglBuffer *layer)
{
  const Babl *format = gegl_buffer_get_format (layer);

  if (!babl_format_is_palette (format))
    return format;
  return babl_format (babl_format_has_alpha (format) ? "R'G'B'A u8" : "R'G'B' u8");
}

static void
prepare (GeglOperation *operation)
{
  CapraLayerOperation *self = CAPRA_LAYER_OPERATION (operation);

  if (self->layer)
    gegl_operation_set_format (operation, "output", get_output_format (self->layer));
}

static GeglRectangle
get_bounding_box (GeglOperation *operation)
{
  CapraLayerOperation *self = CAPRA_LAYER_OPERATION (operation);

  return self->layer ? *gegl_buffer_get_extent (self->layer) : (GeglRectangle){ 0, 0, 0, 0 };
}

/* Blends a pixel of the result (RGBA) into one of the layer: @pixel becomes the new one. */
static void
blend (float *pixel, const float *old, float amount, CapraLayerComponents components)
{
  float alpha = old[3] + (pixel[3] - old[3]) * amount;
  float share = alpha != 0.0f ? amount * pixel[3] / alpha : amount; /* of the result in the color */

  for (int c = 0; c < 3; c++)
    pixel[c] = components & (1 << c) ? old[c] + (pixel[c] - old[c]) * share : old[c];
  pixel[3] = components & CAPRA_LAYER_ALPHA ? alpha : old[3];
}

/* As babl_process(), by way of the colors of a palette. */
static void
convert (const Babl *from, const Babl *to, const void *pixels, void *values, gsize count)
{
  const Babl *colors = capra_palette_format_get_colors (to);
  g_autofree guint8 *between = colors == to ? NULL : g_malloc (4 * count);

  if (colors == to)
    {
      babl_process (babl_fish (from, to), pixels, values, (long) count);
      return;
    }
  babl_process (babl_fish (from, colors), pixels, between, (long) count);
  babl_process (babl_fish (colors, to), between, values, (long) count);
}

static void
process_strip (CapraLayerOperation *self, GeglBuffer *input, GeglBuffer *output, const GeglRectangle *strip)
{
  const Babl *format = gegl_buffer_get_format (self->layer);
  const Babl *linear = babl_format_with_space ("RGBA float", babl_format_get_space (format));
  const Babl *result = gegl_buffer_get_format (input);
  gsize count = (gsize) strip->width * (gsize) strip->height;
  gboolean partial = self->target.selection || self->target.components != CAPRA_LAYER_ALL;
  g_autofree guint8 *values = g_malloc (count * (gsize) babl_format_get_bytes_per_pixel (format));
  g_autofree guint8 *given = g_malloc (count * (gsize) babl_format_get_bytes_per_pixel (result));
  g_autofree float *pixels = NULL, *old = NULL, *amounts = NULL;

  gegl_buffer_get (input, strip, 1.0, result, given, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  convert (result, format, given, values, count);
  if (partial)
    {
      pixels = g_new (float, 4 * count);
      old = g_new (float, 4 * count);
      babl_process (babl_fish (format, linear), values, pixels, (long) count);
      gegl_buffer_get (self->layer, strip, 1.0, linear, old, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      if (self->target.selection)
        {
          amounts = g_new (float, count);
          gegl_buffer_get (self->target.selection, strip, 1.0, babl_format ("Y float"), amounts, GEGL_AUTO_ROWSTRIDE,
                           GEGL_ABYSS_NONE);
        }
      for (gsize i = 0; i < count; i++)
        blend (pixels + 4 * i, old + 4 * i, amounts ? amounts[i] : 1.0f, self->target.components);
      convert (linear, format, pixels, values, count);
    }
  gegl_buffer_set (output, strip, 0, format, values, GEGL_AUTO_ROWSTRIDE);
}

static gboolean
process (GeglOperation *operation, GeglBuffer *input, GeglBuffer *output, const GeglRectangle *roi, int level)
{
  GeglRectangle strip = *roi;

  for (int y = 0; y < roi->height; y += STRIP)
    {
      strip.y = roi->y + y;
      strip.height = MIN (STRIP, roi->height - y);
      process_strip (CAPRA_LAYER_OPERATION (operation), input, output, &strip);
    }
  return TRUE;
}

static void
capra_layer_operation_class_init (CapraLayerOperationClass *klass)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (klass);

  operation_class->prepare = prepare;
  operation_class->get_bounding_box = get_bounding_box;
  GEGL_OPERATION_FILTER_CLASS (klass)->process = process;
  gegl_operation_class_set_keys (operation_class, "name", OPERATION, "categories", "hidden", "description",
                                 "Writes a result into a layer, for the preview of the panel", NULL);
}

static void
capra_layer_operation_init (CapraLayerOperation *self)
{
}

void
capra_layer_target_register (void)
{
  g_type_class_unref (g_type_class_ref (CAPRA_TYPE_LAYER_OPERATION));
}

GeglNode *
capra_layer_target_add_node (GeglNode *root, GeglNode *result, GeglBuffer *layer, const CapraLayerTarget *target)
{
  GeglNode *node = NULL;
  CapraLayerOperation *operation = NULL;

  capra_layer_target_register (); /* GEGL then finds the operation by its name */
  node = gegl_node_new_child (root, "operation", OPERATION, NULL);
  operation = CAPRA_LAYER_OPERATION (gegl_node_get_gegl_operation (node));
  operation->layer = layer;
  operation->target = *target;
  gegl_node_link (result, node);
  return node;
}
