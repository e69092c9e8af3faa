/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Neighbourhood: the regions of filters that look a fixed way to each side of a pixel. */
#include "plugin/area-filter.h"

static GeglRectangle
grown (const GeglRectangle *rect, const CapraReach *reach)
{
  if (gegl_rectangle_is_empty (rect) || gegl_rectangle_is_infinite_plane (rect))
    return *rect;
  return (GeglRectangle){ rect->x - reach->x, rect->y - reach->y, rect->width + 2 * reach->x,
                          rect->height + 2 * reach->y };
}

GeglRectangle
capra_reach_get_bounding_box (GeglOperation *operation, const CapraReach *reach, gboolean clip)
{
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");

  if (!extent)
    return (GeglRectangle){ 0, 0, 0, 0 };
  return clip ? *extent : grown (extent, reach);
}

/* What counts as the image where @roi is computed. Of an unbounded one that is always the same square, as large as
 * filters allow, so that parts are the same to the byte as the whole; beyond it, the part from which no border is
 * seen. */
static GeglRectangle
get_image (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi)
{
  static const GeglRectangle plane = { -(1 << 27), -(1 << 27), 1 << 28, 1 << 28 };
  const GeglRectangle *extent = gegl_operation_source_get_bounding_box (operation, "input");
  GeglRectangle seen = grown (roi, reach);

  if (!extent)
    return (GeglRectangle){ 0, 0, 0, 0 };
  if (!gegl_rectangle_is_infinite_plane (extent))
    return *extent;
  return gegl_rectangle_contains (&plane, &seen) ? plane : seen;
}

GeglRectangle
capra_reach_get_required (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi)
{
  GeglRectangle extent = get_image (operation, reach, roi);
  CapraRect image = capra_rect (&extent), result = capra_rect (roi), source;

  if (gegl_rectangle_is_empty (&extent) || gegl_rectangle_is_infinite_plane (roi))
    return extent;
  source = capra_window_source (&image, &result, reach->x, reach->x, reach->y, reach->y, reach->border);
  return capra_rect_to_gegl (&source);
}

GeglRectangle
capra_reach_get_invalidated (GeglOperation *operation, const CapraReach *reach, const GeglRectangle *roi)
{
  /* Pixels far away may show what was reflected or wrapped around. */
  if (reach->border == CAPRA_BORDER_MIRROR || reach->border == CAPRA_BORDER_WRAP)
    return gegl_operation_get_bounding_box (operation);
  return grown (roi, reach);
}

gboolean
capra_reach_take (CapraJob *job, const CapraReach *reach, CapraPixels *pixels, CapraWindow *window, GError **error)
{
  const Babl *format = gegl_operation_get_format (job->operation, "input");
  GeglRectangle image = get_image (job->operation, reach, &job->roi);
  GeglRectangle source = capra_reach_get_required (job->operation, reach, &job->roi);

  /* Far beyond the image there is nothing to read, but arrays have at least one pixel. */
  if (gegl_rectangle_is_empty (&source))
    source = (GeglRectangle){ image.x, image.y, 1, 1 };
  if (!capra_job_get_pixels (job, "input", &source, format, CAPRA_FIT_LOOSE, pixels, error))
    return FALSE;
  *window = (CapraWindow){ capra_rect (&image), pixels->rect, capra_rect (&job->roi) };
  return TRUE;
}
