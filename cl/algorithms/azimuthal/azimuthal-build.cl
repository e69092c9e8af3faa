/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix of an azimuthal integration: corners and norms of pixels, the range of the axes, and the entries of
 * all pixels by ascending pixel, which azimuthal-sort.cl then sorts by row.
 *
 * Layout: images of width · rows values; corners of (width + 1) (rows + 1) pairs of radius and azimuth, rounded to
 * float as in pyFAI, which are read if pixels are split. Requires double precision.
 * Macros: GROUP, pixels of a group; WEIGHTED, if entries have coefficients. */
#include "lanes.clh"
#include "azimuthal-bins.h"

/* Where the entries of a pixel go, unless they are only counted. */
typedef struct {
  uint n, store, pixel;
  ulong first;
  global uint *rows, *pixels;
  global float *coefficients;
} split_out_t;

inline void
split_append (split_out_t *out, uint row, float coefficient)
{
  if (out->store)
    {
      out->rows[out->first + out->n] = row;
      out->pixels[out->first + out->n] = out->pixel;
#ifdef WEIGHTED
      out->coefficients[out->first + out->n] = coefficient;
#endif
    }
  out->n++;
}

#include "azimuthal-split.h"

kernel void
azimuthal_corners (AzimuthalGeometry geometry, uint azimuth, global float2 *corners)
{
  uint j = get_global_id (0), i = get_global_id (1);
  AzimuthalPolar p;

  if (j > geometry.width || i > geometry.rows)
    return;
  p = polar_get (&geometry, i, j, azimuth);
  corners[(size_t) i * (geometry.width + 1) + j] = (float2) ((float) p.radius, (float) p.azimuth);
}

/* `pixels`: bits of what is known of the mask, to which those of norms are added. */
kernel void
azimuthal_norms (AzimuthalGeometry geometry, global uchar *pixels, global const float *restrict flats,
                 global const float *restrict darks, global float *restrict norms)
{
  uint j = get_global_id (0), i = get_global_id (1);
  size_t k = (size_t) i * geometry.width + j;
  float norm;

  if (j >= geometry.width || i >= geometry.rows)
    return;
  norm = polar_norm (&geometry, i, j, geometry.has_flat ? flats[k] : 1.0f, geometry.has_dark ? darks[k] : 0.0f);
  if (norm == 0.0f)
    pixels[k] |= PIXEL_REJECTED;
  norms[k] = pixels[k] ? 0.0f : norm;
}

inline void
get_corners (const AzimuthalGeometry *geometry, const AzimuthalBins *bins, global const float2 *corners, uint i,
             uint j, AzimuthalPolar *out)
{
  for (uint k = 0; k < 4 && bins->splitting != SPLIT_NONE; k++)
    {
      float2 corner = corners[bins_corner (geometry, i, j, k)];

      out[k].radius = corner.x;
      out[k].azimuth = corner.y;
    }
}

/* Replaces the values of the first work-item by the extremes of all. */
inline void
reduce_range (AzimuthalPolar *least, AzimuthalPolar *most, local AzimuthalPolar *low, local AzimuthalPolar *high)
{
  uint l = get_local_id (0);

  low[l] = *least;
  high[l] = *most;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint s = GROUP / 2; s; s >>= 1)
    {
      if (l < s)
        {
          bins_extend (least, most, low[l + s], high[l + s]);
          low[l] = *least;
          high[l] = *most;
        }
      barrier (CLK_LOCAL_MEM_FENCE);
    }
}

/* `ranges`: for each group the least and the largest coordinates of its pixels. */
kernel void
azimuthal_range (AzimuthalGeometry geometry, AzimuthalBins bins, global const uchar *restrict pixels,
                 global const float2 *restrict corners, global AzimuthalPolar *ranges)
{
  uint n = geometry.width * geometry.rows;
  AzimuthalPolar least = { INFINITY, INFINITY }, most = { -INFINITY, -INFINITY }, p[4];
  local AzimuthalPolar low[GROUP], high[GROUP];

  for (uint k = get_global_id (0); k < n; k += get_global_size (0))
    if (!(pixels[k] & PIXEL_MASKED))
      {
        get_corners (&geometry, &bins, corners, k / geometry.width, k % geometry.width, p);
        bins_add_pixel (&geometry, &bins, k / geometry.width, k % geometry.width, p, &least, &most);
      }
  reduce_range (&least, &most, low, high);
  if (get_local_id (0) == 0)
    {
      ranges[2 * get_group_id (0)] = least;
      ranges[2 * get_group_id (0) + 1] = most;
    }
}

inline void
find_entries (const AzimuthalGeometry *geometry, const AzimuthalBins *bins, global const uchar *pixels,
              global const float2 *corners, split_out_t *out)
{
  uint k = get_global_id (0), i = k / geometry->width, j = k % geometry->width;
  AzimuthalPolar p[4];

  out->n = 0;
  out->pixel = k;
  if (i >= geometry->rows || pixels[k])
    return;
  get_corners (geometry, bins, corners, i, j, p);
  split_pixel (geometry, bins, i, j, p, out);
}

/* `totals`: the number of entries of each group. */
kernel void
azimuthal_count (AzimuthalGeometry geometry, AzimuthalBins bins, global const uchar *restrict pixels,
                 global const float2 *restrict corners, global ulong *totals)
{
  split_out_t out = { 0, 0, 0, 0, 0, 0, 0 };
  local ulong sums[GROUP];
  uint l = get_local_id (0);

  find_entries (&geometry, &bins, pixels, corners, &out);
  sums[l] = out.n;
  barrier (CLK_LOCAL_MEM_FENCE);
  for (uint s = GROUP / 2; s; s >>= 1)
    {
      if (l < s)
        sums[l] += sums[l + s];
      barrier (CLK_LOCAL_MEM_FENCE);
    }
  if (l == 0)
    totals[get_group_id (0)] = sums[0];
}

/* `firsts`: where the entries of each group begin. */
kernel void
azimuthal_fill (AzimuthalGeometry geometry, AzimuthalBins bins, global const uchar *restrict pixels,
                global const float2 *restrict corners, global const ulong *restrict firsts,
                global uint *restrict rows, global uint *restrict columns, global float *restrict coefficients)
{
  split_out_t out = { 0, 0, 0, 0, rows, columns, coefficients };
  local uint sums[GROUP];
  uint n;

  find_entries (&geometry, &bins, pixels, corners, &out);
  n = out.n;
  out.first = firsts[get_group_id (0)] + scan_group (n, sums) - n;
  out.store = 1;
  if (n > 0)
    find_entries (&geometry, &bins, pixels, corners, &out);
}
