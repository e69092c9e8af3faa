/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Job: one run of an operation on one device, with its input and output pixels. */
#include "plugin/compute/job.h"

#include "plugin/buffers/resident.h"
#include "plugin/buffers/upload-cache.h"
#include "plugin/properties.h"

/* With CAPRA_FIT_LOOSE, an array is used whole if it holds at most this many times the requested pixels. */
#define LOOSE_LIMIT 1.5

CapraRect
capra_rect (const GeglRectangle *rect)
{
  return (CapraRect){ rect->x, rect->y, rect->width, rect->height };
}

GeglRectangle
capra_rect_to_gegl (const CapraRect *rect)
{
  return (GeglRectangle){ rect->x, rect->y, rect->width, rect->height };
}

/* Extends the interval of @length from @begin by @reach to each side. An image that was translated or cropped may end
 * near the limits of a gint. */
static void
extend (gint *begin, gint *length, gint reach)
{
  const gint64 first = G_MININT / 2, last = first + G_MAXINT;
  gint64 from = *begin, to = from + *length;

  from = MIN (from, MAX (from - reach, first));
  to = MAX (to, MIN (to + reach, last));
  *begin = (gint) from;
  *length = (gint) MIN (to - from, G_MAXINT);
}

GeglRectangle
capra_rect_enlarge (const GeglRectangle *rect, gint x, gint y)
{
  GeglRectangle enlarged = *rect;

  if (gegl_rectangle_is_empty (rect) || gegl_rectangle_is_infinite_plane (rect))
    return enlarged;
  extend (&enlarged.x, &enlarged.width, x);
  extend (&enlarged.y, &enlarged.height, y);
  return enlarged;
}

gboolean
capra_job_is_at_once (const CapraJob *job)
{
  for (guint i = 0; i < job->n_parts; i++)
    if (job->parts[i].rows > (gsize) job->band_rows)
      return FALSE;
  return job->n_parts > 0;
}

GeglBuffer *
capra_job_get_buffer (CapraJob *job, const char *pad)
{
  return (GeglBuffer *) gegl_operation_context_get_object (job->context, pad);
}

GeglRectangle
capra_job_get_extent (CapraJob *job, const char *pad)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (job->operation, pad);

  return extent ? *extent : (GeglRectangle){ 0, 0, 0, 0 };
}

static gboolean
convert_pixels (CapraPixels *pixels, const CapraConversion *conversion, GError **error)
{
  CapraArray *converted = capra_convert_by (pixels->array, conversion, error);

  if (!converted)
    return FALSE;
  capra_array_unref (pixels->array);
  pixels->array = converted;
  return TRUE;
}

static double
area (const GeglRectangle *rect)
{
  return (double) rect->width * rect->height;
}

/* Crops the array to @rect. Pixels that the buffer does not show count as zero: if @rect reaches beyond the visible
 * part, the array is first cropped to that part. */
static gboolean
crop_pixels (CapraPixels *pixels, const GeglRectangle *visible, const GeglRectangle *rect, gboolean loose,
             GError **error)
{
  GeglRectangle held = capra_rect_to_gegl (&pixels->rect), shown;
  gboolean covered = gegl_rectangle_contains (visible, rect);
  gboolean hidden = !gegl_rectangle_contains (visible, &held);
  CapraRect visible_part, wanted = capra_rect (rect);

  if (covered && !hidden && loose && area (&held) <= LOOSE_LIMIT * area (rect))
    return TRUE;
  gegl_rectangle_intersect (&shown, visible, &held);
  visible_part = capra_rect (&shown);
  if (!covered && hidden && !capra_pixels_crop (pixels, &visible_part, error))
    return FALSE;
  return capra_pixels_crop (pixels, &wanted, error);
}

/* Sets @pixels to those rows of the view that @rect touches, on the job's device; to an arbitrary row if it touches
 * none, as an array has at least one pixel. */
static gboolean
get_rows (CapraJob *job, const CapraView *view, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  GeglRectangle touched = { view->visible.x, rect->y, view->visible.width, rect->height };

  if (!gegl_rectangle_intersect (&touched, &touched, &view->visible))
    touched = (GeglRectangle){ 0, view->visible.y, 1, 1 };
  if (!capra_bands_get_rows (view->bands, touched.y - view->area.y, touched.height, job->device, pixels, error))
    return FALSE;
  pixels->rect.x += view->area.x;
  pixels->rect.y += view->area.y;
  return TRUE;
}

/* Sets @view to the arrays of a resident buffer if they can be converted to @format, otherwise to an upload. */
static gboolean
get_view (CapraJob *job, GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format, CapraView *view,
          GError **error)
{
  const Babl *source = gegl_buffer_get_format (buffer);
  CapraConversion conversion;

  if ((source == format || capra_format_get_conversion (source, format, &conversion))
      && capra_view_init (view, buffer, rect))
    return capra_view_assemble (view, job->device, error);
  return capra_upload_cache_get_view (view, buffer, rect, capra_format_for_upload (source, format), job->device, error);
}

/* Sets @conversion to what makes @pixels those of @format; @converts: whether there is anything to convert. */
static gboolean
get_unconverted (CapraJob *job, GeglBuffer *buffer, const GeglRectangle *extent, const GeglRectangle *rect,
                 const Babl *format, CapraFit fit, CapraPixels *pixels, CapraConversion *conversion, gboolean *converts,
                 GError **error)
{
  g_auto (CapraView) view = { NULL };
  g_auto (CapraPixels) found = { NULL };
  gboolean loose = FALSE;

  g_return_val_if_fail (buffer != NULL, FALSE);

  if (!get_view (job, buffer, rect, format, &view, error))
    return FALSE;
  loose = fit == CAPRA_FIT_LOOSE && gegl_rectangle_contains (extent, &view.area);
  if (!get_rows (job, &view, rect, &found, error) || !crop_pixels (&found, &view.visible, rect, loose, error))
    return FALSE;
  *converts = view.format != format;
  if (*converts && !capra_format_get_conversion (view.format, format, conversion))
    g_return_val_if_reached (FALSE);
  *pixels = found;
  found.array = NULL;
  return TRUE;
}

static gboolean
get_pixels (CapraJob *job, GeglBuffer *buffer, const GeglRectangle *extent, const GeglRectangle *rect,
            const Babl *format, CapraFit fit, CapraPixels *pixels, GError **error)
{
  g_auto (CapraPixels) found = { NULL };
  CapraConversion conversion;
  gboolean converts = FALSE;

  if (!get_unconverted (job, buffer, extent, rect, format, fit, &found, &conversion, &converts, error)
      || (converts && !convert_pixels (&found, &conversion, error)))
    return FALSE;
  *pixels = found;
  found.array = NULL;
  return TRUE;
}

gboolean
capra_job_get_pixels (CapraJob *job, const char *pad, const GeglRectangle *rect, const Babl *format, CapraFit fit,
                      CapraPixels *pixels, GError **error)
{
  GeglRectangle extent = capra_job_get_extent (job, pad);

  return get_pixels (job, capra_job_get_buffer (job, pad), &extent, rect, format, fit, pixels, error);
}

gboolean
capra_job_get_unconverted (CapraJob *job, const char *pad, const GeglRectangle *rect, const Babl *format, CapraFit fit,
                           CapraPixels *pixels, CapraConversion *conversion, gboolean *converts, GError **error)
{
  GeglRectangle extent = capra_job_get_extent (job, pad);

  return get_unconverted (job, capra_job_get_buffer (job, pad), &extent, rect, format, fit, pixels, conversion,
                          converts, error);
}

gboolean
capra_job_get_buffer_pixels (CapraJob *job, GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format,
                             CapraFit fit, CapraPixels *pixels, GError **error)
{
  return get_pixels (job, buffer, gegl_buffer_get_extent (buffer), rect, format, fit, pixels, error);
}

void
capra_job_set_labels (CapraJob *job, GArray *bands)
{
  const Babl *format = CAPRA_FORMAT_LABELS;
  g_autoptr (CapraDeviceTiles) tiles = NULL;
  CapraTileMap *map = NULL;

  tiles = capra_device_tiles_new (bands, format, format, job->operation, capra_properties_report_loss);
  map = capra_tile_map_new (capra_device_tiles_get_grid (tiles));
  capra_tile_map_add (map, g_steal_pointer (&tiles));
  g_clear_object (&job->labels);
  job->labels = capra_resident_new_buffer (map);
}

GeglBuffer *
capra_job_get_labels (CapraJob *job, const char *pad)
{
  GeglBuffer *buffer = capra_job_get_buffer (job, pad);
  const CapraTileMap *map = capra_resident_get_map (buffer);
  int x = 0, y = 0;

  g_object_get (buffer, "shift-x", &x, "shift-y", &y, NULL);
  return map && map->labels && x == 0 && y == 0 ? map->labels : buffer;
}

void
capra_job_set_result (CapraJob *job, CapraArray *array, const CapraRect *rect)
{
  capra_pixels_clear (&job->result);
  job->result = (CapraPixels){ array, *rect };
}

void
capra_job_set_output (CapraJob *job, GeglBuffer *buffer)
{
  g_set_object (&job->output, buffer);
}
