/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain filters in double precision. */
#include "tests/support/support-filter.h"

static double
sample (const SupportImage *image, gint64 x, gint64 y, gint64 z, guint c)
{
  if (x < 0 || y < 0 || z < 0)
    return 0.0;
  return image->values[(((gsize) z * image->height + (gsize) y) * image->width + (gsize) x) * image->channels + c];
}

/* One pass along axis @number of @image, outputs from @first on; only defined positions are summed. */
static double *
filter_axis (const SupportImage *image, int number, const double *weights, int left, int right, gint64 first,
             gsize count, CapraBorder border, SupportImage *result)
{
  gsize lengths[] = { image->width, image->height, image->depth };
  gint64 n = (gint64) lengths[number];
  double *values = NULL;
  gsize i = 0;

  *result = *image;
  *(number == 0 ? &result->width : number == 1 ? &result->height : &result->depth) = count;
  values = g_new0 (double, result->width * result->height * result->depth * result->channels);
  result->values = values;

  for (gint64 z = 0; z < (gint64) result->depth; z++)
    for (gint64 y = 0; y < (gint64) result->height; y++)
      for (gint64 x = 0; x < (gint64) result->width; x++)
        for (guint c = 0; c < image->channels; c++, i++)
          for (int k = -left; k <= right; k++)
            {
              gint64 at = first + (number == 0 ? x : number == 1 ? y : z) + k;
              gint64 from = support_border (at, n, border);

              if (from >= 0)
                values[i] += (weights ? weights[k + left] : 1.0)
                             * sample (image, number == 0 ? from : x, number == 1 ? from : y, number == 2 ? from : z,
                                       c);
            }
  return values;
}

double *
support_filter_separable (const SupportImage *image, const SupportFilter *f, CapraRect result)
{
  SupportImage along_z, along_y, along_x;
  g_autofree double *z = filter_axis (image, 2, f->z, f->front, f->back, 0, image->depth, f->border, &along_z);
  g_autofree double *y = filter_axis (&along_z, 1, f->y, f->top, f->bottom, result.y, (gsize) result.height, f->border,
                                      &along_y);

  return filter_axis (&along_y, 0, f->x, f->left, f->right, result.x, (gsize) result.width, f->border, &along_x);
}

double *
support_filter_matrix (const SupportImage *image, const double *weights, const SupportFilter *reach, int x0, int y0,
                       int stride_x, int stride_y, CapraRect result)
{
  double *values = g_new0 (double, (gsize) result.width *(gsize) result.height * image->depth * image->channels);
  gsize i = 0;

  for (gint64 z = 0; z < (gint64) image->depth; z++)
    for (gint64 y = 0; y < result.height; y++)
      for (gint64 x = 0; x < result.width; x++)
        for (guint c = 0; c < image->channels; c++, i++)
          for (int dy = -reach->top; dy <= reach->bottom; dy++)
            for (int dx = -reach->left; dx <= reach->right; dx++)
              {
                gint64 px = support_border (x0 + (result.x + x) * stride_x + dx, (gint64) image->width, reach->border);
                gint64 py = support_border (y0 + (result.y + y) * stride_y + dy, (gint64) image->height, reach->border);

                if (px >= 0 && py >= 0)
                  values[i] += weights[(dy + reach->top) * (reach->left + 1 + reach->right) + dx + reach->left]
                               * sample (image, px, py, z, c);
              }
  return values;
}

CapraArray *
support_typed_noise (CapraDevice *device, const CapraShape *shape, guint32 seed, double **values)
{
  static const double lows[] = { 0, -128, 0, -32768, 0, -2147483648.0, -1 };
  static const double highs[] = { 255, 127, 65535, 32767, 4294967295.0, 2147483647.0, 1 };
  gsize count = capra_shape_count (shape);
  g_autofree float *noise = support_noise (count, 0.0, 1.0, seed);
  g_autofree guint8 *data = g_malloc (capra_shape_bytes (shape));
  g_autoptr (GError) error = NULL;
  CapraArray *array = NULL;

  *values = g_new (double, count);
  for (gsize i = 0; i < count; i++)
    {
      double v = lows[shape->type] + (highs[shape->type] - lows[shape->type]) * noise[i];

      if (shape->type != CAPRA_F32)
        v = (double) (gint64) v;
      else
        v = (float) v;
      (*values)[i] = v;
      switch (shape->type)
        {
        case CAPRA_U8: data[i] = (guint8) v; break;
        case CAPRA_I8: ((gint8 *) data)[i] = (gint8) v; break;
        case CAPRA_U16: ((guint16 *) data)[i] = (guint16) v; break;
        case CAPRA_I16: ((gint16 *) data)[i] = (gint16) v; break;
        case CAPRA_U32: ((guint32 *) data)[i] = (guint32) v; break;
        case CAPRA_I32: ((gint32 *) data)[i] = (gint32) v; break;
        default: ((float *) data)[i] = (float) v; break;
        }
    }
  array = capra_array_new_from_data (device, shape, data, &error);
  g_assert_no_error (error);
  return array;
}

CapraArray *
support_crop (CapraDevice *device, const SupportImage *image, CapraRect rect)
{
  gsize row = (gsize) rect.width * image->channels;
  g_autofree float *values = g_new (float, row *(gsize) rect.height * image->depth);
  float *to = values;

  for (gsize z = 0; z < image->depth; z++)
    for (gsize y = 0; y < (gsize) rect.height; y++)
      for (gsize i = 0; i < row; i++)
        *to++ = (float) image
                  ->values[((z * image->height + y + (gsize) rect.y) * image->width + (gsize) rect.x) * image->channels
                           + i];
  return support_array (device, (gsize) rect.width, (gsize) rect.height, image->depth, image->channels, values);
}
