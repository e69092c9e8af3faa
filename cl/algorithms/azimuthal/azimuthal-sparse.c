/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix: corners of all pixels, the range of the axes, entries by pixel, entries by bin. */
#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "algorithms/azimuthal/azimuthal-sparse.h"

/* pyFAI stores corners as float32. */
typedef struct {
  float radius, azimuth;
} Corner;

typedef struct {
  CapraPolar least, most;
} Range;

typedef struct {
  const CapraAzimuthalSettings *settings;
  CapraGeometry geometry;
  CapraSplit split;
  const guint8 *pixels;
  Corner *corners; /* (height + 1) rows of width + 1 points; NULL if pixels are not split */
  guint n_strips;
  Range *ranges;    /* of each strip */
  GArray **entries; /* of each strip, by ascending pixel */
  guint32 *places;  /* for each strip and row of the matrix: the number of entries, then where the next one goes */
  CapraSparse *matrix;
} Build;

static gboolean
needs_azimuth (const Build *build)
{
  return build->split.two_dimensions || build->settings->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL;
}

static void
find_corners (guint strip, guint first, guint end, gpointer data)
{
  Build *build = data;
  guint width = build->geometry.width + 1;

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      {
        CapraPolar polar = capra_geometry_get (&build->geometry, i, j, needs_azimuth (build));

        build->corners[(gsize) i * width + j] = (Corner){ (float) polar.radius, (float) polar.azimuth };
      }
}

static void
get_corners (const Build *build, guint i, guint j, CapraPolar corners[4])
{
  gsize width = build->geometry.width + 1;
  const Corner *above = build->corners + i * width + j;
  const Corner all[4] = { above[0], above[width], above[width + 1], above[1] };

  for (guint k = 0; k < 4; k++)
    corners[k] = (CapraPolar){ all[k].radius, all[k].azimuth };
}

/* The center of a pixel and half the size of its bounding box, which is 0 if pixels are not split. */
static CapraPolar
get_box (const Build *build, guint i, guint j, CapraPolar *half)
{
  CapraPolar center = capra_geometry_get (&build->geometry, i + 0.5, j + 0.5, build->split.two_dimensions);
  CapraPolar corners[4];

  *half = (CapraPolar){ 0, 0 };
  if (!build->corners)
    return center;
  get_corners (build, i, j, corners);
  for (guint k = 0; k < 4; k++)
    {
      double turn = fabs (corners[k].azimuth - center.azimuth);

      half->radius = MAX (half->radius, fabs (corners[k].radius - center.radius));
      if (build->split.two_dimensions)
        half->azimuth = MAX (half->azimuth, MIN (turn, 2 * G_PI - turn));
    }
  return center;
}

static void
range_add (Range *range, double low_radius, double high_radius, double low_azimuth, double high_azimuth)
{
  range->least.radius = MIN (range->least.radius, low_radius);
  range->most.radius = MAX (range->most.radius, high_radius);
  range->least.azimuth = MIN (range->least.azimuth, low_azimuth);
  range->most.azimuth = MAX (range->most.azimuth, high_azimuth);
}

static void
find_range (guint strip, guint first, guint end, gpointer data)
{
  Build *build = data;
  Range range = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };
  guint width = build->geometry.width;

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      {
        if (build->pixels[(gsize) i * width + j] & CAPRA_PIXEL_MASKED)
          continue;
        if (build->settings->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL)
          {
            CapraPolar p[4];

            get_corners (build, i, j, p);
            for (guint k = 0; k < 4; k++)
              range_add (&range, p[k].radius, p[k].radius, p[k].azimuth, p[k].azimuth);
          }
        else
          {
            CapraPolar half, center = get_box (build, i, j, &half);

            range_add (&range, center.radius - half.radius, center.radius + half.radius, center.azimuth - half.azimuth,
                       center.azimuth + half.azimuth);
          }
      }
  build->ranges[strip] = range;
}

static CapraAxisBins
make_axis (double least, double most, guint bins)
{
  /* Widens the axis so that the largest value is in the last bin. */
  const double wider = 1.0 + FLT_EPSILON;
  double end = most > 0 ? most * wider : most / wider;

  if (!(least <= most))
    return (CapraAxisBins){ 0, 0, 0, bins };
  return (CapraAxisBins){ least, most, (end - least) / bins, bins };
}

static void
set_axes (Build *build)
{
  const float pi = (float) G_PI;
  Range all = { { INFINITY, INFINITY }, { -INFINITY, -INFINITY } };

  for (guint s = 0; s < build->n_strips; s++)
    range_add (&all, build->ranges[s].least.radius, build->ranges[s].most.radius, build->ranges[s].least.azimuth,
               build->ranges[s].most.azimuth);
  build->split.radial = make_axis (MAX (all.least.radius, 0), all.most.radius, build->settings->bins);
  build->split.azimuthal = make_axis (MAX (all.least.azimuth, -pi), MIN (all.most.azimuth, pi),
                                      build->settings->azimuthal_bins);
}

static void
find_entries (guint strip, guint first, guint end, gpointer data)
{
  Build *build = data;
  guint width = build->geometry.width;
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (CapraSplitEntry));

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      {
        guint32 pixel = i * width + j;

        if (build->pixels[pixel])
          continue;
        if (build->settings->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL)
          {
            CapraPolar corners[4];

            get_corners (build, i, j, corners);
            capra_split_full (&build->split, pixel, corners, entries);
          }
        else
          {
            CapraPolar half, center = get_box (build, i, j, &half);

            capra_split_box (&build->split, pixel, center, half, entries);
          }
      }
  build->entries[strip] = entries;
}

static guint32 *
strip_places (const Build *build, guint strip)
{
  return build->places + (gsize) strip * build->matrix->n_rows;
}

static void
count_entries (guint strip, guint first, guint end, gpointer data)
{
  const Build *build = data;
  const GArray *entries = build->entries[strip];
  guint32 *places = strip_places (build, strip);

  for (guint e = 0; e < entries->len; e++)
    places[g_array_index (entries, CapraSplitEntry, e).bin]++;
}

static void
place_entries (guint strip, guint first, guint end, gpointer data)
{
  const Build *build = data;
  const GArray *entries = build->entries[strip];
  guint32 *places = strip_places (build, strip);

  for (guint e = 0; e < entries->len; e++)
    {
      const CapraSplitEntry *entry = &g_array_index (entries, CapraSplitEntry, e);
      guint32 place = places[entry->bin]++;

      build->matrix->pixels[place] = entry->pixel;
      if (build->matrix->coefficients)
        build->matrix->coefficients[place] = entry->coefficient;
    }
}

/* Sorts the entries of all strips by row: counts, adds up, places. */
static gboolean
sort_entries (Build *build, GError **error)
{
  CapraSparse *matrix = build->matrix;
  guint64 total = 0;

  for (guint s = 0; s < build->n_strips; s++)
    total += build->entries[s]->len;
  if (total > G_MAXINT32)
    return capra_azimuthal_fail (
      error, _ ("the pixels cover %" G_GUINT64_FORMAT " bins; choose fewer bins or no splitting"), total);
  matrix->n_entries = (guint32) total;
  matrix->starts = g_new (guint32, (gsize) matrix->n_rows + 1);
  matrix->pixels = g_new (guint32, MAX (total, 1));
  if (build->settings->splitting != CAPRA_AZIMUTHAL_SPLIT_NONE)
    matrix->coefficients = g_new (float, MAX (total, 1));
  build->places = g_new0 (guint32, (gsize) build->n_strips * matrix->n_rows);
  capra_strips_run (build->geometry.height, count_entries, build);
  total = 0;
  for (gsize row = 0; row < matrix->n_rows; row++)
    {
      matrix->starts[row] = (guint32) total;
      for (guint s = 0; s < build->n_strips; s++)
        {
          guint32 *place = strip_places (build, s) + row, count = *place;

          *place = (guint32) total;
          total += count;
        }
    }
  matrix->starts[matrix->n_rows] = (guint32) total;
  capra_strips_run (build->geometry.height, place_entries, build);
  return TRUE;
}

gboolean
capra_sparse_build (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const guint8 *pixels, GError **error)
{
  guint orientation = settings->poni.orientation, n_strips = capra_strips_count (settings->height);
  Build build = { .settings = settings,
                  .split = { .two_dimensions = settings->azimuthal_bins > 1,
                             .sign = orientation == 2 || orientation == 4 ? -1 : 1 },
                  .pixels = pixels,
                  .n_strips = n_strips,
                  .matrix = matrix };
  g_autofree Corner *corners = NULL;
  g_autofree Range *ranges = g_new0 (Range, n_strips);
  g_autofree GArray **entries = g_new0 (GArray *, n_strips);
  gboolean sorted = FALSE;

  *matrix = (CapraSparse){ .n_rows = settings->bins * settings->azimuthal_bins };
  capra_geometry_init (&build.geometry, settings);
  build.ranges = ranges;
  build.entries = entries;
  if (settings->splitting != CAPRA_AZIMUTHAL_SPLIT_NONE)
    {
      build.corners = corners = g_new (Corner, (gsize) (settings->width + 1) * (settings->height + 1));
      capra_strips_run (settings->height + 1, find_corners, &build);
    }
  capra_strips_run (settings->height, find_range, &build);
  set_axes (&build);
  matrix->radial = build.split.radial;
  matrix->azimuthal = build.split.azimuthal;
  capra_strips_run (settings->height, find_entries, &build);
  sorted = sort_entries (&build, error);
  for (guint s = 0; s < n_strips; s++)
    g_array_unref (entries[s]);
  g_free (build.places);
  if (!sorted)
    capra_sparse_clear (matrix);
  return sorted;
}

void
capra_sparse_clear (CapraSparse *matrix)
{
  g_clear_pointer (&matrix->starts, g_free);
  g_clear_pointer (&matrix->pixels, g_free);
  g_clear_pointer (&matrix->coefficients, g_free);
}
