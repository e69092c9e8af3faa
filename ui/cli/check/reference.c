/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalar references: values, noise, borders. */
#include "ui/cli/check/reference.h"

double
reference_value (CapraType type, gconstpointer data, gsize i)
{
  switch (type)
    {
    case CAPRA_U8: return ((const guint8 *) data)[i];
    case CAPRA_I8: return ((const gint8 *) data)[i];
    case CAPRA_U16: return ((const guint16 *) data)[i];
    case CAPRA_I16: return ((const gint16 *) data)[i];
    case CAPRA_U32: return ((const guint32 *) data)[i];
    case CAPRA_I32: return ((const gint32 *) data)[i];
    case CAPRA_F32:
    default: return ((const float *) data)[i];
    }
}

void
reference_noise (const CapraShape *shape, guint32 seed, gpointer data, double *values)
{
  static const double lows[] = { 0, -128, 0, -32768, 0, -2147483648.0, -1 };
  static const double highs[] = { 255, 127, 65535, 32767, 4294967295.0, 2147483647.0, 1 };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  gsize count = capra_shape_count (shape);

  for (gsize i = 0; i < count; i++)
    {
      double u = (float) (g_rand_int (random) / 4294967296.0);
      double v = lows[shape->type] + (highs[shape->type] - lows[shape->type]) * u;

      if (shape->type != CAPRA_F32)
        v = (double) (gint64) v;
      else
        v = (float) v;
      values[i] = v;
      switch (shape->type)
        {
        case CAPRA_U8: ((guint8 *) data)[i] = (guint8) v; break;
        case CAPRA_I8: ((gint8 *) data)[i] = (gint8) v; break;
        case CAPRA_U16: ((guint16 *) data)[i] = (guint16) v; break;
        case CAPRA_I16: ((gint16 *) data)[i] = (gint16) v; break;
        case CAPRA_U32: ((guint32 *) data)[i] = (guint32) v; break;
        case CAPRA_I32: ((gint32 *) data)[i] = (gint32) v; break;
        case CAPRA_F32:
        default: ((float *) data)[i] = (float) v; break;
        }
    }
}

gint64
reference_border (gint64 i, gint64 n, CapraBorder border)
{
  if (i >= 0 && i < n)
    return i;
  switch (border)
    {
    case CAPRA_BORDER_CLAMP: return i < 0 ? 0 : n - 1;
    case CAPRA_BORDER_MIRROR: i = ((i % (2 * n)) + 2 * n) % (2 * n); return i < n ? i : 2 * n - 1 - i;
    case CAPRA_BORDER_WRAP: return ((i % n) + n) % n;
    case CAPRA_BORDER_NONE:
    default: return -1;
    }
}

int
reference_compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}
