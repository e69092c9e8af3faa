/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Crop: copies a rectangle out of an array, on the device. */
#include <glib/gi18n-lib.h>

#include "algorithms/common/crop.h"
#include "runtime/base/error.h"
#include "runtime/launch/launch.h"

/* The types that a work-item may copy. A pixel is copied in units of the largest one whose size divides its own. */
static const struct {
  gsize bytes;
  const char *option;
} units[] = {
  { 16, "-DUNIT=uint4" }, { 8, "-DUNIT=uint2" }, { 4, "-DUNIT=uint" }, { 2, "-DUNIT=ushort" }, { 1, "-DUNIT=uchar" },
};

CapraArray *
capra_crop (CapraArray *input, const CapraRect *rect, GError **error)
{
  CapraShape shape = input->shape;
  gsize pixel = shape.channels * capra_type_size (shape.type);
  g_autoptr (CapraArray) result = NULL;
  CapraLaunch launch;
  guint unit = 0;

  if (rect->width < 1 || rect->height < 1)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("cannot crop to %d x %d pixels; width and height must be at least 1"), rect->width, rect->height);
      return NULL;
    }
  if (rect->x == 0 && rect->y == 0 && (gsize) rect->width == shape.width && (gsize) rect->height == shape.height)
    return capra_array_ref (input);

  while (pixel % units[unit].bytes != 0)
    unit++;
  shape.width = rect->width;
  shape.height = rect->height;
  result = capra_array_new_uninitialized (input->context, &shape, error);
  if (!result)
    return NULL;

  capra_launch_begin (&launch, input->context, "crop", units[unit].option, "crop");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, result);
  capra_launch_uint (&launch, pixel / units[unit].bytes);
  capra_launch_int (&launch, rect->x);
  capra_launch_int (&launch, rect->y);
  capra_launch_uint (&launch, input->shape.width);
  capra_launch_uint (&launch, input->shape.height);
  capra_launch_uint (&launch, shape.width);
  capra_launch_uint (&launch, shape.height);
  capra_launch_uint (&launch, shape.depth);
  if (!capra_launch_run_2d (&launch, shape.width, shape.height * shape.depth, 64, 1, 2 * capra_shape_bytes (&shape),
                            error))
    return NULL;
  return g_steal_pointer (&result);
}
