/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Area filters by their definitions: loops over all weights of all outputs. */
#include "ui/cli/check/reference-filter.h"

#include <math.h>

static double
sample (const ReferenceImage *image, gint64 x, gint64 y, gint64 z, guint c)
{
  if (x < 0 || y < 0 || z < 0)
    return 0.0;
  return image->values[(((gsize) z * image->height + (gsize) y) * image->width + (gsize) x) * image->channels + c];
}

/* One pass along axis @number of @image, outputs from @first on; only defined positions are summed. */
static double *
filter_axis (const ReferenceImage *image, int number, const double *weights, int left, int right, gint64 first,
             gsize count, CapraBorder border, ReferenceImage *result)
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
              gint64 from = reference_border (at, n, border);

              if (from >= 0)
                values[i] += (weights ? weights[k + left] : 1.0)
                             * sample (image, number == 0 ? from : x, number == 1 ? from : y, number == 2 ? from : z,
                                       c);
            }
  return values;
}

double *
reference_filter_separable (const ReferenceImage *image, const ReferenceFilter *f, CapraRect result)
{
  ReferenceImage along_z, along_y, along_x;
  g_autofree double *z = filter_axis (image, 2, f->z, f->front, f->back, 0, image->depth, f->border, &along_z);
  g_autofree double *y = filter_axis (&along_z, 1, f->y, f->top, f->bottom, result.y, (gsize) result.height, f->border,
                                      &along_y);

  return filter_axis (&along_y, 0, f->x, f->left, f->right, result.x, (gsize) result.width, f->border, &along_x);
}

double *
reference_filter_matrix (const ReferenceImage *image, const double *weights, const ReferenceFilter *reach, int x0,
                         int y0, int stride_x, int stride_y, CapraRect result)
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
                gint64 px = reference_border (x0 + (result.x + x) * stride_x + dx, (gint64) image->width,
                                              reach->border);
                gint64 py = reference_border (y0 + (result.y + y) * stride_y + dy, (gint64) image->height,
                                              reach->border);

                if (px >= 0 && py >= 0)
                  values[i] += weights[(dy + reach->top) * (reach->left + 1 + reach->right) + dx + reach->left]
                               * sample (image, px, py, z, c);
              }
  return values;
}

/* Normalized weights; @radius as in SciPy. */
static double *
gaussian_weights (double sigma, double truncate, int *radius)
{
  int r = sigma > 0.0 ? (int) (truncate * sigma + 0.5) : 0;
  double *weights = g_new (double, 2 * r + 1), sum = 0.0;

  for (int i = -r; i <= r; i++)
    sum += weights[i + r] = sigma > 0.0 ? exp (-0.5 * i * i / (sigma * sigma)) : 1.0;
  for (int i = 0; i <= 2 * r; i++)
    weights[i] /= sum;
  *radius = r;
  return weights;
}

double *
reference_gaussian (const ReferenceImage *image, const double sigma[3], double truncate, CapraBorder border,
                    CapraRect result)
{
  int r[3];
  g_autofree double *x = gaussian_weights (sigma[0], truncate, &r[0]);
  g_autofree double *y = gaussian_weights (sigma[1], truncate, &r[1]);
  g_autofree double *z = gaussian_weights (sigma[2], truncate, &r[2]);
  ReferenceFilter filter = { x, y, z, r[0], r[0], r[1], r[1], r[2], r[2], border };

  return reference_filter_separable (image, &filter, result);
}

double *
reference_box (const ReferenceImage *image, const int r[3], CapraBorder border, CapraRect result)
{
  double *weights[3];
  double *values = NULL;

  for (int i = 0; i < 3; i++)
    {
      weights[i] = g_new (double, 2 * r[i] + 1);
      for (int k = 0; k <= 2 * r[i]; k++)
        weights[i][k] = 1.0 / (2 * r[i] + 1);
    }
  values = reference_filter_separable (
    image, &(ReferenceFilter){ weights[0], weights[1], weights[2], r[0], r[0], r[1], r[1], r[2], r[2], border },
    result);
  for (int i = 0; i < 3; i++)
    g_free (weights[i]);
  return values;
}

/* The rectangle of the result at stride 1, in coordinates of the image. "full", "valid" and "same" as in NumPy. */
static CapraRect
expected_extent (const ReferenceFilter *f, int n_x, int n_y, CapraExtent extent)
{
  if (extent == CAPRA_EXTENT_FULL)
    return (CapraRect){ -f->right, -f->bottom, n_x + f->left + f->right, n_y + f->top + f->bottom };
  if (extent == CAPRA_EXTENT_VALID)
    return (CapraRect){ f->left, f->top, n_x - f->left - f->right, n_y - f->top - f->bottom };
  return (CapraRect){ 0, 0, n_x, n_y };
}

double *
reference_convolve (const ReferenceImage *image, const CapraMatrix *matrix, const CapraConvolveOptions *options,
                    CapraRect *kept, double *magnitude)
{
  int n = matrix->width * matrix->height, cx = matrix->width / 2, cy = matrix->height / 2;
  int dx = matrix->width - 1 - cx, dy = matrix->height - 1 - cy;
  ReferenceFilter reach = options->correlate
                            ? (ReferenceFilter){ NULL, NULL, NULL, cx, dx, cy, dy, 0, 0, options->border }
                            : (ReferenceFilter){ NULL, NULL, NULL, dx, cx, dy, cy, 0, 0, options->border };
  CapraRect dense = expected_extent (&reach, (int) image->width, (int) image->height, options->extent);
  g_autofree double *weights = g_new (double, n);
  double *expected = NULL;
  double sum = 0.0, divisor = options->divisor;

  *kept = (CapraRect){ 0, 0, (dense.width + options->stride_x - 1) / options->stride_x,
                       (dense.height + options->stride_y - 1) / options->stride_y };
  for (int i = 0; i < n; i++)
    sum += matrix->values[i];
  if (divisor == 0.0)
    divisor = fabs (sum) < 1e-12 ? 1.0 : sum;
  *magnitude = 0.0;
  for (int i = 0; i < n; i++)
    {
      weights[i] = matrix->values[options->correlate ? i : n - 1 - i] / divisor;
      *magnitude += fabs (weights[i]);
    }
  expected = reference_filter_matrix (image, weights, &reach, dense.x, dense.y, options->stride_x, options->stride_y,
                                      *kept);
  for (gsize i = 0; i < (gsize) kept->width * (gsize) kept->height * image->depth * image->channels; i++)
    expected[i] += options->offset;
  return expected;
}

/* The weights of each of @n samples in each of @count outputs, starting at @first. */
static double *
axis_matrix (double sigma, gint64 n, gint64 first, gint64 count, CapraBorder border)
{
  gint64 reach = sigma > 0 ? (gint64) ceil (9 * sigma) : 0;
  g_autofree double *weights = g_new (double, 2 * reach + 1);
  double *matrix = g_new0 (double, count * n), sum = 0;

  for (gint64 i = -reach; i <= reach; i++)
    sum += weights[i + reach] = sigma > 0 ? exp (-0.5 * (i / sigma) * (i / sigma)) : 1;
  for (gint64 o = 0; o < count; o++)
    for (gint64 i = -reach; i <= reach; i++)
      {
        gint64 from = reference_border (first + o + i, n, border);

        if (from >= 0)
          matrix[o * n + from] += weights[i + reach] / sum;
      }
  return matrix;
}

/* Along x, then along y, in each plane. */
double *
reference_gaussian_whole (const ReferenceImage *image, const double sigma[3], CapraBorder border, CapraRect result)
{
  gsize w = image->width, h = image->height, c = image->channels;
  gsize nx = (gsize) result.width, ny = (gsize) result.height;
  g_autofree double *mx = axis_matrix (sigma[0], (gint64) w, result.x, result.width, border);
  g_autofree double *my = axis_matrix (sigma[1], (gint64) h, result.y, result.height, border);
  g_autofree double *row = g_new (double, nx * c * h);
  double *out = g_new0 (double, nx * ny * c * image->depth);

  for (gsize z = 0; z < image->depth; z++)
    {
      for (gsize y = 0; y < h; y++)
        for (gsize i = 0; i < nx; i++)
          for (gsize k = 0; k < c; k++)
            {
              double sum = 0;

              for (gsize x = 0; x < w; x++)
                sum += mx[i * w + x] * image->values[((z * h + y) * w + x) * c + k];
              row[(y * nx + i) * c + k] = sum;
            }
      for (gsize j = 0; j < ny; j++)
        for (gsize y = 0; y < h; y++)
          for (gsize i = 0; i < nx * c; i++)
            out[(z * ny + j) * nx * c + i] += my[j * h + y] * row[y * nx * c + i];
    }
  return out;
}
