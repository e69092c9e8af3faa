/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-stack: writes results to a stack of frames in an HDF5 file. */
#include "ui/cli/run/run-stack.h"

#include "ui/pipeline/graph/display.h"

/* The format of the values in the file. */
static const Babl *
choose_format (const Babl *own, CapraResultShape *shape)
{
  static const char *const names[] = { "Y float", "YA float", "RGB float", "RGBA float" };
  gboolean alpha = babl_format_has_alpha (own);
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (own));
  gboolean gray = (flags & BABL_MODEL_FLAG_GRAY) != 0 && !babl_format_is_palette (own);

  shape->channels = 1;
  shape->type = CAPRA_RESULT_U32;
  if (capra_format_is_labels (own))
    return own;
  shape->type = CAPRA_RESULT_F32;
  shape->channels = (gray ? 1 : 3) + (guint64) alpha;
  return babl_format_with_space (names[shape->channels - 1], babl_format_get_space (own));
}

gboolean
run_stack_write (CapraResultStack *stack, guint64 index, GeglBuffer *result, GError **error)
{
  const GeglRectangle *extent = gegl_buffer_get_extent (result);
  CapraResultShape shape = { .height = (guint64) extent->height, .width = (guint64) extent->width };
  const Babl *format = choose_format (gegl_buffer_get_format (result), &shape);
  g_autofree guint8 *values = g_malloc (shape.height * shape.width * shape.channels * 4);

  gegl_buffer_get (result, extent, 1.0, format, values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return capra_result_stack_write (stack, index, &shape, values, error);
}
