/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job: one run of an operation on one device: its pixels in, its pixels out. */
#include "plugin/job.h"

#include "algorithms/arrange.h"
#include "plugin/choice.h"
#include "plugin/common.h"
#include "plugin/pushed.h"

/* An array of up to this many times the pixels asked for is used whole where the fit is loose. */
#define LOOSE_LIMIT 1.5

CapraRect
capra_rect (const GeglRectangle *rect)
{
  return (CapraRect) { rect->x, rect->y, rect->width, rect->height };
}

GeglRectangle
capra_rect_to_gegl (const CapraRect *rect)
{
  return (GeglRectangle) { rect->x, rect->y, rect->width, rect->height };
}

void
capra_pixels_clear (CapraPixels *pixels)
{
  g_clear_pointer (&pixels->array, capra_array_unref);
}

gboolean
capra_job_run (CapraJob *job, CapraJobFunc func, GError **error)
{
  CapraCommon *common = capra_common_get (job->operation);
  g_autofree char *name = capra_common_dup_device (job->operation);
  g_autoptr(GPtrArray) devices = capra_choice_list (name, error);

  for (guint i = 0; devices && i < devices->len; i++)
    {
      g_autoptr(GError) local = NULL;
      g_autofree char *remark = NULL;
      const CapraDeviceInfo *next = NULL;

      job->device = devices->pdata[i];
      g_clear_object (&job->output);
      if (func (job, &local))
        return TRUE;
      if (i + 1 == devices->len || !capra_choice_may_move_on (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      next = capra_device_get_info (devices->pdata[i + 1]);
      remark = g_strdup_printf ("%s; the work moves on to %s (%s)", local->message, next->name,
                                next->id);
      capra_outcome_remark (common->outcome, next->id, remark);
    }
  return FALSE;
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

  return extent ? *extent : (GeglRectangle) { 0, 0, 0, 0 };
}

static gboolean
crop_pixels (CapraPixels *pixels, const CapraRect *rect, GError **error)
{
  CapraRect within = { rect->x - pixels->rect.x, rect->y - pixels->rect.y, rect->width,
                       rect->height };
  CapraArray *cropped = capra_crop (pixels->array, &within, error);

  if (!cropped)
    return FALSE;
  capra_array_unref (pixels->array);
  *pixels = (CapraPixels) { cropped, *rect };
  return TRUE;
}

static gboolean
move_pixels (CapraPixels *pixels, CapraDevice *device, GError **error)
{
  g_autoptr(CapraArray) copy = NULL;

  if (capra_array_get_device (pixels->array) == device)
    return TRUE;
  copy = capra_array_new_unset (device, capra_array_get_shape (pixels->array), error);
  if (!copy || !capra_array_copy (copy, pixels->array, error))
    return FALSE;
  capra_array_unref (pixels->array);
  pixels->array = g_steal_pointer (&copy);
  return TRUE;
}

static gboolean
convert_pixels (CapraPixels *pixels, const CapraConversion *conversion, GError **error)
{
  CapraArray *converted = capra_convert (pixels->array, conversion->from, conversion->to,
                                         conversion->luminance, error);

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

/* Cuts out of an array in two steps, because what a buffer hides counts as zero: first what it shows,
 * then what was asked for. */
static gboolean
cut_pixels (CapraPixels *pixels, const CapraView *view, const GeglRectangle *rect, gboolean loose,
            GError **error)
{
  gboolean covered = gegl_rectangle_contains (&view->visible, rect);
  gboolean hidden = !gegl_rectangle_equal (&view->visible, &view->area);
  CapraRect shown = capra_rect (&view->visible), wanted = capra_rect (rect);

  if (covered && !hidden && loose && area (&view->area) <= LOOSE_LIMIT * area (rect))
    return TRUE;
  if (!covered && hidden && !crop_pixels (pixels, &shown, error))
    return FALSE;
  return crop_pixels (pixels, &wanted, error);
}

static gboolean
can_use (const CapraView *view, const Babl *format)
{
  CapraConversion conversion;

  return !gegl_rectangle_is_empty (&view->visible)
         && (view->format == format
             || capra_format_get_conversion (view->format, format, &conversion));
}

gboolean
capra_job_take (CapraJob *job, const char *pad, const GeglRectangle *rect, const Babl *format,
                CapraFit fit, CapraPixels *pixels, GError **error)
{
  GeglBuffer *buffer = capra_job_get_buffer (job, pad);
  GeglRectangle extent = capra_job_get_extent (job, pad);
  g_auto(CapraView) view = { NULL };
  g_auto(CapraPixels) found = { NULL };
  CapraConversion conversion;
  gboolean loose = FALSE;

  g_return_val_if_fail (buffer != NULL, FALSE);

  if (!capra_view_init (&view, buffer) || !can_use (&view, format))
    {
      const Babl *source = gegl_buffer_get_format (buffer);

      capra_view_clear (&view);
      if (!capra_pushed_view (&view, buffer, rect, capra_format_to_push (source, format), job->device,
                              error))
        return FALSE;
    }

  loose = fit == CAPRA_FIT_LOOSE && gegl_rectangle_contains (&extent, &view.area);
  found.array = capra_array_ref (view.array);
  found.rect = capra_rect (&view.area);
  if (!cut_pixels (&found, &view, rect, loose, error) || !move_pixels (&found, job->device, error))
    return FALSE;
  if (view.format != format
      && (!capra_format_get_conversion (view.format, format, &conversion)
          || !convert_pixels (&found, &conversion, error)))
    return FALSE;
  *pixels = found;
  found.array = NULL;
  return TRUE;
}

void
capra_job_give (CapraJob *job, CapraArray *array, const CapraRect *rect)
{
  GeglRectangle extent = capra_rect_to_gegl (rect);

  g_clear_object (&job->output);
  job->output = capra_resident_new_buffer (array, &extent,
                                           gegl_operation_get_format (job->operation, "output"),
                                           job->operation);
}

void
capra_job_give_buffer (CapraJob *job, GeglBuffer *buffer)
{
  g_set_object (&job->output, buffer);
}
