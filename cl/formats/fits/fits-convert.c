/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS conversion: the physical value is BZERO + BSCALE x stored value, in double. */
#include "formats/fits/fits-convert.h"

#include <math.h>
#include <string.h>

/* Defines convert_NAME() for stored values of @type; @expression gives one from the bits in `raw`. */
#define DEFINE_CONVERT(name, type, bits_type, expression) \
  static void convert_##name (const CapraFitsScaling *scaling, const guint8 *stored, gsize n, float *values) \
  { \
    const double scale = scaling->scale, zero = scaling->zero; \
    for (gsize i = 0; i < n; i++) \
      { \
        bits_type raw; \
        type value; \
        memcpy (&raw, stored + i * sizeof raw, sizeof raw); \
        expression; \
        values[i] = (float) (zero + scale * (double) value); \
      } \
  }

DEFINE_CONVERT (u8, guint8, guint8, value = raw)
DEFINE_CONVERT (i16, gint16, guint16, value = (gint16) GUINT16_FROM_BE (raw))
DEFINE_CONVERT (i32, gint32, guint32, value = (gint32) GUINT32_FROM_BE (raw))
DEFINE_CONVERT (i64, gint64, guint64, value = (gint64) GUINT64_FROM_BE (raw))
DEFINE_CONVERT (f32, float, guint32, raw = GUINT32_FROM_BE (raw); memcpy (&value, &raw, sizeof raw))
DEFINE_CONVERT (f64, double, guint64, raw = GUINT64_FROM_BE (raw); memcpy (&value, &raw, sizeof raw))

/* Floats without scaling: nothing but the order of the bytes changes, also in NaN. */
static void
swap_f32 (const guint8 *stored, gsize n, float *values)
{
  for (gsize i = 0; i < n; i++)
    {
      guint32 raw;

      memcpy (&raw, stored + i * sizeof raw, sizeof raw);
      raw = GUINT32_FROM_BE (raw);
      memcpy (&values[i], &raw, sizeof raw);
    }
}

/* The stored integer at @stored. */
static gint64
get_integer (int bits, const guint8 *stored)
{
  guint64 raw = 0;

  if (bits == 8)
    return *stored;
  for (int i = 0; i < bits / 8; i++)
    raw = raw << 8 | stored[i];
  return bits == 16 ? (gint16) raw : bits == 32 ? (gint32) raw : (gint64) raw;
}

static void
set_missing (const CapraFitsScaling *scaling, const guint8 *stored, gsize n, float *values)
{
  for (gsize i = 0; i < n; i++)
    if (get_integer (scaling->bits, stored + i * (gsize) scaling->bits / 8) == scaling->blank)
      values[i] = NAN;
}

void
capra_fits_convert (const CapraFitsScaling *scaling, const guint8 *stored, gsize n, float *values)
{
  switch (scaling->bits)
    {
    case 8: convert_u8 (scaling, stored, n, values); break;
    case 16: convert_i16 (scaling, stored, n, values); break;
    case 32: convert_i32 (scaling, stored, n, values); break;
    case 64: convert_i64 (scaling, stored, n, values); break;
    case -64: convert_f64 (scaling, stored, n, values); break;
    default:
      if (scaling->scale == 1.0 && scaling->zero == 0.0)
        swap_f32 (stored, n, values);
      else
        convert_f32 (scaling, stored, n, values);
    }
  if (scaling->has_blank && scaling->bits > 0)
    set_missing (scaling, stored, n, values);
}
