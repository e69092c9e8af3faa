/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: sums over labeled regions, in whole numbers on the device. */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/common/order-key.h"
#include "algorithms/measure/measure-params.h"
#include "algorithms/measure/measure-private.h"
#include "runtime/device/tuning.h"
#include "algorithms/common/fill.h"
#include "runtime/memory/array-transfer.h"
#include "runtime/memory/memory.h"

/* The table is computed in parts of at most this size. */
#define MAX_TABLE_BYTES (256u << 20)
/* The first part holds a label for this many pixels, but at least MIN_LABELS: few images have more. */
#define PIXELS_PER_LABEL 512
#define MIN_LABELS 1024
/* Rows that are downloaded together with the largest label. */
#define FIRST_ROWS 512
/* Tables of up to this many rows are computed even if most of the rows are empty. */
#define MAX_SPARSE_LABELS 65536
/* The part of the memory budget for the table of an image that is read in bands. */
#define TABLE_PART 4

/* The first is the default. */
static const CapraMeasureVariant *const variants[] = { &capra_measure_strips, &capra_measure_blocks };

/* Releases the band that is loaded. */
static void
unload_band (CapraMeasurement *measurement)
{
  g_clear_pointer (&measurement->labels, capra_array_unref);
  g_clear_pointer (&measurement->values, capra_array_unref);
  g_clear_pointer (&measurement->lists, capra_array_unref);
}

static void
measurement_clear (CapraMeasurement *measurement)
{
  unload_band (measurement);
  g_free (measurement->options);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraMeasurement, measurement_clear)

static const CapraMeasureVariant *
find_variant (CapraDevice *device)
{
  const char *name = capra_tuning_get_word (device, "measure.variant", variants[0]->name);

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    if (g_str_equal (name, variants[i]->name))
      return variants[i];
  return variants[0];
}

/* Chooses the variant and its macros. That is done before the first launch, so that the host does not delay later
 * ones. */
static void
choose_variant (CapraMeasurement *measurement)
{
  CapraDevice *device = measurement->context->device;
  GString *options = g_string_new (NULL);

  measurement->variant = find_variant (device);
  measurement->variant->configure (measurement, options);
  if (capra_tuning_get_int (device, "measure.carry", 0))
    g_string_append (options, " -DCARRY");
  if (measurement->value_bands)
    g_string_append_printf (options, " -DVALUES -DIN=%s", capra_launch_type (measurement->type));
  if (measurement->value_bands && measurement->type == CAPRA_F32)
    g_string_append (options, " -DREAL");
  else if (measurement->value_bands)
    g_string_append_printf (options, " -DBIAS=%uu", capra_order_key_bias (measurement->type));
  measurement->options = g_string_free (options, FALSE);
}

static gboolean
load_band (CapraMeasurement *measurement, gsize i, GError **error)
{
  if (measurement->labels && measurement->band == i)
    return TRUE;
  unload_band (measurement);
  measurement->band = i;
  measurement->labels = capra_band_source_read (measurement->label_bands, i, error);
  if (measurement->labels && measurement->value_bands)
    measurement->values = capra_band_source_read (measurement->value_bands, i, error);
  return measurement->labels && (measurement->values || !measurement->value_bands);
}

/* One pass over both images of the band that is loaded, for the @n labels from @first on. */
static gboolean
run_pass (const CapraMeasurement *measurement, const char *kernel, CapraArray *table, guint32 first, guint32 n,
          GError **error)
{
  const CapraShape *shape = &measurement->labels->shape;
  CapraLaunch launch;

  capra_launch_begin (&launch, measurement->context, measurement->variant->program, measurement->options, kernel);
  capra_launch_read (&launch, measurement->labels);
  capra_launch_read (&launch, measurement->values ? measurement->values : measurement->labels);
  capra_launch_write (&launch, table);
  capra_launch_uint (&launch, shape->width);
  capra_launch_uint (&launch, shape->height);
  capra_launch_uint (&launch, measurement->band * measurement->label_bands->rows);
  capra_launch_uint (&launch, first);
  capra_launch_uint (&launch, n);
  return measurement->variant->run_pass (measurement, &launch, error);
}

/* The table of the @n labels from @first on; its first row holds the largest label. A single band stays loaded, with
 * its lists, for the next table. */
static CapraArray *
make_table (CapraMeasurement *measurement, guint32 first, guint32 n, GError **error)
{
  static const char *const kernels[] = { "measure_shapes", "measure_sums" };
  CapraShape shape = CAPRA_SHAPE_2D (measurement->row_words, (gsize) n + 1, CAPRA_U32);
  gsize bands = capra_band_source_count (measurement->label_bands);
  gboolean clear = measurement->variant->list && (bands > 1 || !measurement->lists);
  g_autoptr (CapraArray) table = clear ? capra_array_new_uninitialized (measurement->context, &shape, error)
                                       : capra_array_new (measurement->context->device, &shape, error);

  if (!table)
    return NULL;
  for (guint pass = 0; pass < (measurement->value_bands ? 2 : 1); pass++)
    for (gsize i = 0; i < bands; i++)
      {
        if (!load_band (measurement, i, error))
          return NULL;
        if (measurement->variant->list && !measurement->lists)
          {
            measurement->lists = measurement->variant->list (measurement, clear ? table : NULL, error);
            if (!measurement->lists)
              return NULL;
          }
        clear = FALSE;
        if (!run_pass (measurement, kernels[pass], table, first, n, error))
          return NULL;
      }
  return g_steal_pointer (&table);
}

/* Whether a table of all labels up to @last has few empty rows. There are no more regions than pixels. */
static gboolean
is_dense (const CapraMeasurement *measurement, guint32 last)
{
  return last <= MAX (capra_shape_count (&measurement->label_bands->shape), MAX_SPARSE_LABELS);
}

/* To a power of two, so that the pool has memory for the table of the next image, which has slightly more labels. */
static guint64
rounded_up (guint64 n)
{
  return n > 1 ? (guint64) 1 << g_bit_storage (n - 1) : 1;
}

/* Rows of a table, at most. If the image does not fit into the memory, a part of that is for the table. */
static guint32
get_max_labels (const CapraMeasurement *measurement)
{
  gsize row_bytes = measurement->row_words * sizeof (guint32);
  guint64 bytes = MAX_TABLE_BYTES;
  CapraMemory memory;

  if (capra_band_source_count (measurement->label_bands) > 1)
    {
      capra_memory_query (measurement->context->device, &memory);
      bytes = MIN (bytes, MAX (memory.budget / TABLE_PART, MIN_LABELS * row_bytes));
    }
  return (guint32) (bytes / row_bytes) - 1;
}

/* Appends the rows of all labels, in as many parts as their table needs. The largest label, @last, is only known after
 * the first part. If labels are not dense, no rows are appended. */
static gboolean
measure_labels (GArray *regions, CapraMeasurement *measurement, guint32 *last, GError **error)
{
  gsize row_bytes = measurement->row_words * sizeof (guint32);
  guint32 max_labels = get_max_labels (measurement);
  guint32 n = capra_shape_count (&measurement->label_bands->shape) / PIXELS_PER_LABEL;

  n = MIN (MAX (n, MIN_LABELS), max_labels);
  *last = 1;
  for (guint64 first = 1; first <= *last; first += n, n = MIN (max_labels, rounded_up (*last - first + 1)))
    {
      g_autoptr (CapraArray) table = make_table (measurement, first, n, error);
      g_autofree guint32 *rows = g_new (guint32, ((gsize) n + 1) * measurement->row_words);
      guint32 read = first == 1 ? MIN (n, FIRST_ROWS) : n;

      if (!table || !capra_array_download_first (table, rows, (read + 1) * row_bytes, error))
        return FALSE;
      if (first == 1)
        *last = rows[0];
      if (!is_dense (measurement, *last))
        return TRUE;
      n = MIN (n, *last - first + 1);
      if (n > read && !capra_array_download_first (table, rows, (n + 1) * row_bytes, error))
        return FALSE;
      capra_measure_append_rows (regions, measurement, rows + measurement->row_words, first, n);
    }
  return TRUE;
}

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  guint32 first = *(const guint32 *) a, second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

/* Labels of a band on the host. Free with g_free(). */
static guint32 *
download_labels (CapraArray *band, GError **error)
{
  g_autofree guint32 *labels = g_malloc (capra_shape_bytes (&band->shape));

  return capra_array_download (band, labels, error) ? g_steal_pointer (&labels) : NULL;
}

/* The distinct labels in rising order, without 0. */
static GArray *
list_labels (const CapraBandSource *input, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (gsize i = 0; i < capra_band_source_count (input); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (input, i, error);
      g_autofree guint32 *labels = band ? download_labels (band, error) : NULL;
      guint32 last = 0;

      if (!labels)
        return NULL;
      for (gsize k = 0; k < capra_shape_count (&band->shape); k++)
        if (labels[k] != last)
          {
            last = labels[k];
            if (last && g_hash_table_add (seen, GUINT_TO_POINTER (last)))
              g_array_append_val (names, last);
          }
    }
  g_array_sort (names, compare_labels);
  return g_steal_pointer (&names);
}

/* Labels that are replaced by their positions, from 1 on, in a list. */
typedef struct {
  const CapraBandSource *input;
  GArray *names;
} Renumbering;

/* A CapraBandFunc. */
static CapraArray *
read_renumbered (gsize first, gsize rows, gpointer data, GError **error)
{
  const Renumbering *renumbering = data;
  g_autoptr (CapraArray) band = capra_band_source_read (renumbering->input, first / renumbering->input->rows, error);
  g_autofree guint32 *labels = band ? download_labels (band, error) : NULL;
  guint32 last = 0, number = 0;

  if (!labels)
    return NULL;
  for (gsize i = 0; i < capra_shape_count (&band->shape); i++)
    {
      if (labels[i] && labels[i] != last)
        {
          guint found = 0;

          last = labels[i];
          g_array_binary_search (renumbering->names, &last, compare_labels, &found);
          number = found + 1;
        }
      labels[i] = labels[i] ? number : 0;
    }
  return capra_array_new_from_data (renumbering->input->device, &band->shape, labels, error);
}

/* For labels that are large but few: renumbers them on the host, then measures the result. */
static gboolean
measure_sparse (GArray *regions, CapraMeasurement *measurement, GError **error)
{
  g_autoptr (GArray) names = list_labels (measurement->label_bands, error);
  Renumbering renumbering = { measurement->label_bands, names };
  CapraBandSource renumbered = *measurement->label_bands;
  guint32 last = 0;

  if (!names)
    return FALSE;
  renumbered.read = read_renumbered;
  renumbered.data = &renumbering;
  unload_band (measurement);
  measurement->label_bands = &renumbered;
  measurement->original_labels = (const guint32 *) (gpointer) names->data;
  return measure_labels (regions, measurement, &last, error);
}

static gboolean
check_labels (const CapraShape *shape, GError **error)
{
  if (shape->type != CAPRA_U32 || shape->depth != 1 || shape->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("labels must be a u32 image with one channel, as capra_label() returns it, not %s with %u"),
                 capra_type_name (shape->type), shape->channels);
  else if (capra_shape_count (shape) >= G_MAXUINT32)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("an image of %zu x %zu"
                    " pixels is too large to measure: the limit is 4294967294 pixels; measure it in parts"),
                 shape->width, shape->height);
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_intensities (const CapraBandSource *labels, const CapraBandSource *intensities, GError **error)
{
  const CapraShape *shape = &labels->shape, *other = &intensities->shape;

  if (other->width != shape->width || other->height != shape->height || other->depth != 1 || other->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("the intensities must have one channel and the size of the labels, %zu"
                    " x %zu, not %u channels of %zu x %zu"),
                 shape->width, shape->height, other->channels, other->width, other->height);
  else if (intensities->device != labels->device)
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("labels and intensities are on different devices: copy one of them with "
                            "capra_array_copy()"));
  else
    return TRUE;
  return FALSE;
}

GArray *
capra_measure (CapraArray *labels, CapraArray *intensities, int origin_x, int origin_y, GError **error)
{
  CapraBandSource label_bands, value_bands;

  g_return_val_if_fail (labels != NULL, NULL);

  label_bands = capra_band_source_from_array (labels);
  if (intensities)
    value_bands = capra_band_source_from_array (intensities);
  return capra_measure_bands (&label_bands, intensities ? &value_bands : NULL, origin_x, origin_y, error);
}

GArray *
capra_measure_bands (const CapraBandSource *labels, const CapraBandSource *intensities, int origin_x, int origin_y,
                     GError **error)
{
  g_autoptr (GArray) regions = NULL;
  g_auto (CapraMeasurement) measurement = { NULL };
  guint32 last = 0;

  g_return_val_if_fail (labels != NULL, NULL);

  if (!check_labels (&labels->shape, error) || (intensities && !check_intensities (labels, intensities, error)))
    return NULL;

  measurement.context = capra_context_get (labels->device, error);
  if (!measurement.context)
    return NULL;
  measurement.label_bands = labels;
  measurement.value_bands = intensities;
  measurement.type = intensities ? intensities->shape.type : CAPRA_F32;
  measurement.row_words = intensities ? ROW_WORDS : ROW_SHAPE_WORDS;
  measurement.origin_x = origin_x;
  measurement.origin_y = origin_y;
  choose_variant (&measurement);

  regions = g_array_new (FALSE, TRUE, sizeof (CapraRegion));
  if (!measure_labels (regions, &measurement, &last, error)
      || (!is_dense (&measurement, last) && !measure_sparse (regions, &measurement, error)))
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
