/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix: corners of all pixels, the range of the axes, entries by pixel, entries by bin. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "algorithms/azimuthal/azimuthal-sparse.h"

/* Part of a pixel in a bin: an entry of the sparse matrix. */
typedef struct {
  guint32 row, pixel;
  float coefficient;
} Entry;

typedef struct {
  GArray *entries;
  guint32 pixel;
} split_out_t;

static inline void
split_append (split_out_t *out, cl_uint row, cl_float coefficient)
{
  Entry entry = { row, out->pixel, coefficient };

  g_array_append_val (out->entries, entry);
}

#include "algorithms/azimuthal/azimuthal-split.h"

/* pyFAI stores corners as float32. */
typedef struct {
  float radius, azimuth;
} Corner;

typedef struct {
  AzimuthalGeometry geometry;
  AzimuthalBins bins;
  const guint8 *pixels;
  Corner *corners; /* (rows + 1) rows of width + 1 points; NULL if pixels are not split */
  guint n_strips;
  CapraAzimuthalRange *ranges; /* of each strip */
  GArray **entries;            /* of each strip, by ascending pixel */
  guint32 *places; /* for each strip and row of the matrix: the number of entries, then where the next one goes */
  CapraSparse *matrix;
} Build;

static void
find_corners (guint strip, guint first, guint end, gpointer data)
{
  Build *build = data;
  guint width = build->geometry.width + 1;

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      {
        AzimuthalPolar polar = polar_get (&build->geometry, i, j, bins_need_azimuth (&build->bins));

        build->corners[(gsize) i * width + j] = (Corner){ (float) polar.radius, (float) polar.azimuth };
      }
}

static void
get_corners (const Build *build, guint i, guint j, AzimuthalPolar corners[4])
{
  for (guint k = 0; k < 4; k++)
    {
      Corner corner = build->corners ? build->corners[bins_corner (&build->geometry, i, j, k)] : (Corner){ 0, 0 };

      corners[k] = (AzimuthalPolar){ corner.radius, corner.azimuth };
    }
}

static void
find_range (guint strip, guint first, guint end, gpointer data)
{
  Build *build = data;
  CapraAzimuthalRange range = CAPRA_AZIMUTHAL_RANGE_INIT;
  guint width = build->geometry.width;

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      if (!(build->pixels[(gsize) i * width + j] & PIXEL_MASKED))
        {
          AzimuthalPolar corners[4];

          get_corners (build, i, j, corners);
          bins_add_pixel (&build->geometry, &build->bins, i, j, corners, &range.least, &range.most);
        }
  build->ranges[strip] = range;
}

static void
extend_range (Build *build, CapraAzimuthalRange *range)
{
  g_autofree CapraAzimuthalRange *ranges = g_new (CapraAzimuthalRange, build->n_strips);

  build->ranges = ranges;
  capra_strips_run (build->geometry.rows, find_range, build);
  for (guint s = 0; s < build->n_strips; s++)
    bins_extend (&range->least, &range->most, ranges[s].least, ranges[s].most);
}

static void
find_entries (guint strip, guint first, guint end, gpointer data)
{
  Build *build = data;
  guint width = build->geometry.width;
  split_out_t out = { g_array_new (FALSE, FALSE, sizeof (Entry)), 0 };

  for (guint i = first; i < end; i++)
    for (guint j = 0; j < width; j++)
      {
        AzimuthalPolar corners[4];

        out.pixel = i * width + j;
        if (build->pixels[out.pixel])
          continue;
        get_corners (build, i, j, corners);
        split_pixel (&build->geometry, &build->bins, i, j, corners, &out);
      }
  build->entries[strip] = out.entries;
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
    places[g_array_index (entries, Entry, e).row]++;
}

static void
place_entries (guint strip, guint first, guint end, gpointer data)
{
  const Build *build = data;
  const GArray *entries = build->entries[strip];
  guint32 *places = strip_places (build, strip);

  for (guint e = 0; e < entries->len; e++)
    {
      const Entry *entry = &g_array_index (entries, Entry, e);
      guint32 place = places[entry->row]++;

      build->matrix->pixels[place] = entry->pixel;
      if (build->matrix->coefficients)
        build->matrix->coefficients[place] = entry->coefficient;
    }
}

gboolean
capra_sparse_check_size (guint64 n_entries, GError **error)
{
  return n_entries <= G_MAXINT32
         || capra_azimuthal_fail (error, _ ("the pixels cover %" PRIu64 " bins; choose fewer bins or no splitting"),
                                  n_entries);
}

/* Sorts the entries of all strips by row: counts, adds up, places. */
static gboolean
sort_entries (Build *build, GError **error)
{
  CapraSparse *matrix = build->matrix;
  guint64 total = 0;

  for (guint s = 0; s < build->n_strips; s++)
    total += build->entries[s]->len;
  if (!capra_sparse_check_size (total, error))
    return FALSE;
  matrix->n_entries = (guint32) total;
  matrix->starts = g_new (guint32, (gsize) matrix->n_rows + 1);
  matrix->pixels = g_new (guint32, MAX (total, 1));
  if (build->corners)
    matrix->coefficients = g_new (float, MAX (total, 1));
  build->places = g_new0 (guint32, (gsize) build->n_strips * matrix->n_rows);
  capra_strips_run (build->geometry.rows, count_entries, build);
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
  capra_strips_run (build->geometry.rows, place_entries, build);
  return TRUE;
}

static void
build_init (Build *build, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part, const guint8 *pixels)
{
  *build = (Build){ .pixels = pixels, .n_strips = capra_strips_count (part->rows) };
  capra_azimuthal_geometry_init (&build->geometry, settings, part);
  capra_azimuthal_bins_init (&build->bins, settings, part);
  if (settings->splitting == CAPRA_AZIMUTHAL_SPLIT_NONE)
    return;
  build->corners = g_new (Corner, ((gsize) settings->width + 1) * ((gsize) part->rows + 1));
  capra_strips_run (part->rows + 1, find_corners, build);
}

static void
build_clear (Build *build)
{
  for (guint s = 0; build->entries && s < build->n_strips; s++)
    g_array_unref (build->entries[s]);
  g_free (build->entries);
  g_free (build->corners);
  g_free (build->places);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

void
capra_sparse_extend_range (CapraAzimuthalRange *range, const CapraAzimuthalSettings *settings,
                           const CapraAzimuthalPart *part, const guint8 *pixels)
{
  g_auto (Build) build;

  build_init (&build, settings, part, pixels);
  extend_range (&build, range);
}

gboolean
capra_sparse_build (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                    const CapraAzimuthalRange *range, const guint8 *pixels, GError **error)
{
  CapraAzimuthalRange own = CAPRA_AZIMUTHAL_RANGE_INIT;
  g_auto (Build) build;

  *matrix = (CapraSparse){ .n_rows = part->n_bins };
  build_init (&build, settings, part, pixels);
  build.matrix = matrix;
  if (!range)
    extend_range (&build, &own);
  capra_azimuthal_bins_set_range (&build.bins, range ? range : &own);
  matrix->radial = build.bins.radial;
  matrix->azimuthal = build.bins.azimuthal;
  build.entries = g_new0 (GArray *, build.n_strips);
  capra_strips_run (part->rows, find_entries, &build);
  if (sort_entries (&build, error))
    return TRUE;
  capra_sparse_clear (matrix);
  return FALSE;
}

void
capra_sparse_clear (CapraSparse *matrix)
{
  g_clear_pointer (&matrix->starts, g_free);
  g_clear_pointer (&matrix->pixels, g_free);
  g_clear_pointer (&matrix->coefficients, g_free);
}
