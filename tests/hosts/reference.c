/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalar references in double precision, independent of the code of the operations. */
#include "tests/hosts/reference.h"

#include <math.h>
#include <string.h>

/* The index on an axis of @n samples, or -1 for zero. */
static int
border_index (int i, int n, ReferenceBorder border)
{
  while (i < 0 || i >= n)
    switch (border)
      {
      case REFERENCE_CLAMP: i = i < 0 ? 0 : n - 1; break;
      case REFERENCE_MIRROR: i = i < 0 ? -1 - i : 2 * n - 1 - i; break;
      case REFERENCE_WRAP: i += i < 0 ? n : -n; break;
      default: return -1;
      }
  return i;
}

HostsImage *
reference_convolve (const HostsImage *image, const double *matrix, int columns, int rows, ReferenceBorder border)
{
  HostsImage *result = hosts_image_new (image->width, image->height, image->channels);

  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      for (int c = 0; c < image->channels; c++)
        {
          double sum = 0;

          for (int v = 0; v < rows; v++)
            for (int u = 0; u < columns; u++)
              {
                int i = border_index (x - (u - columns / 2), image->width, border);
                int j = border_index (y - (v - rows / 2), image->height, border);

                if (i >= 0 && j >= 0)
                  sum += matrix[v * columns + u] * image->values[(j * image->width + i) * image->channels + c];
              }
          result->values[(y * image->width + x) * image->channels + c] = sum;
        }
  return result;
}

static int
gaussian (double sigma, double truncate, double **taps)
{
  int radius = (int) (truncate * sigma + 0.5);
  double sum = 0;

  *taps = g_new (double, 2 * radius + 1);
  for (int i = -radius; i <= radius; i++)
    sum += (*taps)[i + radius] = sigma > 0 ? exp (-0.5 * i * i / (sigma * sigma)) : 1.0;
  for (int i = 0; i <= 2 * radius; i++)
    (*taps)[i] /= sum;
  return 2 * radius + 1;
}

HostsImage *
reference_gaussian (const HostsImage *image, double sigma_x, double sigma_y, double truncate, ReferenceBorder border)
{
  g_autofree double *taps_x = NULL, *taps_y = NULL;
  int columns = gaussian (sigma_x, truncate, &taps_x);
  int rows = gaussian (sigma_y, truncate, &taps_y);
  g_autoptr (HostsImage) half = reference_convolve (image, taps_x, columns, 1, border);

  return reference_convolve (half, taps_y, 1, rows, border);
}

HostsImage *
reference_box (const HostsImage *image, int radius, ReferenceBorder border)
{
  int side = 2 * radius + 1;
  g_autofree double *taps = g_new (double, side);
  g_autoptr (HostsImage) half = NULL;

  for (int i = 0; i < side; i++)
    taps[i] = 1.0 / side;
  half = reference_convolve (image, taps, side, 1, border);
  return reference_convolve (half, taps, 1, side, border);
}

double
reference_otsu (const HostsImage *image)
{
  int count = image->width * image->height;
  double low = INFINITY, high = -INFINITY, best = -1, threshold = 0, bins[256] = { 0 };

  for (int i = 0; i < count; i++)
    {
      low = fmin (low, image->values[i]);
      high = fmax (high, image->values[i]);
    }
  for (int i = 0; i < count; i++)
    bins[MIN (255, (int) ((image->values[i] - low) / (high - low) * 256))]++;

  for (int t = 0; t < 255; t++)
    {
      double below = 0, above = 0, below_sum = 0, above_sum = 0, difference, between;

      for (int b = 0; b < 256; b++)
        {
          double center = low + (b + 0.5) * (high - low) / 256;

          *(b <= t ? &below : &above) += bins[b];
          *(b <= t ? &below_sum : &above_sum) += bins[b] * center;
        }
      if (below == 0 || above == 0)
        continue;
      difference = below_sum / below - above_sum / above;
      between = below * above * difference * difference;
      if (between > best)
        {
          best = between;
          threshold = low + (t + 0.5) * (high - low) / 256;
        }
    }
  return threshold;
}

guint32 *
reference_label (const HostsImage *image, int connectivity, guint32 *count)
{
  int width = image->width, height = image->height;
  guint32 *labels = g_new0 (guint32, width * height);
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (int));

  *count = 0;
  for (int first = 0; first < width * height; first++)
    {
      if (labels[first] != 0 || !(image->values[first] > 0))
        continue;
      labels[first] = ++*count;
      g_array_append_val (waiting, first);
      while (waiting->len > 0)
        {
          int at = g_array_index (waiting, int, waiting->len - 1);

          g_array_set_size (waiting, waiting->len - 1);
          for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
              {
                int x = at % width + dx, y = at / width + dy, next = y * width + x;

                if (x < 0 || y < 0 || x >= width || y >= height || (connectivity == 4 && dx != 0 && dy != 0)
                    || labels[next] != 0 || !(image->values[next] > 0))
                  continue;
                labels[next] = *count;
                g_array_append_val (waiting, next);
              }
        }
    }
  return labels;
}

ReferenceRegion *
reference_measure (const guint32 *labels, guint32 count, const HostsImage *image)
{
  ReferenceRegion *regions = g_new0 (ReferenceRegion, count);
  int width = image->width, pixels = width * image->height;

  for (int i = 0; i < pixels; i++)
    {
      ReferenceRegion *region = labels[i] ? &regions[labels[i] - 1] : NULL;
      int x = i % width, y = i / width;
      double value = image->values[i];

      if (!region)
        continue;
      if (region->area++ == 0)
        {
          region->min_x = region->max_x = x;
          region->min_y = region->max_y = y;
          region->min = region->max = value;
        }
      region->x += x;
      region->y += y;
      region->weighted_centroid_x += x * value;
      region->weighted_centroid_y += y * value;
      region->min_x = MIN (region->min_x, x);
      region->min_y = MIN (region->min_y, y);
      region->max_x = MAX (region->max_x, x);
      region->max_y = MAX (region->max_y, y);
      region->sum += value;
      region->min = fmin (region->min, value);
      region->max = fmax (region->max, value);
    }
  for (guint32 i = 0; i < count; i++)
    {
      regions[i].x /= regions[i].area;
      regions[i].y /= regions[i].area;
      regions[i].weighted_centroid_x /= regions[i].sum;
      regions[i].weighted_centroid_y /= regions[i].sum;
      regions[i].mean = regions[i].sum / regions[i].area;
    }
  for (int i = 0; i < pixels; i++)
    if (labels[i])
      {
        ReferenceRegion *region = &regions[labels[i] - 1];
        double difference = image->values[i] - region->mean;

        region->std += difference * difference / region->area;
      }
  for (guint32 i = 0; i < count; i++)
    regions[i].std = sqrt (regions[i].std);
  return regions;
}
