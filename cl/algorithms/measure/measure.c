/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: sums over labelled regions in whole numbers on the device, turned into columns here. */
#include <math.h>
#include <string.h>

#include "algorithms/measure/measure.h"
#include "runtime/launch/launch.h"
#include "algorithms/common/order-key.h"
#include "runtime/launch/tuning.h"

/* Words of a row of the table, with and without values; see kernels/measure.cl. */
#define ROW_WORDS 28
#define ROW_WORDS_WITHOUT 12

/* The table is made in parts of at most so many bytes, the first part for a label in so
 * many pixels, or for a few in small images: few images have more. */
#define MAX_TABLE_BYTES (256u << 20)
#define PIXELS_A_LABEL 512
#define LEAST_LABELS 1024

/* Pixels of a tile of the variant of that name, the words of its list of pieces, and the work-items that make the
 * list (kernels/measure-tiles.clh). */
#define TILE_WIDTH 128
#define TILE_HEIGHT 64
#define TILE_LIST_WORDS (4 + 3 * 1024)
#define TILE_PATCHES 256

__extension__ typedef unsigned __int128 guint128;
__extension__ typedef __int128 gint128;

typedef struct {
  CapraContext *context;
  CapraArray *labels;
  CapraArray *values; /* NULL without intensities */
  CapraType type;     /* of the values */
  gboolean tiles;     /* which variant */
  gsize group;        /* work-items that take a tile's pieces */
  char *options;      /* the kernels' macros */
  gsize lines;        /* rows of a stripe, for the other variant */
  guint row_words;
  const guint32 *names; /* the labels that stand for 1, 2, …; NULL if they are themselves */
  int origin_x, origin_y;
} Work;

static void
work_clear (Work *work)
{
  g_free (work->options);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static guint128
read_128 (const guint32 *words)
{
  guint128 value = 0;

  for (int i = 3; i >= 0; i--)
    value = value << 32 | words[i];
  return value;
}

static guint64
read_64 (const guint32 *words)
{
  return (guint64) words[1] << 32 | words[0];
}

/* Sum and spread of the values, and the weighted centroid. The integers count in units of @unit. */
static void
fill_sums (CapraRegion *region, const Work *work, const guint32 *row, double unit)
{
  gint128 sum = read_128 (row + 12), area = (gint128) region->area;
  gint128 half = sum < 0 ? -area / 2 : area / 2;
  gint128 mean = (sum + half) / area, rest = sum - mean * area;
  /* The sum of (q - mean)²: the parts may exceed 128 bits, what remains of them does not. */
  guint128 squares = read_128 (row + 16) - (guint128) mean * (guint128) (sum + rest);

  region->sum = (double) sum * unit;
  region->mean = region->sum / region->area;
  region->std = sqrt (((double) squares - (double) rest * (double) rest / region->area) / region->area) * unit;
  if (sum != 0)
    {
      region->weighted_centroid_x = (double) (gint128) read_128 (row + 20) / (double) sum + work->origin_x;
      region->weighted_centroid_y = (double) (gint128) read_128 (row + 24) / (double) sum + work->origin_y;
    }
}

static void
fill_values (CapraRegion *region, const Work *work, const guint32 *row)
{
  double unit = 1.0;
  gboolean nan = row[1] != 0;

  /* All of the values were NaN. */
  if (work->type == CAPRA_F32 && row[7] == 0)
    return;

  /* Adding 0 makes -0 the same as 0: which of them comes first is chance. */
  region->min = capra_order_key_to_value (work->type, ~row[6]) + 0.0;
  region->max = capra_order_key_to_value (work->type, row[7]) + 0.0;
  if (nan)
    return;
  if (isinf (region->min) || isinf (region->max))
    {
      if (isfinite (region->min) || isfinite (region->max) || region->min == region->max)
        region->sum = region->mean = isinf (region->max) ? region->max : region->min;
      return;
    }
  if (work->type == CAPRA_F32)
    {
      int exponent = 0;

      /* The exponent field of the largest value, as in size_of() of kernels/measure-sums.clh. */
      frexp (MAX (fabs (region->min), fabs (region->max)), &exponent);
      unit = ldexp (1.0, MAX (exponent + 126, 1) - 174);
    }
  fill_sums (region, work, row, unit);
}

/* Turns the @n rows from label @first on into regions. */
static void
append_rows (GArray *regions, const Work *work, const guint32 *row, guint32 first, guint32 n)
{
  for (guint32 i = 0; i < n; i++, row += work->row_words)
    {
      CapraRegion region = {
        .label = work->names ? work->names[first + i - 1] : first + i,
        .area = row[0],
        .weighted_centroid_x = NAN,
        .weighted_centroid_y = NAN,
        .sum = NAN,
        .mean = NAN,
        .min = NAN,
        .max = NAN,
        .std = NAN,
      };

      if (region.area == 0)
        continue;
      region.centroid_x = (double) read_64 (row + 8) / region.area + work->origin_x;
      region.centroid_y = (double) read_64 (row + 10) / region.area + work->origin_y;
      region.min_x = (gint32) ~row[2] + work->origin_x;
      region.max_x = (gint32) row[3] + work->origin_x;
      region.min_y = (gint32) ~row[4] + work->origin_y;
      region.max_y = (gint32) row[5] + work->origin_y;
      if (work->values)
        fill_values (&region, work, row);
      g_array_append_val (regions, region);
    }
}

/* Which variant, and how it is built and divided: all before the first launch, for a device waits for none
 * after that. */
static void
plan_kernels (Work *work)
{
  CapraDevice *device = work->context->device;
  const CapraShape *shape = &work->labels->shape;
  gsize stripes = work->context->info->compute_units
                  * (gsize) MAX (capra_tuning_get_int (device, "measure.strips", 8), 1);
  const char *variant = capra_tuning_get_word (device, "measure.variant", "strips");
  GString *options = g_string_new (NULL);

  work->tiles = g_str_equal (variant, "blocks");
  work->group = MIN ((gsize) MAX (64, capra_tuning_get_int (device, "measure.group", 128)),
                     capra_device_get_info (device)->max_group);
  work->lines = (shape->height + stripes - 1) / stripes;
  if (!work->tiles)
    g_string_printf (options, "-DCACHE=%d", CLAMP (capra_tuning_get_int (device, "measure.cache", 64), 1, 256));
  else
    g_string_printf (options, "-DTILES -DGROUP=%zu%s", work->group, shape->width % 4 == 0 ? " -DALIGNED" : "");
  if (capra_tuning_get_int (device, "measure.carry", 0))
    g_string_append (options, " -DCARRY");
  if (work->values)
    g_string_append_printf (options, " -DVALUES -DIN=%s", capra_launch_type (work->type));
  if (work->values && work->type == CAPRA_F32)
    g_string_append (options, " -DREAL");
  else if (work->values)
    g_string_append_printf (options, " -DBIAS=%uu", capra_order_key_bias (work->type));
  work->options = g_string_free (options, FALSE);
}

/* Runs a kernel of the variant "tiles" with a group of @local for each tile. */
static gboolean
run_tiles (CapraLaunch *launch, const CapraShape *shape, gsize local, guint64 bytes, GError **error)
{
  return capra_launch_run_2d (launch, (shape->width + TILE_WIDTH - 1) / TILE_WIDTH * local,
                              (shape->height + TILE_HEIGHT - 1) / TILE_HEIGHT, local, 1, bytes, error);
}

/* Lists the pieces of each tile, and clears @table. */
static CapraArray *
list_pieces (const Work *work, CapraArray *table, GError **error)
{
  const CapraShape *shape = &work->labels->shape;
  gsize tiles = (shape->width + TILE_WIDTH - 1) / TILE_WIDTH * ((shape->height + TILE_HEIGHT - 1) / TILE_HEIGHT);
  g_autoptr (CapraArray) lists = capra_array_new_uninitialized (
    work->context, &CAPRA_SHAPE_2D (TILE_LIST_WORDS, tiles, CAPRA_U32), error);
  CapraLaunch launch;

  if (!lists)
    return NULL;
  capra_launch_begin (&launch, work->context, "measure", work->options, "measure_pieces");
  capra_launch_read (&launch, work->labels);
  capra_launch_write (&launch, lists);
  capra_launch_write (&launch, table);
  capra_launch_uint (&launch, capra_shape_bytes (&table->shape) / 16);
  capra_launch_uint (&launch, shape->width);
  capra_launch_uint (&launch, shape->height);
  if (!run_tiles (&launch, shape, TILE_PATCHES, capra_shape_bytes (shape), error))
    return NULL;
  return g_steal_pointer (&lists);
}

/* One pass over both images (over the pieces of @lists, which stand for the labels) for the @n labels from
 * @first on. */
static gboolean
run_pass (const Work *work, const char *kernel, CapraArray *lists, CapraArray *table, guint32 first, guint32 n,
          GError **error)
{
  const CapraShape *shape = &work->labels->shape;
  guint64 bytes = lists ? 0 : capra_shape_bytes (shape);
  CapraLaunch launch;

  if (work->values)
    bytes += capra_shape_bytes (&work->values->shape);

  capra_launch_begin (&launch, work->context, "measure", work->options, kernel);
  capra_launch_read (&launch, work->labels);
  if (lists)
    capra_launch_read (&launch, lists);
  capra_launch_read (&launch, work->values ? work->values : work->labels);
  capra_launch_write (&launch, table);
  capra_launch_uint (&launch, shape->width);
  capra_launch_uint (&launch, shape->height);
  capra_launch_uint (&launch, first);
  capra_launch_uint (&launch, n);
  if (lists)
    return run_tiles (&launch, shape, work->group, bytes, error);
  capra_launch_uint (&launch, work->lines);
  return capra_launch_run_1d (&launch, (shape->height + work->lines - 1) / work->lines, 1, bytes, error);
}

/* The table of the @n labels from @first on; its first row holds the largest label. @lists is made with the first
 * table of the variant "tiles". */
static CapraArray *
make_table (const Work *work, CapraArray **lists, guint32 first, guint32 n, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (work->row_words, (gsize) n + 1, CAPRA_U32);
  gboolean listing = work->tiles && !*lists;
  g_autoptr (CapraArray) table = listing ? capra_array_new_uninitialized (work->context, &shape, error)
                                         : capra_array_new (work->context->device, &shape, error);

  if (table && listing)
    *lists = list_pieces (work, table, error);
  if (!table || (work->tiles && !*lists) || !run_pass (work, "measure_shapes", *lists, table, first, n, error)
      || (work->values && !run_pass (work, "measure_sums", *lists, table, first, n, error)))
    return NULL;
  return g_steal_pointer (&table);
}

/* Whether a table for all labels up to @last makes sense: there are no more regions than pixels, so beyond,
 * most rows would be empty. */
static gboolean
is_dense (const Work *work, guint32 last)
{
  return last <= MAX (capra_shape_count (&work->labels->shape), 65536);
}

/* To a power of two: the next image, with a few labels more, finds room for its table in the pool. */
static guint64
rounded_up (guint64 n)
{
  return n > 1 ? (guint64) 1 << g_bit_storage (n - 1) : 1;
}

/* The rows of all labels, in as many parts as their table needs. How large labels are (@last) is not known
 * before the first part; if they are not dense, it comes back without rows. */
static gboolean
measure_labels (GArray *regions, const Work *work, guint32 *last, GError **error)
{
  gsize row_bytes = work->row_words * sizeof (guint32);
  guint32 most = MAX_TABLE_BYTES / row_bytes - 1;
  g_autoptr (CapraArray) lists = NULL;
  guint32 n = capra_shape_count (&work->labels->shape) / PIXELS_A_LABEL;

  n = CLAMP (n, LEAST_LABELS, most);
  *last = 1;
  for (guint64 first = 1; first <= *last; first += n, n = MIN (most, rounded_up (*last - first + 1)))
    {
      g_autoptr (CapraArray) table = make_table (work, &lists, first, n, error);
      g_autofree guint32 *rows = NULL;

      if (!table || (first == 1 && !capra_array_download_first (table, last, sizeof *last, error)))
        return FALSE;
      if (!is_dense (work, *last))
        return TRUE;
      n = MIN (n, *last - first + 1);
      rows = g_new (guint32, ((gsize) n + 1) * work->row_words);
      if (n > 0 && !capra_array_download_first (table, rows, (n + 1) * row_bytes, error))
        return FALSE;
      append_rows (regions, work, rows + work->row_words, first, n);
    }
  return TRUE;
}

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

/* The different labels in use, rising, without 0. */
static GArray *
list_labels (const guint32 *labels, gsize count)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *names = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 last = 0;

  for (gsize i = 0; i < count; i++)
    if (labels[i] != last)
      {
        last = labels[i];
        if (last && g_hash_table_add (seen, GUINT_TO_POINTER (last)))
          g_array_append_val (names, last);
      }
  g_array_sort (names, compare_labels);
  return names;
}

/* Labels that are large but few: numbers them anew on the host, then measures that. */
static gboolean
measure_few (GArray *regions, const Work *work, GError **error)
{
  const CapraShape *shape = &work->labels->shape;
  gsize count = capra_shape_count (shape);
  g_autofree guint32 *labels = g_new (guint32, count);
  g_autoptr (CapraArray) numbers = NULL;
  g_autoptr (GArray) names = NULL;
  guint32 last = 0, number = 0;
  Work few = *work;

  if (!capra_array_download (work->labels, labels, error))
    return FALSE;
  names = list_labels (labels, count);
  for (gsize i = 0; i < count; i++)
    {
      if (labels[i] && labels[i] != last)
        {
          guint found = 0;

          last = labels[i];
          g_array_binary_search (names, &last, compare_labels, &found);
          number = found + 1;
        }
      labels[i] = labels[i] ? number : 0;
    }

  numbers = capra_array_new_from_data (work->context->device, shape, labels, error);
  if (!numbers)
    return FALSE;
  few.labels = numbers;
  few.names = (const guint32 *) (gpointer) names->data;
  return measure_labels (regions, &few, &last, error);
}

static gboolean
measure_check (CapraArray *labels, CapraArray *intensities, GError **error)
{
  const CapraShape *shape = &labels->shape, *other = intensities ? &intensities->shape : NULL;

  if (shape->type != CAPRA_U32 || shape->depth != 1 || shape->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 "regions are measured by an image of u32 labels with one channel, such as "
                 "capra_label() gives, not by %s with %u",
                 capra_type_name (shape->type), shape->channels);
  else if (capra_shape_count (shape) >= G_MAXUINT32)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 "an image of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT " pixels has more of them than "
                 "can be counted; measure it in parts",
                 shape->width, shape->height);
  else if (other
           && (other->width != shape->width || other->height != shape->height || other->depth != 1
               || other->channels != 1))
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 "the intensities must be one channel of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT
                 " as the labels are, not %u of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT,
                 shape->width, shape->height, other->channels, other->width, other->height);
  else if (other && intensities->context != labels->context)
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         "labels and intensities lie on different devices; copy one with "
                         "capra_array_copy()");
  else
    return TRUE;
  return FALSE;
}

GArray *
capra_measure (CapraArray *labels, CapraArray *intensities, int origin_x, int origin_y, GError **error)
{
  g_autoptr (GArray) regions = NULL;
  g_auto (Work) work = { NULL };
  guint32 last = 0;

  g_return_val_if_fail (labels != NULL, NULL);

  if (!measure_check (labels, intensities, error))
    return NULL;

  work.context = labels->context;
  work.labels = labels;
  work.values = intensities;
  work.type = intensities ? intensities->shape.type : CAPRA_F32;
  work.row_words = intensities ? ROW_WORDS : ROW_WORDS_WITHOUT;
  work.origin_x = origin_x;
  work.origin_y = origin_y;
  plan_kernels (&work);

  regions = g_array_new (FALSE, TRUE, sizeof (CapraRegion));
  if (!measure_labels (regions, &work, &last, error)
      || (!is_dense (&work, last) && !measure_few (regions, &work, error)))
    return NULL;
  return g_steal_pointer (&regions);
}

CapraTable *
capra_measure_table (const GArray *regions)
{
  static const char *const columns[] = { "label",
                                         "area",
                                         "centroid_x",
                                         "centroid_y",
                                         "weighted_centroid_x",
                                         "weighted_centroid_y",
                                         "min_x",
                                         "min_y",
                                         "max_x",
                                         "max_y",
                                         "sum",
                                         "mean",
                                         "min",
                                         "max",
                                         "std",
                                         NULL };
  CapraTable *table = capra_table_new (columns);

  g_return_val_if_fail (regions != NULL, table);

  for (guint i = 0; i < regions->len; i++)
    {
      const CapraRegion *r = &g_array_index (regions, CapraRegion, i);
      const double values[] = { r->label,
                                (double) r->area,
                                r->centroid_x,
                                r->centroid_y,
                                r->weighted_centroid_x,
                                r->weighted_centroid_y,
                                r->min_x,
                                r->min_y,
                                r->max_x,
                                r->max_y,
                                r->sum,
                                r->mean,
                                r->min,
                                r->max,
                                r->std };

      capra_table_add_row (table, values);
    }
  return table;
}
