/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fill: writes one value to an array, 16 bytes per work-item. */
#include "algorithms/common/fill.h"

#include <math.h>
#include <string.h>

#include "runtime/launch/launch.h"

static double
clamped (double value, double low, double high)
{
  return isnan (value) ? 0.0 : CLAMP (rint (value), low, high);
}

gboolean
capra_array_fill (CapraArray *array, double value, GError **error)
{
  gsize words = (capra_shape_bytes (&array->shape) + 15) / 16;
  CapraLaunch launch;
  guint32 word = 0;
  float number = (float) value;

  switch (array->shape.type)
    {
    case CAPRA_U8: word = 0x01010101u * (guint8) clamped (value, 0, G_MAXUINT8); break;
    case CAPRA_I8: word = 0x01010101u * (guint8) (gint8) clamped (value, G_MININT8, G_MAXINT8); break;
    case CAPRA_U16: word = 0x00010001u * (guint16) clamped (value, 0, G_MAXUINT16); break;
    case CAPRA_I16: word = 0x00010001u * (guint16) (gint16) clamped (value, G_MININT16, G_MAXINT16); break;
    case CAPRA_U32: word = (guint32) clamped (value, 0, G_MAXUINT32); break;
    case CAPRA_I32: word = (guint32) (gint32) clamped (value, G_MININT32, G_MAXINT32); break;
    case CAPRA_F32: memcpy (&word, &number, sizeof word); break;
    }

  /* clEnqueueFillBuffer() fails for large buffers on some drivers. */
  capra_launch_begin (&launch, array->context, "fill", NULL, "fill");
  capra_launch_write (&launch, array);
  capra_launch_ulong (&launch, words);
  capra_launch_uint (&launch, word);
  return capra_launch_run_1d (&launch, words, 64, capra_shape_bytes (&array->shape), error);
}

CapraArray *
capra_array_new (CapraDevice *device, const CapraShape *shape, GError **error)
{
  CapraContext *context = capra_context_get (device, error);
  g_autoptr (CapraArray) array = context ? capra_array_new_uninitialized (context, shape, error) : NULL;

  if (!array || !capra_array_fill (array, 0.0, error))
    return NULL;
  return g_steal_pointer (&array);
}
