/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Crop: copies rectangles of arrays, on the device. */
#include "algorithms/common/crop.h"

#include "runtime/device/error.h"
#include "runtime/launch/launch.h"

/* Values are moved in the largest pieces that make up a pixel. */
static const struct {
  gsize bytes;
  const char *option;
} pieces[] = {
  { 16, "-DPIECE=uint4" }, { 8, "-DPIECE=uint2" }, { 4, "-DPIECE=uint" },
  { 2, "-DPIECE=ushort" }, { 1, "-DPIECE=uchar" },
};

CapraArray *
capra_crop (CapraArray *input, const CapraRect *rect, GError **error)
{
  CapraShape shape = input->shape;
  gsize pixel = shape.channels * capra_type_size (shape.type);
  g_autoptr (CapraArray) result = NULL;
  CapraLaunch launch;
  guint piece = 0;

  if (rect->width < 1 || rect->height < 1)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, "a rectangle of %d x %d samples cannot be cut out",
                   rect->width, rect->height);
      return NULL;
    }
  if (rect->x == 0 && rect->y == 0 && (gsize) rect->width == shape.width && (gsize) rect->height == shape.height)
    return capra_array_ref (input);

  while (pixel % pieces[piece].bytes != 0)
    piece++;
  shape.width = rect->width;
  shape.height = rect->height;
  result = capra_array_new_uninitialized (input->context, &shape, error);
  if (!result)
    return NULL;

  capra_launch_begin (&launch, input->context, "crop", pieces[piece].option, "crop");
  capra_launch_read (&launch, input);
  capra_launch_write (&launch, result);
  capra_launch_uint (&launch, pixel / pieces[piece].bytes);
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
