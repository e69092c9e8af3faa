/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Azimuthal integration by its definitions: rotations one after the other, angles, and polygons that are clipped. */
#include <math.h>
#include <string.h>

#include "ui/cli/check/reference-azimuthal.h"

#define PLANES CAPRA_AZIMUTHAL_N_PLANES

/* Results of the reference for one frame: PLANES by bins. */
typedef struct {
  const CapraAzimuthalSettings *settings;
  const double *frame, *variance;
  double least, delta;
  double *sums; /* five of each bin: signal, variance, norm, squares of norms, count */
} Reference;

enum { SIGNAL, VARIANCE, NORM, SQUARES, COUNT, N_SUMS };

/* The rotations as a product of matrices; the point at row @i and column @j in m. */
static void
rotate (const CapraAzimuthalSettings *s, double i, double j, double p[3])
{
  const CapraPoni *g = &s->poni;
  double y = 0, x = 0, z = g->distance, t = 0;

  if (g->orientation == 1 || g->orientation == 2)
    i = s->height - i;
  if (g->orientation == 1 || g->orientation == 4)
    j = s->width - j;
  y = i * g->pixel1 - g->poni1;
  x = j * g->pixel2 - g->poni2;
  /* rot1 around the first axis (against its sense), rot2 around the second one, rot3 around the beam. */
  t = x * cos (g->rot1) + z * sin (g->rot1);
  z = z * cos (g->rot1) - x * sin (g->rot1);
  x = t;
  t = y * cos (g->rot2) - z * sin (g->rot2);
  z = z * cos (g->rot2) + y * sin (g->rot2);
  y = t;
  p[0] = y * cos (g->rot3) - x * sin (g->rot3);
  p[1] = y * sin (g->rot3) + x * cos (g->rot3);
  p[2] = z;
}

static double
radius_at (const CapraAzimuthalSettings *s, double i, double j, double *azimuth)
{
  double p[3], angle = 0;

  rotate (s, i, j, p);
  angle = atan2 (hypot (p[0], p[1]), p[2]);
  *azimuth = atan2 (p[0], p[1]);
  switch (s->unit)
    {
    case CAPRA_AZIMUTHAL_2TH_DEG: return angle;
    case CAPRA_AZIMUTHAL_R_MM: return hypot (p[0], p[1]);
    case CAPRA_AZIMUTHAL_Q_NM:
    default: return 4e-9 * G_PI / s->poni.wavelength * sin (angle / 2);
    }
}

/* The corners of a pixel, rounded to float32 as in pyFAI. */
static void
corners_of (const CapraAzimuthalSettings *s, guint i, guint j, double radius[4], double azimuth[4])
{
  const guint rows[] = { 0, 1, 1, 0 }, columns[] = { 0, 0, 1, 1 };

  for (guint k = 0; k < 4; k++)
    {
      radius[k] = (float) radius_at (s, i + rows[k], j + columns[k], &azimuth[k]);
      azimuth[k] = (float) azimuth[k];
    }
}

static double
norm_of (const CapraAzimuthalSettings *s, guint i, guint j)
{
  double azimuth = 0, p[3], cosine = 0, norm = s->normalization, y = 0, x = 0;
  gboolean mirror1 = s->poni.orientation == 1 || s->poni.orientation == 2;
  gboolean mirror2 = s->poni.orientation == 1 || s->poni.orientation == 4;

  y = (mirror1 ? s->height - i - 0.5 : i + 0.5) * s->poni.pixel1 - s->poni.poni1;
  x = (mirror2 ? s->width - j - 0.5 : j + 0.5) * s->poni.pixel2 - s->poni.poni2;
  if (s->solid_angle)
    norm *= pow (s->poni.distance / sqrt (s->poni.distance * s->poni.distance + x * x + y * y), 3);
  rotate (s, i + 0.5, j + 0.5, p);
  cosine = p[2] / sqrt (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  azimuth = atan2 (p[0], p[1]);
  if (!isnan (s->polarization))
    norm *= 0.5
            * (1 + cosine * cosine
               - s->polarization * cos (2 * (azimuth + s->polarization_offset)) * (1 - cosine * cosine));
  return s->flat ? norm * s->flat[i * s->width + j] : norm;
}

static void
add (Reference *r, gint64 bin, double c, gsize pixel, double norm)
{
  const CapraAzimuthalSettings *s = r->settings;
  double raw = r->frame[pixel], *sums = r->sums + bin * N_SUMS, variance = 0;

  if (bin < 0 || bin >= s->bins || isnan (raw) || norm == 0
      || (s->has_dummy && fabs (raw - s->dummy) <= s->delta_dummy))
    return;
  if (s->error == CAPRA_AZIMUTHAL_ERROR_POISSON)
    variance = MAX (raw, 1);
  else if (s->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE)
    variance = r->variance[pixel];
  sums[SIGNAL] += c * (raw - (s->dark ? s->dark[pixel] : 0));
  sums[VARIANCE] += c * c * variance;
  sums[NORM] += c * norm;
  sums[SQUARES] += c * c * norm * norm;
  sums[COUNT] += c;
}

/* The area of the polygon with @n corners (x, y), cut off at x < low and x > high (Sutherland and Hodgman). */
static double
clipped_area (const double x[4], const double y[4], double low, double high)
{
  double px[12], py[12], qx[12], qy[12], sum = 0;
  guint n = 4;

  memcpy (px, x, 4 * sizeof *x);
  memcpy (py, y, 4 * sizeof *y);
  for (guint side = 0; side < 2; side++)
    {
      double edge = side ? high : low, sign = side ? -1 : 1;
      guint m = 0;

      for (guint k = 0; k < n; k++)
        {
          guint next = (k + 1) % n;
          double a = sign * (px[k] - edge), b = sign * (px[next] - edge);

          if (a >= 0)
            {
              qx[m] = px[k];
              qy[m++] = py[k];
            }
          if ((a > 0 && b < 0) || (a < 0 && b > 0))
            {
              qx[m] = edge;
              qy[m++] = py[k] + (py[next] - py[k]) * a / (a - b);
            }
        }
      n = m;
      memcpy (px, qx, sizeof px);
      memcpy (py, qy, sizeof py);
    }
  for (guint k = 0; k < n; k++)
    sum += 0.5 * (px[k] * py[(k + 1) % n] - px[(k + 1) % n] * py[k]);
  return fabs (sum);
}

/* Azimuths that jump from one corner to the next by more than pi belong to a pixel on the discontinuity. */
static void
unwrap (double azimuth[4])
{
  for (guint k = 1; k < 4; k++)
    azimuth[k] -= 2 * G_PI * rint ((azimuth[k] - azimuth[0]) / (2 * G_PI));
}

static void
split_full (Reference *r, guint i, guint j)
{
  double radius[4], azimuth[4], areas[4096] = { 0 }, sum = 0;
  gint64 bins = r->settings->bins;

  corners_of (r->settings, i, j, radius, azimuth);
  unwrap (azimuth);
  for (guint k = 0; k < 4; k++)
    radius[k] = (radius[k] - r->least) / r->delta;
  for (gint64 b = 0; b < bins; b++)
    sum += areas[b] = clipped_area (radius, azimuth, (double) b, (double) b + 1);
  for (gint64 b = 0; b < bins; b++)
    if (areas[b] > 0)
      add (r, b, areas[b] / sum, (gsize) i * r->settings->width + j, norm_of (r->settings, i, j));
}

/* The interval of a pixel without its azimuth. */
static void
interval_of (const CapraAzimuthalSettings *s, guint i, guint j, double *low, double *high)
{
  double unused = 0, radius[4], azimuth[4], center = radius_at (s, i + 0.5, j + 0.5, &unused), half = 0;

  corners_of (s, i, j, radius, azimuth);
  for (guint k = 0; k < 4; k++)
    half = MAX (half, fabs (radius[k] - center));
  if (s->splitting == CAPRA_AZIMUTHAL_SPLIT_NONE)
    half = 0;
  *low = center - half;
  *high = center + half;
  if (s->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL)
    {
      *low = MIN (MIN (radius[0], radius[1]), MIN (radius[2], radius[3]));
      *high = MAX (MAX (radius[0], radius[1]), MAX (radius[2], radius[3]));
    }
}

static void
split_box (Reference *r, guint i, guint j)
{
  double low = 0, high = 0, norm = norm_of (r->settings, i, j);
  gsize pixel = (gsize) i * r->settings->width + j;
  gint64 bins = r->settings->bins;

  interval_of (r->settings, i, j, &low, &high);
  low = (low - r->least) / r->delta;
  high = (high - r->least) / r->delta;
  if (MAX ((gint64) low, 0) == MIN ((gint64) high, bins - 1))
    add (r, MAX ((gint64) low, 0), 1, pixel, norm);
  else
    for (gint64 b = 0; b < bins; b++)
      {
        double from = MAX (low, b > 0 ? (double) b : low), to = MIN (high, b + 1 < bins ? (double) b + 1 : high);

        if (to > from)
          add (r, b, (to - from) / (high - low), pixel, norm);
      }
}

static gboolean
is_masked (const CapraAzimuthalSettings *s, guint i, guint j)
{
  return s->mask && s->mask[(gsize) i * s->width + j];
}

double *
reference_azimuthal (const CapraAzimuthalSettings *s, const double *frame, const double *variance)
{
  g_autofree double *sums = g_new0 (double, (gsize) s->bins * N_SUMS);
  double *out = g_new (double, (gsize) s->bins * PLANES), most = -INFINITY;
  Reference r = { s, frame, variance, INFINITY, 0, sums };

  for (guint i = 0; i < s->height; i++)
    for (guint j = 0; j < s->width; j++)
      {
        double low = 0, high = 0;

        interval_of (s, i, j, &low, &high);
        if (is_masked (s, i, j))
          continue;
        r.least = MIN (r.least, low);
        most = MAX (most, high);
      }
  r.least = MAX (r.least, 0);
  r.delta = (most * (1 + ldexp (1, -23)) - r.least) / s->bins;
  for (guint i = 0; i < s->height; i++)
    for (guint j = 0; j < s->width; j++)
      if (is_masked (s, i, j))
        continue;
      else if (s->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL)
        split_full (&r, i, j);
      else
        split_box (&r, i, j);
  for (guint b = 0; b < s->bins; b++)
    {
      const double *sum = sums + b * N_SUMS;
      gboolean any = sum[SQUARES] > 0;

      out[b] = any ? sum[SIGNAL] / sum[NORM] : s->empty;
      out[s->bins + b] = any ? sqrt (sum[VARIANCE] / sum[SQUARES]) : s->empty;
      out[2 * s->bins + b] = any ? sqrt (sum[VARIANCE]) / sum[NORM] : s->empty;
      out[3 * s->bins + b] = sum[COUNT];
    }
  return out;
}

void
reference_azimuthal_mask_pole (const CapraAzimuthalSettings *s, guint8 *mask)
{
  double p[3];

  for (guint i = 0; i < s->height; i++)
    for (guint j = 0; j < s->width; j++)
      {
        rotate (s, i + 0.5, j + 0.5, p);
        mask[i * s->width + j] = hypot (p[0], p[1]) < 3 * MAX (s->poni.pixel1, s->poni.pixel2);
      }
}
