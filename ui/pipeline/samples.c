/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples: sample types and layouts of image files, shared by their readers and writers. */
#include "ui/pipeline/samples.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "ui/pipeline/error.h"

#define MAX_SIDE (1 << 26)
#define MAX_BYTES (G_GUINT64_CONSTANT (24) << 30)
#define BAND_BYTES (4u << 20)    /* of the rows that are read or written at a time */
#define EXACT 9007199254740992.0 /* 2^53: up to it, doubles represent all integers */

static const struct {
  const char *name;
  gsize size;
  double minimum, maximum; /* of integers */
} types[] = {
  [CAPRA_SAMPLE_NONE] = { "none", 0, 0, 0 },
  [CAPRA_SAMPLE_U8] = { "u8", 1, 0, G_MAXUINT8 },
  [CAPRA_SAMPLE_I8] = { "i8", 1, G_MININT8, G_MAXINT8 },
  [CAPRA_SAMPLE_U16] = { "u16", 2, 0, G_MAXUINT16 },
  [CAPRA_SAMPLE_I16] = { "i16", 2, G_MININT16, G_MAXINT16 },
  [CAPRA_SAMPLE_U32] = { "u32", 4, 0, G_MAXUINT32 },
  [CAPRA_SAMPLE_I32] = { "i32", 4, G_MININT32, G_MAXINT32 },
  [CAPRA_SAMPLE_U64] = { "u64", 8, 0, EXACT },
  [CAPRA_SAMPLE_I64] = { "i64", 8, -EXACT, EXACT },
  [CAPRA_SAMPLE_F16] = { "f16", 2, 0, 0 },
  [CAPRA_SAMPLE_F32] = { "f32", 4, 0, 0 },
  [CAPRA_SAMPLE_F64] = { "f64", 8, 0, 0 },
};

gsize
capra_sample_type_get_size (CapraSampleType type)
{
  return types[type].size;
}

gboolean
capra_sample_type_is_integer (CapraSampleType type)
{
  return types[type].maximum > 0;
}

const char *
capra_sample_type_get_name (CapraSampleType type)
{
  return types[type].name;
}

double
capra_sample_type_get_opaque (CapraSampleType type)
{
  return capra_sample_type_is_integer (type) ? types[type].maximum : 1.0;
}

gboolean
capra_sample_type_holds (CapraSampleType type, double value)
{
  if (capra_sample_type_is_integer (type))
    return value >= types[type].minimum && value <= types[type].maximum && value == rint (value);
  if (type == CAPRA_SAMPLE_F32)
    return isnan (value) || (double) (float) value == value;
  return type == CAPRA_SAMPLE_F64;
}

/* The 16 bits of a half float: sign, 5 bits of exponent, 10 of mantissa. */
static double
half_to_double (guint16 half)
{
  int exponent = half >> 10 & 31, mantissa = half & 1023;
  double value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                 : exponent == 0 ? ldexp (mantissa, -24)
                                 : ldexp (mantissa + 1024, exponent - 25);

  return half & 0x8000 ? -value : value;
}

#define TO_DOUBLES(number) \
  for (gsize i = 0; i < count; i++) \
  values[i] = (double) ((const number *) samples)[i]

gboolean
capra_samples_to_doubles (CapraSampleType type, gconstpointer samples, gsize count, double *values)
{
  gboolean exact = TRUE;

  switch (type)
    {
    case CAPRA_SAMPLE_U8: TO_DOUBLES (guint8); break;
    case CAPRA_SAMPLE_I8: TO_DOUBLES (gint8); break;
    case CAPRA_SAMPLE_U16: TO_DOUBLES (guint16); break;
    case CAPRA_SAMPLE_I16: TO_DOUBLES (gint16); break;
    case CAPRA_SAMPLE_U32: TO_DOUBLES (guint32); break;
    case CAPRA_SAMPLE_I32: TO_DOUBLES (gint32); break;
    case CAPRA_SAMPLE_U64: TO_DOUBLES (guint64); break;
    case CAPRA_SAMPLE_I64: TO_DOUBLES (gint64); break;
    case CAPRA_SAMPLE_F32: TO_DOUBLES (float); break;
    case CAPRA_SAMPLE_F64: TO_DOUBLES (double); break;
    case CAPRA_SAMPLE_F16:
      for (gsize i = 0; i < count; i++)
        values[i] = half_to_double (((const guint16 *) samples)[i]);
      break;
    case CAPRA_SAMPLE_NONE: return FALSE;
    }
  if (type == CAPRA_SAMPLE_U64 || type == CAPRA_SAMPLE_I64)
    for (gsize i = 0; i < count; i++)
      exact &= fabs (values[i]) <= EXACT;
  return exact;
}

static double
to_range (CapraSampleType type, double value)
{
  return isnan (value) ? 0.0 : CLAMP (rint (value), types[type].minimum, types[type].maximum);
}

#define FROM_DOUBLES(number) \
  for (gsize i = 0; i < count; i++) \
  ((number *) samples)[i] = (number) to_range (type, values[i])

void
capra_samples_from_doubles (CapraSampleType type, const double *values, gsize count, gpointer samples)
{
  switch (type)
    {
    case CAPRA_SAMPLE_U8: FROM_DOUBLES (guint8); break;
    case CAPRA_SAMPLE_I8: FROM_DOUBLES (gint8); break;
    case CAPRA_SAMPLE_U16: FROM_DOUBLES (guint16); break;
    case CAPRA_SAMPLE_I16: FROM_DOUBLES (gint16); break;
    case CAPRA_SAMPLE_U32: FROM_DOUBLES (guint32); break;
    case CAPRA_SAMPLE_I32: FROM_DOUBLES (gint32); break;
    case CAPRA_SAMPLE_U64: FROM_DOUBLES (guint64); break;
    case CAPRA_SAMPLE_I64: FROM_DOUBLES (gint64); break;
    case CAPRA_SAMPLE_F32:
      for (gsize i = 0; i < count; i++)
        ((float *) samples)[i] = (float) values[i];
      break;
    case CAPRA_SAMPLE_F64: memcpy (samples, values, count * sizeof *values); break;
    case CAPRA_SAMPLE_F16:
    case CAPRA_SAMPLE_NONE: g_return_if_reached ();
    }
}

void
capra_samples_swap_bytes (CapraSampleType type, gpointer samples, gsize count)
{
  switch (types[type].size)
    {
    case 2:
      for (gsize i = 0; i < count; i++)
        ((guint16 *) samples)[i] = GUINT16_SWAP_LE_BE (((guint16 *) samples)[i]);
      break;
    case 4:
      for (gsize i = 0; i < count; i++)
        ((guint32 *) samples)[i] = GUINT32_SWAP_LE_BE (((guint32 *) samples)[i]);
      break;
    case 8:
      for (gsize i = 0; i < count; i++)
        ((guint64 *) samples)[i] = GUINT64_SWAP_LE_BE (((guint64 *) samples)[i]);
      break;
    default: break;
    }
}

gsize
capra_sample_layout_get_stride (const CapraSampleLayout *layout)
{
  return (gsize) layout->width * (gsize) layout->channels * types[layout->type].size;
}

/* Graphs work on floats, or on doubles if floats cannot represent the values. */
gboolean
capra_sample_layout_check (const CapraSampleLayout *layout, GError **error)
{
  gsize sample = MAX (types[layout->type].size, sizeof (float));
  g_autofree char *size = NULL;
  guint64 bytes;

  if (layout->width < 1 || layout->height < 1 || layout->channels < 1 || layout->channels > 4
      || layout->type == CAPRA_SAMPLE_NONE)
    {
      g_set_error_literal (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
                           _ ("The file contains no image, or it is damaged"));
      return FALSE;
    }
  bytes = (guint64) layout->width * (guint64) layout->height * (guint64) layout->channels * sample;
  if (layout->width <= MAX_SIDE && layout->height <= MAX_SIDE && bytes <= MAX_BYTES)
    return TRUE;
  size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE,
               _ ("The image is too large: %d × %d pixels need %s"), layout->width, layout->height, size);
  return FALSE;
}

int
capra_sample_layout_get_band_rows (const CapraSampleLayout *layout)
{
  return (int) CLAMP (BAND_BYTES / capra_sample_layout_get_stride (layout), 1, (gsize) layout->height);
}
