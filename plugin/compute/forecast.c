/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Forecast: the memory of a device that an operation needs to compute at once, without bands. */
#include "plugin/compute/forecast.h"

#include "plugin/buffers/output-format.h"

/* For what does not grow with the image's pixels alone, such as sums, sizes of regions, and rows beyond its borders. */
#define MARGIN 1.05

static double
count_bytes (const Babl *format, const GeglRectangle *rect)
{
  return format && rect ? (double) rect->width * rect->height * babl_format_get_bytes_per_pixel (format) : 0.0;
}

static const Babl *
get_format (GeglOperation *operation, const char *pad)
{
  return gegl_node_has_pad (operation->node, pad) ? gegl_operation_get_format (operation, pad) : NULL;
}

static const Babl *
get_source_format (GeglOperation *operation, const char *pad)
{
  return gegl_node_has_pad (operation->node, pad) ? gegl_operation_get_source_format (operation, pad) : NULL;
}

/* (nullable): the bounds of the image on @pad. */
static const GeglRectangle *
get_extent (GeglOperation *operation, const char *pad)
{
  return gegl_node_has_pad (operation->node, pad) ? gegl_operation_source_get_bounding_box (operation, pad) : NULL;
}

/* Operations that write a table give their input on, if anything. */
static gboolean
writes_table (GeglOperation *operation)
{
  return gegl_operation_class_get_key (GEGL_OPERATION_GET_CLASS (operation), CAPRA_KEY_TABLE)
         || !gegl_node_has_pad (operation->node, "output");
}

/* The images that an operation takes and makes, in bytes. */
typedef struct {
  double source, in, aux, out;
} Images;

/* Tables are made from floats, or from the 32 bits of labels. */
static double
count_values (const Babl *format, const GeglRectangle *rect)
{
  return format && rect ? (double) rect->width * rect->height * babl_format_get_n_components (format) * sizeof (float)
                        : 0.0;
}

static void
count_images (GeglOperation *operation, const GeglRectangle *required, const GeglRectangle *result, Images *images)
{
  const Babl *source = get_source_format (operation, "input");

  *images = (Images){ .source = count_bytes (source, required) };
  if (writes_table (operation))
    {
      images->in = count_values (source, required);
      images->aux = count_values (get_source_format (operation, "aux"), get_extent (operation, "aux"));
      return;
    }
  images->in = count_bytes (get_format (operation, "input"), required);
  images->out = count_bytes (get_format (operation, "output"), result);
}

/* While the input is converted, there are it and what becomes of it; then that, the result, and an image between them,
 * such as after the first of two passes. */
static double
add (const Images *images)
{
  double between = images->out > 0.0 ? MAX (images->in, images->out) : images->aux;

  return MAX (images->source + images->in, images->in + images->out + between);
}

double
capra_forecast_get_bytes (GeglOperation *operation, const GeglRectangle *required, const GeglRectangle *result)
{
  Images images;

  count_images (operation, required, result, &images);
  return add (&images);
}

guint64
capra_forecast_get (GeglOperation *operation, const GeglRectangle *required, guint64 *largest)
{
  GeglRectangle result = gegl_operation_get_bounding_box (operation);
  Images images;

  *largest = 0;
  if (gegl_rectangle_is_infinite_plane (&result) || gegl_rectangle_is_infinite_plane (required))
    return 0;
  count_images (operation, required, &result, &images);
  *largest = (guint64) MAX (MAX (images.source, images.in), MAX (images.aux, images.out));
  return (guint64) (MARGIN * add (&images));
}

/* A CapraForecastFunc. */
static guint64
forecast_whole (GeglOperation *operation, guint64 *largest)
{
  static const GeglRectangle nothing = { 0, 0, 0, 0 };
  const GeglRectangle *input = get_extent (operation, "input");

  return capra_forecast_get (operation, input ? input : &nothing, largest);
}

void
capra_forecast_install (GType type, CapraForecastFunc func)
{
  g_type_set_qdata (type, g_quark_from_static_string (CAPRA_KEY_FORECAST), func ? func : forecast_whole);
}
