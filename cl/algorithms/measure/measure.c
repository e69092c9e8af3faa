/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measure: sums over labeled regions, in whole numbers on the device. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

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

/* The rows of one device. */
typedef struct {
  CapraMeasurement measurement;
  CapraBandSource labels, values;
  guint32 *rows; /* of its table, on the host, if there are several parts */
} Part;

/* One call of capra_measure_bands(). */
typedef struct {
  const CapraBandSource *labels, *values; /* (nullable): values */
  guint n;
  Part *parts;
  guint row_words;
  guint32 *joined; /* the shapes of all parts, if there are several */
  /* The present table, and pass. */
  guint32 first, n_labels;
  guint pass;
} Measuring;

static void
measuring_clear (Measuring *measuring)
{
  for (guint i = 0; i < measuring->n; i++)
    {
      Part *part = &measuring->parts[i];

      unload_band (&part->measurement);
      g_clear_pointer (&part->measurement.table, capra_array_unref);
      g_free (part->measurement.options);
      g_free (part->rows);
    }
  g_free (measuring->parts);
  g_free (measuring->joined);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Measuring, measuring_clear)

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

/* The present pass over both images of the band that is loaded. */
static gboolean
run_pass (const Measuring *measuring, const CapraMeasurement *measurement, GError **error)
{
  static const char *const kernels[] = { "measure_shapes", "measure_sums" };
  const CapraShape *shape = &measurement->labels->shape;
  CapraLaunch launch;

  capra_launch_begin (&launch, measurement->context, measurement->variant->program, measurement->options,
                      kernels[measuring->pass]);
  capra_launch_read (&launch, measurement->labels);
  capra_launch_read (&launch, measurement->values ? measurement->values : measurement->labels);
  capra_launch_write (&launch, measurement->table);
  capra_launch_uint (&launch, shape->width);
  capra_launch_uint (&launch, shape->height);
  capra_launch_uint (&launch, measurement->top + measurement->band * measurement->label_bands->rows);
  capra_launch_uint (&launch, measuring->first);
  capra_launch_uint (&launch, measuring->n_labels);
  return measurement->variant->run_pass (measurement, &launch, error);
}

/* The table of the present labels, which is cleared by the first launch if @clear. */
static gboolean
allocate_table (const Measuring *measuring, CapraMeasurement *measurement, gboolean clear, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (measurement->row_words, (gsize) measuring->n_labels + 1, CAPRA_U32);

  g_clear_pointer (&measurement->table, capra_array_unref);
  measurement->table = clear ? capra_array_new_uninitialized (measurement->context, &shape, error)
                             : capra_array_new (measurement->context->device, &shape, error);
  return measurement->table != NULL;
}

/* The present pass over the rows of one device. A single band stays loaded, with its lists, for the next pass. */
static gboolean
measure_bands (const Measuring *measuring, CapraMeasurement *measurement, GError **error)
{
  gsize bands = capra_band_source_count (measurement->label_bands);
  gboolean clear = measuring->pass == 0 && measurement->variant->list && (bands > 1 || !measurement->lists);

  if (measuring->pass == 0 && !allocate_table (measuring, measurement, clear, error))
    return FALSE;
  for (gsize i = 0; i < bands; i++)
    {
      if (!load_band (measurement, i, error))
        return FALSE;
      if (measurement->variant->list && !measurement->lists)
        {
          measurement->lists = measurement->variant->list (measurement, clear ? measurement->table : NULL, error);
          if (!measurement->lists)
            return FALSE;
        }
      clear = FALSE;
      if (!run_pass (measuring, measurement, error))
        return FALSE;
    }
  return TRUE;
}

static gsize
table_bytes (const Measuring *measuring)
{
  return ((gsize) measuring->n_labels + 1) * measuring->row_words * sizeof (guint32);
}

/* A CapraBandPartFunc. Parts exchange their tables through the host. */
static gboolean
measure_part (const CapraBandSource *source, guint index, gpointer data, GError **error)
{
  const Measuring *measuring = data;
  Part *part = &measuring->parts[index];
  gsize bytes = table_bytes (measuring);

  if (measuring->n == 1)
    return measure_bands (measuring, &part->measurement, error);
  if (measuring->pass > 0 && !capra_array_upload_first (part->measurement.table, measuring->joined, bytes, error))
    return FALSE;
  if (!measure_bands (measuring, &part->measurement, error))
    return FALSE;
  g_free (part->rows);
  part->rows = g_malloc (bytes);
  return capra_array_download_first (part->measurement.table, part->rows, bytes, error);
}

/* Makes the table of the present labels, whose first row holds the largest label. If there are several parts, it is
 * that of the first one on the host. */
static gboolean
make_table (Measuring *measuring, GError **error)
{
  for (measuring->pass = 0; measuring->pass < (measuring->values ? 2 : 1); measuring->pass++)
    {
      if (measuring->pass > 0 && measuring->n > 1)
        {
          g_free (measuring->joined);
          measuring->joined = g_steal_pointer (&measuring->parts[0].rows);
        }
      if (!capra_band_source_run (measuring->labels, measure_part, measuring, error))
        return FALSE;
      for (guint i = 1; i < measuring->n; i++)
        capra_measure_join_tables (measuring->parts[0].rows, measuring->parts[i].rows, (gsize) measuring->n_labels + 1,
                                   measuring->row_words, measuring->pass > 0);
    }
  return TRUE;
}

/* Sets @rows to the first @n rows of the table. */
static gboolean
read_table (const Measuring *measuring, guint32 *rows, gsize n, GError **error)
{
  gsize bytes = n * measuring->row_words * sizeof *rows;

  if (measuring->n == 1)
    return capra_array_download_first (measuring->parts[0].measurement.table, rows, bytes, error);
  memcpy (rows, measuring->parts[0].rows, bytes);
  return TRUE;
}

/* Whether a table of all labels up to @last has few empty rows. There are no more regions than pixels. */
static gboolean
is_dense (const Measuring *measuring, guint32 last)
{
  return last <= MAX (capra_shape_count (&measuring->labels->shape), MAX_SPARSE_LABELS);
}

/* To a power of two, so that the pool has memory for the table of the next image, which has slightly more labels. */
static guint64
rounded_up (guint64 n)
{
  return n > 1 ? (guint64) 1 << g_bit_storage (n - 1) : 1;
}

/* Rows of a table, at most. If the image does not fit into the memory, a part of that is for the table. */
static guint32
get_max_labels (const Measuring *measuring)
{
  gsize row_bytes = measuring->row_words * sizeof (guint32);
  guint64 bytes = MAX_TABLE_BYTES;

  for (guint i = 0; i < measuring->n; i++)
    if (capra_band_source_count (&measuring->parts[i].labels) > 1)
      {
        CapraMemory memory;

        capra_memory_query (measuring->parts[i].labels.device, &memory);
        bytes = MIN (bytes, MAX (memory.budget / TABLE_PART, MIN_LABELS * row_bytes));
      }
  return (guint32) (bytes / row_bytes) - 1;
}

/* Appends the rows of all labels, in as many parts as their table needs. The largest label, @last, is only known after
 * the first part. If labels are not dense, no rows are appended. */
static gboolean
measure_labels (GArray *regions, Measuring *measuring, guint32 *last, GError **error)
{
  guint32 max_labels = get_max_labels (measuring);
  guint32 n = capra_shape_count (&measuring->labels->shape) / PIXELS_PER_LABEL;

  n = MIN (MAX (n, MIN_LABELS), max_labels);
  *last = 1;
  for (guint64 first = 1; first <= *last; first += n, n = MIN (max_labels, rounded_up (*last - first + 1)))
    {
      g_autofree guint32 *rows = g_new (guint32, ((gsize) n + 1) * measuring->row_words);
      guint32 read = first == 1 ? MIN (n, FIRST_ROWS) : n;

      measuring->first = (guint32) first;
      measuring->n_labels = n;
      if (!make_table (measuring, error) || !read_table (measuring, rows, (gsize) read + 1, error))
        return FALSE;
      if (first == 1)
        *last = rows[0];
      if (!is_dense (measuring, *last))
        return TRUE;
      n = MIN (n, *last - first + 1);
      if (n > read && !read_table (measuring, rows, (gsize) n + 1, error))
        return FALSE;
      capra_measure_append_rows (regions, &measuring->parts[0].measurement, rows + measuring->row_words, first, n);
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

/* Adds the labels of @band, without 0, to @names, each once. */
static gboolean
list_band (GArray *names, GHashTable *seen, CapraArray *band, GError **error)
{
  g_autofree guint32 *labels = download_labels (band, error);
  guint32 last = 0;

  if (!labels)
    return FALSE;
  for (gsize k = 0; k < capra_shape_count (&band->shape); k++)
    if (labels[k] != last)
      {
        last = labels[k];
        if (last && g_hash_table_add (seen, GUINT_TO_POINTER (last)))
          g_array_append_val (names, last);
      }
  return TRUE;
}

/* The distinct labels in rising order. */
static GArray *
list_labels (const Measuring *measuring, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint k = 0; k < measuring->n; k++)
    for (gsize i = 0; i < capra_band_source_count (&measuring->parts[k].labels); i++)
      {
        g_autoptr (CapraArray) band = capra_band_source_read (&measuring->parts[k].labels, i, error);

        if (!band || !list_band (names, seen, band, error))
          return NULL;
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
read_renumbered (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  const Renumbering *renumbering = data;
  g_autoptr (CapraArray) band = renumbering->input->read (device, first, rows, renumbering->input->data, error);
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
  return capra_array_new_from_data (device, &band->shape, labels, error);
}

/* For labels that are large but few: renumbers them on the host, then measures the result. */
static gboolean
measure_sparse (GArray *regions, Measuring *measuring, GError **error)
{
  g_autoptr (GArray) names = list_labels (measuring, error);
  Renumbering renumbering = { measuring->labels, names };
  guint32 last = 0;

  if (!names)
    return FALSE;
  for (guint i = 0; i < measuring->n; i++)
    {
      Part *part = &measuring->parts[i];

      unload_band (&part->measurement);
      part->labels.read = read_renumbered;
      part->labels.data = &renumbering;
      part->measurement.original_labels = (const guint32 *) (gpointer) names->data;
    }
  return measure_labels (regions, measuring, &last, error);
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

/* What the device of part @index needs. */
static gboolean
prepare_part (Measuring *measuring, guint index, int origin_x, int origin_y, GError **error)
{
  Part *part = &measuring->parts[index];
  CapraMeasurement *measurement = &part->measurement;

  part->labels = capra_band_source_get_part (measuring->labels, index);
  measurement->context = capra_context_get (part->labels.device, error);
  if (!measurement->context)
    return FALSE;
  measurement->label_bands = &part->labels;
  measurement->top = part->labels.first - measuring->labels->first;
  measurement->type = CAPRA_F32;
  if (measuring->values)
    {
      part->values = capra_band_source_get_part (measuring->values, index);
      measurement->value_bands = &part->values;
      measurement->type = measuring->values->shape.type;
    }
  measurement->row_words = measuring->row_words;
  measurement->origin_x = origin_x;
  measurement->origin_y = origin_y;
  choose_variant (measurement);
  return TRUE;
}

GArray *
capra_measure_bands (const CapraBandSource *labels, const CapraBandSource *intensities, int origin_x, int origin_y,
                     GError **error)
{
  g_autoptr (GArray) regions = NULL;
  g_auto (Measuring) measuring = { labels, intensities };
  guint32 last = 0;

  g_return_val_if_fail (labels != NULL, NULL);

  if (!check_labels (&labels->shape, error) || (intensities && !check_intensities (labels, intensities, error)))
    return NULL;

  measuring.n = capra_band_source_get_n_parts (labels);
  measuring.parts = g_new0 (Part, measuring.n);
  measuring.row_words = intensities ? ROW_WORDS : ROW_SHAPE_WORDS;
  for (guint i = 0; i < measuring.n; i++)
    if (!prepare_part (&measuring, i, origin_x, origin_y, error))
      return NULL;

  regions = g_array_new (FALSE, TRUE, sizeof (CapraRegion));
  if (!measure_labels (regions, &measuring, &last, error)
      || (!is_dense (&measuring, last) && !measure_sparse (regions, &measuring, error)))
    return NULL;
  return g_steal_pointer (&regions);
}
