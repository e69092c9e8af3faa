/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix, built on the device: norms and corners of pixels, the range of the axes, entries by pixel, entries
 * by row. The host gets the ranges and the numbers of entries of groups of pixels. */
#include <math.h>

#include "algorithms/azimuthal/azimuthal-matrix.h"
#include "algorithms/azimuthal/azimuthal-params.h"
#include "runtime/launch/launch.h"
#include "runtime/memory/array-transfer.h"

/* Work-items of a group that computes an image. */
#define GROUP_WIDTH 64
#define GROUP_HEIGHT 4

typedef struct {
  CapraContext *context;
  char *options;
  AzimuthalGeometry geometry;
  AzimuthalBins bins;
  const CapraAzimuthalImages *images;
  CapraArray *corners; /* pairs; NULL if pixels are not split */
  CapraArray *rows;    /* of entries */
} Build;

static void
build_clear (Build *build)
{
  g_clear_pointer (&build->options, g_free);
  g_clear_pointer (&build->corners, capra_array_unref);
  g_clear_pointer (&build->rows, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Build, build_clear)

static void
begin (CapraLaunch *launch, const Build *build, const char *kernel)
{
  capra_launch_begin (launch, build->context, "azimuthal-build", build->options, kernel);
  capra_launch_value (launch, &build->geometry, sizeof build->geometry);
}

static void
build_init (Build *build, CapraContext *context, const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
            const CapraAzimuthalImages *images)
{
  build->context = context;
  build->images = images;
  build->options = g_strdup_printf ("-DGROUP=%d%s", BUILD_GROUP,
                                    settings->splitting != CAPRA_AZIMUTHAL_SPLIT_NONE ? " -DWEIGHTED" : "");
  capra_azimuthal_geometry_init (&build->geometry, settings, part);
  capra_azimuthal_bins_init (&build->bins, settings, part);
}

static gsize
count_pixels (const Build *build)
{
  return (gsize) build->geometry.width * build->geometry.rows;
}

static gboolean
find_norms (const Build *build, CapraArray *flats, GError **error)
{
  const CapraAzimuthalImages *images = build->images;
  CapraLaunch launch;

  begin (&launch, build, "azimuthal_norms");
  capra_launch_write (&launch, images->pixels);
  /* An argument that is not used needs an array all the same. */
  capra_launch_read (&launch, flats ? flats : images->norms);
  capra_launch_read (&launch, images->darks ? images->darks : images->norms);
  capra_launch_write (&launch, images->norms);
  return capra_launch_run_2d (&launch, build->geometry.width, build->geometry.rows, GROUP_WIDTH, GROUP_HEIGHT,
                              count_pixels (build) * (6 + (flats ? 4 : 0) + (images->darks ? 4 : 0)), error);
}

gboolean
capra_azimuthal_images_find (CapraAzimuthalImages *images, CapraContext *context,
                             const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part, const guint8 *mask,
                             GError **error)
{
  CapraShape bytes = CAPRA_SHAPE_2D (settings->width, part->rows, CAPRA_U8), floats = bytes;
  gsize offset = capra_azimuthal_part_offset (part, settings);
  g_auto (Build) build = { NULL };
  g_autoptr (CapraArray) flats = NULL;

  floats.type = CAPRA_F32;
  build_init (&build, context, settings, part, images);
  images->pixels = capra_array_new_from_data (context->device, &bytes, mask, error);
  images->norms = images->pixels ? capra_array_new_uninitialized (context, &floats, error) : NULL;
  if (!images->norms)
    return FALSE;
  if (settings->dark)
    images->darks = capra_array_new_from_data (context->device, &floats, settings->dark + offset, error);
  if (settings->dark && !images->darks)
    return FALSE;
  if (settings->flat)
    flats = capra_array_new_from_data (context->device, &floats, settings->flat + offset, error);
  return (flats || !settings->flat) && find_norms (&build, flats, error);
}

/* Finds the corners of pixels that are split. */
static gboolean
find_corners (Build *build, GError **error)
{
  gsize width = build->geometry.width + (gsize) 1, height = build->geometry.rows + (gsize) 1;
  CapraShape shape = { width, height, 1, 2, CAPRA_F32 };
  CapraLaunch launch;

  if (build->bins.splitting == SPLIT_NONE)
    return TRUE;
  build->corners = capra_array_new_uninitialized (build->context, &shape, error);
  if (!build->corners)
    return FALSE;
  begin (&launch, build, "azimuthal_corners");
  capra_launch_uint (&launch, bins_need_azimuth (&build->bins));
  capra_launch_write (&launch, build->corners);
  return capra_launch_run_2d (&launch, width, height, GROUP_WIDTH, GROUP_HEIGHT, width * height * 8, error);
}

/* The arguments of the kernels that follow. */
static void
begin_pixels (CapraLaunch *launch, const Build *build, const char *kernel)
{
  begin (launch, build, kernel);
  capra_launch_value (launch, &build->bins, sizeof build->bins);
  capra_launch_read (launch, build->images->pixels);
  capra_launch_read (launch, build->corners ? build->corners : build->images->pixels);
}

static guint64
bytes_of_pixels (const Build *build)
{
  return count_pixels (build) * (build->corners ? 9 : 1);
}

/* Adds the coordinates of all pixels to @range. */
static gboolean
find_range (const Build *build, CapraAzimuthalRange *range, GError **error)
{
  gsize groups = MIN ((count_pixels (build) + BUILD_GROUP - 1) / BUILD_GROUP, BUILD_RANGES);
  g_autofree AzimuthalPolar *ranges = g_new (AzimuthalPolar, groups * 2);
  CapraShape shape = CAPRA_SHAPE_2D (groups * 2 * sizeof (AzimuthalPolar), 1, CAPRA_U8);
  g_autoptr (CapraArray) array = capra_array_new_uninitialized (build->context, &shape, error);
  CapraLaunch launch;

  if (!array)
    return FALSE;
  begin_pixels (&launch, build, "azimuthal_range");
  capra_launch_write (&launch, array);
  if (!capra_launch_run_1d (&launch, groups * BUILD_GROUP, BUILD_GROUP, bytes_of_pixels (build), error)
      || !capra_array_download_first (array, ranges, shape.width, error))
    return FALSE;
  for (gsize g = 0; g < groups; g++)
    bins_extend (&range->least, &range->most, ranges[2 * g], ranges[2 * g + 1]);
  return TRUE;
}

/* Finds where the entries of each group of pixels begin, and sets the number of all. */
static CapraArray *
find_firsts (const Build *build, guint32 *n_entries, GError **error)
{
  gsize groups = (count_pixels (build) + BUILD_GROUP - 1) / BUILD_GROUP;
  CapraShape shape = CAPRA_SHAPE_2D (groups * sizeof (guint64), 1, CAPRA_U8);
  g_autofree guint64 *totals = g_new (guint64, groups);
  g_autoptr (CapraArray) array = capra_array_new_uninitialized (build->context, &shape, error);
  CapraLaunch launch;
  guint64 sum = 0;

  if (!array)
    return NULL;
  begin_pixels (&launch, build, "azimuthal_count");
  capra_launch_write (&launch, array);
  if (!capra_launch_run_1d (&launch, count_pixels (build), BUILD_GROUP, bytes_of_pixels (build), error)
      || !capra_array_download_first (array, totals, shape.width, error))
    return NULL;
  for (gsize g = 0; g < groups; g++)
    {
      guint64 count = totals[g];

      totals[g] = sum;
      sum += count;
    }
  if (!capra_sparse_check_size (sum, error) || !capra_array_upload_first (array, totals, shape.width, error))
    return NULL;
  *n_entries = (guint32) sum;
  return g_steal_pointer (&array);
}

static gboolean
fill (Build *build, CapraAzimuthalMatrix *matrix, CapraArray *firsts, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (MAX (matrix->n_entries, 1), 1, CAPRA_U32);
  CapraLaunch launch;

  build->rows = capra_array_new_uninitialized (build->context, &shape, error);
  matrix->pixels = build->rows ? capra_array_new_uninitialized (build->context, &shape, error) : NULL;
  if (!matrix->pixels)
    return FALSE;
  shape.type = CAPRA_F32;
  if (build->corners)
    matrix->coefficients = capra_array_new_uninitialized (build->context, &shape, error);
  if (build->corners && !matrix->coefficients)
    return FALSE;
  begin_pixels (&launch, build, "azimuthal_fill");
  capra_launch_read (&launch, firsts);
  capra_launch_write (&launch, build->rows);
  capra_launch_write (&launch, matrix->pixels);
  capra_launch_write (&launch, matrix->coefficients ? matrix->coefficients : matrix->pixels);
  return capra_launch_run_1d (&launch, count_pixels (build), BUILD_GROUP,
                              bytes_of_pixels (build) + (guint64) matrix->n_entries * (build->corners ? 12 : 8), error);
}

gboolean
capra_azimuthal_matrix_extend_range (CapraAzimuthalRange *range, CapraContext *context,
                                     const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                                     const CapraAzimuthalImages *images, GError **error)
{
  g_auto (Build) build = { NULL };

  build_init (&build, context, settings, part, images);
  return find_corners (&build, error) && find_range (&build, range, error);
}

gboolean
capra_azimuthal_matrix_build (CapraAzimuthalMatrix *matrix, CapraContext *context,
                              const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                              const CapraAzimuthalRange *range, const CapraAzimuthalImages *images, GError **error)
{
  CapraAzimuthalRange own = CAPRA_AZIMUTHAL_RANGE_INIT;
  g_auto (Build) build = { NULL };
  g_autoptr (CapraArray) firsts = NULL;

  *matrix = (CapraAzimuthalMatrix){ .n_rows = part->n_bins };
  build_init (&build, context, settings, part, images);
  if (!find_corners (&build, error) || (!range && !find_range (&build, &own, error)))
    return FALSE;
  capra_azimuthal_bins_set_range (&build.bins, range ? range : &own);
  matrix->radial = build.bins.radial;
  matrix->azimuthal = build.bins.azimuthal;
  firsts = find_firsts (&build, &matrix->n_entries, error);
  if (!firsts || !fill (&build, matrix, firsts, error))
    return FALSE;
  g_clear_pointer (&build.corners, capra_array_unref); /* makes room for the sort */
  return capra_azimuthal_matrix_sort (matrix, &build.rows, error);
}
