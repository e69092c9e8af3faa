/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of labels, of their colors, and of measurements of regions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-label.h"
#include "ui/cli/check/reference-measure.h"

/* A mask: noise of which a share is set, or a pattern of long paths that meet late. */
typedef struct {
  const char *name;
  double share;
} Mask;

static const Mask masks[] = { { "noise", 0.5 },  { "comb", 0 },  { "noise", 0.593 }, { "noise", 1 },
                              { "noise", 0.02 }, { "noise", 0 }, { "zigzag", 0 } };
#define QUICK_MASKS 3

static guint8 *
make_mask (const Mask *mask, gsize width, gsize height)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) (width * 1000 + height));
  guint8 *values = g_new (guint8, width * height);

  for (gsize i = 0; i < width * height; i++)
    {
      gsize x = i % width, y = i / width;

      if (strcmp (mask->name, "comb") == 0)
        values[i] = x % 2 == 0 || y == height - 1;
      else if (strcmp (mask->name, "zigzag") == 0)
        values[i] = y % 6 == (x % 6 < 3 ? x % 6 : 6 - x % 6);
      else
        values[i] = g_rand_double (random) < mask->share;
    }
  return values;
}

/* Labels, or their colors. The number of labels is exact, too. */
static gboolean
check_mask (Check *check, const Mask *mask, const CheckSize *size, const CapraLabelOptions *options)
{
  gsize count = size->width * size->height;
  g_autofree guint8 *values = make_mask (mask, size->width, size->height);
  guint32 regions = 0, found = 0;
  g_autofree guint32 *labels = reference_label (values, size->width, size->height, options, &regions);
  g_autofree double *expected = g_new (double, 4 * count);
  g_autoptr (CapraArray) input = check_upload (check, &CAPRA_SHAPE_2D (size->width, size->height, CAPRA_U8), values);

  check_case (check, "%zux%zu, %s %g, connectivity %d, sizes %zu to %zu%s%s", size->width, size->height, mask->name,
              mask->share, options->connectivity, (gsize) options->min_size, (gsize) options->max_size,
              options->exclude_edges ? ", not at edges" : "", options->colors ? ", colors" : "");
  for (gsize i = 0; i < count && !options->colors; i++)
    expected[i] = labels[i];
  for (gsize i = 0; i < 4 * count && options->colors; i++)
    expected[i] = capra_label_color (labels[i / 4]) >> (i % 4 == 3 ? 24 : 16 - 8 * (i % 4)) & 255;
  return input && check_values (check, capra_label (input, options, &found, &check->error), expected, 0)
         && check_number (check, "number of regions", found, regions, 0);
}

/* A mask that is read in bands, and the labels that are written in bands. */
typedef struct {
  Check *check;
  gsize width;
  const guint8 *mask;
  guint32 *labels;
} Bands;

static CapraArray *
read_band (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  const Bands *bands = data;
  CapraArray *band = check_upload (bands->check, &CAPRA_SHAPE_2D (bands->width, rows, CAPRA_U8),
                                   bands->mask + first * bands->width);

  if (!band)
    g_propagate_error (error, g_steal_pointer (&bands->check->error));
  return band;
}

static gboolean
store_band (CapraArray *band, gsize first, gpointer data, GError **error)
{
  const Bands *bands = data;
  g_autoptr (CapraArray) own = band;

  return capra_array_download (own, bands->labels + first * bands->width, error);
}

/* Labels of an image in bands of @rows: the regions of the bands are joined, filtered and numbered again. */
static gboolean
check_bands (Check *check, const Mask *mask, const CheckSize *size, gsize rows, const CapraLabelOptions *options)
{
  CapraShape shape = CAPRA_SHAPE_2D (size->width, size->height, CAPRA_U8);
  g_autofree guint8 *values = make_mask (mask, size->width, size->height);
  guint32 regions = 0, found = 0;
  g_autofree guint32 *labels = reference_label (values, size->width, size->height, options, &regions);
  g_autofree guint32 *got = g_new0 (guint32, size->width * size->height);
  Bands bands = { check, size->width, values, got };
  CapraBandSource source = { check->device, shape, rows, read_band, &bands };

  check_case (check, "%zux%zu in bands of %zu rows, %s %g, connectivity %d, sizes %zu to %zu%s", size->width,
              size->height, rows, mask->name, mask->share, options->connectivity, (gsize) options->min_size,
              (gsize) options->max_size, options->exclude_edges ? ", not at edges" : "");
  if (!capra_label_bands (&source, options, store_band, &bands, &found, &check->error))
    return FALSE;
  for (gsize i = 0; i < size->width * size->height; i++)
    if (got[i] != labels[i])
      return check_difference (check, "x %zu, y %zu: %u instead of %u", i % size->width, i / size->width, got[i],
                               labels[i]);
  return check_number (check, "number of regions", found, regions, 0);
}

static gboolean
run_label (Check *check)
{
  static const CheckSize sizes[] = { { 1, 1 },   { 65, 63 }, { 193, 127 }, { 1, 200 },
                                     { 200, 1 }, { 32, 64 }, { 129, 130 }, { 255, 257 } };
  static const CapraLabelOptions options[] = { { 8, 0, 0, FALSE, FALSE },  { 4, 0, 0, FALSE, FALSE },
                                               { 4, 3, 50, TRUE, FALSE },  { 8, 2, 0, TRUE, TRUE },
                                               { 8, 0, 20, FALSE, FALSE }, { 4, 0, 0, FALSE, TRUE } };

  for (guint m = 0; m < (check->full ? G_N_ELEMENTS (masks) : QUICK_MASKS); m++)
    for (guint s = 0; s < (check->full ? G_N_ELEMENTS (sizes) : 3); s++)
      for (guint o = 0; o < (check->full ? G_N_ELEMENTS (options) : 4); o++)
        if (!check_mask (check, &masks[m], &sizes[s], &options[o]))
          return FALSE;
  for (guint m = 0; m < QUICK_MASKS; m++)
    if (!check_bands (check, &masks[m], &sizes[2], 50, &options[m]))
      return FALSE;
  return TRUE;
}

static const char *const label_variants[] = { "label.variant=runs,label.strips=8", "label.variant=runs,label.strips=1",
                                              "label.variant=blocks,label.block=128",
                                              "label.variant=blocks,label.block=32", NULL };
const CheckFamily check_label = { .name = "label", .variants = label_variants, .run = run_label };

static gboolean
run_label_colors (Check *check)
{
  enum { COUNT = 1003 };
  g_autofree guint32 *labels = g_new (guint32, COUNT);
  g_autofree double *expected = g_new (double, 4 * COUNT);
  g_autoptr (CapraArray) input = NULL;

  check_case (check, "%d labels", COUNT);
  for (guint i = 0; i < COUNT; i++)
    labels[i] = i < 900 ? i : i * 2654435761u;
  for (gsize i = 0; i < 4 * COUNT; i++)
    expected[i] = capra_label_color (labels[i / 4]) >> (i % 4 == 3 ? 24 : 16 - 8 * (i % 4)) & 255;
  input = check_upload (check, &CAPRA_SHAPE_2D (COUNT, 1, CAPRA_U32), labels);
  return input && check_values (check, capra_label_colors (input, &check->error), expected, 0);
}

const CheckFamily check_label_colors = { .name = "label-colors", .run = run_label_colors };

/* Random patches of about 9 x 5 pixels with a few labels, many of them background. @n_labels large: no patches. */
static guint32 *
make_labels (gsize width, gsize height, guint32 n_labels)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) (width * 777 + height));
  guint32 *labels = g_new0 (guint32, width * height);

  for (gsize i = 0; i < width * height; i++)
    {
      guint32 own = g_rand_int (random);

      if (i % width % 9 && own % 8 && i >= width && i / width % 5)
        labels[i] = labels[i - width];
      if (own % 3 == 0 && i % width && !labels[i])
        labels[i] = labels[i - 1];
      if (own % 16 == 1)
        labels[i] = own / 16 % n_labels;
    }
  labels[0] = 3;
  return labels;
}

/* Positions and sizes are exact. Intensities are summed in fixed point; 1e-5 is the precision that rows are read with.
 */
static gboolean
compare_region (Check *check, const CapraRegion *found, const CapraRegion *expected)
{
  const struct {
    const char *name;
    double found, expected;
    gboolean exact;
  } fields[] = {
    { "label", found->label, expected->label, TRUE },
    { "area", (double) found->area, (double) expected->area, TRUE },
    { "min_x", found->min_x, expected->min_x, TRUE },
    { "min_y", found->min_y, expected->min_y, TRUE },
    { "max_x", found->max_x, expected->max_x, TRUE },
    { "max_y", found->max_y, expected->max_y, TRUE },
    { "min", found->min, expected->min, TRUE },
    { "max", found->max, expected->max, TRUE },
    { "centroid_x", found->centroid_x, expected->centroid_x, FALSE },
    { "centroid_y", found->centroid_y, expected->centroid_y, FALSE },
    { "weighted_centroid_x", found->weighted_centroid_x, expected->weighted_centroid_x, FALSE },
    { "weighted_centroid_y", found->weighted_centroid_y, expected->weighted_centroid_y, FALSE },
    { "sum", found->sum, expected->sum, FALSE },
    { "mean", found->mean, expected->mean, FALSE },
    { "std", found->std, expected->std, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_autofree char *name = g_strdup_printf ("region %u, %s", expected->label, fields[i].name);

      if (!check_number (check, name, fields[i].found, fields[i].expected,
                         fields[i].exact ? 0 : 1e-5 * fabs (fields[i].expected)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_regions (Check *check, const CheckSize *size, guint32 n_labels, int origin)
{
  gsize count = size->width * size->height;
  CapraShape shape = CAPRA_SHAPE_2D (size->width, size->height, CAPRA_U32);
  CapraShape value_shape = CAPRA_SHAPE_2D (size->width, size->height, CAPRA_F32);
  g_autofree guint32 *labels = make_labels (size->width, size->height, n_labels);
  g_autofree float *intensities = g_new (float, count);
  g_autofree double *values = g_new (double, count);
  g_autoptr (CapraArray) a = NULL, b = NULL;
  g_autoptr (GArray) regions = NULL;
  guint row = 0;

  check_case (check, "%zux%zu, up to %u labels, origin %d", size->width, size->height, n_labels, origin);
  reference_noise (&value_shape, 3, intensities, values);
  for (gsize i = 0; i < count; i++)
    intensities[i] += 1.5f;
  if (count > 100)
    intensities[50] = NAN;
  for (gsize i = 0; i < count; i++)
    values[i] = intensities[i];
  a = check_upload (check, &shape, labels);
  b = a ? check_upload (check, &value_shape, intensities) : NULL;
  regions = b ? capra_measure (a, b, origin, -origin, &check->error) : NULL;
  if (!regions)
    return FALSE;
  for (guint32 label = 1; label < n_labels; label++)
    {
      CapraRegion expected;

      if (!reference_measure (&expected, labels, values, size->width, count, label, origin, -origin))
        continue;
      if (row == regions->len)
        return check_difference (check, "region %u is missing", label);
      if (!compare_region (check, &g_array_index (regions, CapraRegion, row++), &expected))
        return FALSE;
    }
  return check_number (check, "number of regions", regions->len, row, 0);
}

static gboolean
run_measure (Check *check)
{
  for (guint s = 0; s < check_n_sizes (check); s++)
    if (!check_regions (check, &check_sizes[s], 20, 0) || !check_regions (check, &check_sizes[s], 300, 1000))
      return FALSE;
  return !check->full || check_regions (check, &(CheckSize){ 331, 75 }, 2000, 0);
}

static const char *const measure_variants[] = { "measure.variant=strips,measure.cache=64,measure.strips=8",
                                                "measure.variant=strips,measure.cache=1,measure.strips=3,"
                                                "measure.carry=1",
                                                "measure.variant=blocks",
                                                "measure.variant=blocks,measure.carry=1,measure.group=64", NULL };
const CheckFamily check_measure = { .name = "measure", .variants = measure_variants, .run = run_measure };
