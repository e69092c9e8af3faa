/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median, by radix selection (median-radix.clh). */
#include <math.h>
#include <string.h>

#include "algorithms/common/fill.h"
#include "algorithms/common/reduction.h"
#include "algorithms/statistics/median-params.h"
#include "algorithms/statistics/median-private.h"

/* Values of a histogram, at most: its counters have 32 bits. */
#define MAX_HISTOGRAM_VALUES (1u << 31)

/* Bits of a digit that all devices can count. */
#define COMMON_BITS 11

/* The histograms of one device. */
typedef struct {
  CapraArray *words;
  guint64 histograms; /* of which a band uses one or a few */
} Radix;

typedef struct {
  const CapraBandSource *input;
  guint n;
  Radix *parts;
  Radix all;  /* the histograms of all parts together, if there are several */
  guint bits; /* of a digit */
  int known;  /* the bit from which on the keys are known */
} Selection;

static void
selection_clear (Selection *selection)
{
  for (guint i = 0; i < selection->n; i++)
    g_clear_pointer (&selection->parts[i].words, capra_array_unref);
  g_clear_pointer (&selection->all.words, capra_array_unref);
  g_free (selection->parts);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Selection, selection_clear)

/* How a pass over @band is divided; @per_histogram is set to the number of groups that add to one histogram. */
static CapraReduction
radix_divide (CapraArray *band, guint64 *per_histogram)
{
  CapraReduction reduction = capra_reduction_divide (band, "median.variant", MAX_HISTOGRAM_VALUES);

  /* Counters take time to clear and to add up, so use fewer, larger groups. */
  if (!reduction.single && reduction.chunk > 16 * reduction.local)
    capra_reduction_set_chunk (&reduction, MIN (2 * reduction.chunk, MAX_HISTOGRAM_VALUES / 4));
  *per_histogram = MAX_HISTOGRAM_VALUES / (reduction.chunk * reduction.vector);
  return reduction;
}

/* The histogram in which the band that begins with value @first counts: no other bands than those that begin within
 * MAX_HISTOGRAM_VALUES count there. */
static guint64
first_histogram (guint64 first)
{
  return first / MAX_HISTOGRAM_VALUES;
}

static gsize
get_words (const Radix *radix, guint bits)
{
  return RADIX_STATE_WORDS + (2 * radix->histograms << bits);
}

static gboolean
radix_allocate (Radix *radix, CapraDevice *device, guint bits, GError **error)
{
  radix->words = capra_array_new (device, &CAPRA_SHAPE_2D (get_words (radix, bits), 1, CAPRA_U32), error);
  return radix->words != NULL;
}

/* @band: the first one of @part, which is the largest */
static gboolean
allocate_for_part (Selection *selection, guint index, const CapraBandSource *part, CapraArray *band, GError **error)
{
  guint64 per_histogram = 0;
  CapraReduction reduction = radix_divide (band, &per_histogram);
  guint64 last_band = capra_shape_count (&part->shape) - 1;
  Radix *radix = &selection->parts[index];

  /* Two histograms of 4096 bins take slightly more than 32 KiB. */
  if (selection->n == 1)
    selection->bits = reduction.single || band->context->info->local_memory < 36 << 10 ? COMMON_BITS : 12;
  last_band = capra_band_source_count (part) > 1 ? first_histogram (last_band) : 0;
  radix->histograms = last_band + (reduction.groups + per_histogram - 1) / per_histogram;
  return radix_allocate (radix, part->device, selection->bits, error);
}

static guint
get_shift (const Selection *selection)
{
  return (guint) MAX (selection->known - (int) selection->bits, 0);
}

/* Counts the digits that follow the known bits of those keys of a band that agree with the prefix. */
static gboolean
count_band (const Selection *selection, const Radix *radix, CapraArray *band, guint64 histogram, GError **error)
{
  guint64 per_histogram = 0;
  CapraReduction reduction = radix_divide (band, &per_histogram);
  g_autofree char *digits = g_strdup_printf ("-DBITS=%u -DBINS=%uu", selection->bits, 1u << selection->bits);
  g_autofree char *options = capra_reduction_options (band, &reduction, digits);
  guint bits = (guint) (8 * capra_type_size (band->shape.type)), known = (guint) selection->known;
  CapraLaunch launch;

  capra_launch_begin (&launch, band->context, reduction.single ? "median-radix-vector" : "median-radix-group", options,
                      "median_count");
  capra_reduction_arguments (&launch, band, &reduction);
  capra_launch_uint (&launch, get_shift (selection));
  capra_launch_uint (&launch, known < bits ? G_MAXUINT32 << known : 0);
  capra_launch_ulong (&launch, histogram);
  capra_launch_ulong (&launch, per_histogram);
  capra_launch_write (&launch, radix->words);
  return capra_reduction_run (&launch, band, &reduction, error);
}

/* A CapraBandPartFunc. */
static gboolean
count_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  Selection *selection = data;
  Radix *radix = &selection->parts[index];
  gsize row = part->shape.width * part->shape.channels;

  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

      if (!band || (!radix->words && !allocate_for_part (selection, index, part, band, error))
          || !count_band (selection, radix, band, first_histogram (i * part->rows * row), error))
        return FALSE;
    }
  return TRUE;
}

/* Copies the histograms of all parts to one device. */
static gboolean
join_counts (Selection *selection, GError **error)
{
  gsize pair = (gsize) 2 << selection->bits, end = RADIX_STATE_WORDS;
  g_autofree guint32 *words = NULL;

  selection->all.histograms = 0;
  for (guint i = 0; i < selection->n; i++)
    selection->all.histograms += selection->parts[i].histograms;
  words = g_new (guint32, get_words (&selection->all, selection->bits));
  for (guint i = 0; i < selection->n; i++)
    {
      const Radix *radix = &selection->parts[i];
      gsize count = get_words (radix, selection->bits);
      g_autofree guint32 *part = g_new (guint32, count);

      if (!capra_array_download_first (radix->words, part, count * sizeof *part, error))
        return FALSE;
      memcpy (words, part, RADIX_STATE_WORDS * sizeof *part); /* the same in all parts */
      memcpy (words + end, part + RADIX_STATE_WORDS, radix->histograms * pair * sizeof *part);
      end += radix->histograms * pair;
    }
  return (selection->all.words || radix_allocate (&selection->all, selection->input->device, selection->bits, error))
         && capra_array_upload_first (selection->all.words, words, end * sizeof *words, error);
}

/* Gives all parts the prefix that was found, and histograms without counts. */
static gboolean
share_prefix (const Selection *selection, GError **error)
{
  guint32 state[RADIX_STATE_WORDS];

  if (!capra_array_download_first (selection->all.words, state, sizeof state, error))
    return FALSE;
  for (guint i = 0; i < selection->n; i++)
    if (!capra_array_fill (selection->parts[i].words, 0, error)
        || !capra_array_upload_first (selection->parts[i].words, state, sizeof state, error))
      return FALSE;
  return TRUE;
}

/* Finds the digits of the middle ranks in the histograms, and clears them. */
static gboolean
select_digit (const Selection *selection, const Radix *radix, GError **error)
{
  g_autofree char *digits = g_strdup_printf ("-DBITS=%u -DBINS=%uu", selection->bits, 1u << selection->bits);
  int bits = 8 * (int) capra_type_size (selection->input->shape.type);
  CapraLaunch launch;

  capra_launch_begin (&launch, radix->words->context, "median-radix-select", digits, "median_select");
  capra_launch_write (&launch, radix->words);
  capra_launch_ulong (&launch, radix->histograms);
  capra_launch_uint (&launch, get_shift (selection));
  capra_launch_int (&launch, selection->known == bits);
  return capra_launch_run_1d (&launch, SELECT_ITEMS, SELECT_ITEMS, capra_shape_bytes (&radix->words->shape), error);
}

/* One pass: the digit that follows the known bits. */
static gboolean
radix_pass (Selection *selection, GError **error)
{
  gboolean several = selection->n > 1;

  if (!capra_band_source_run (selection->input, count_part, selection, error)
      || (several && !join_counts (selection, error))
      || !select_digit (selection, several ? &selection->all : selection->parts, error)
      || (several && !share_prefix (selection, error)))
    return FALSE;
  selection->known = (int) get_shift (selection);
  return TRUE;
}

gboolean
capra_median_radix (const CapraBandSource *input, guint64 *count, double *value, GError **error)
{
  guint n = capra_band_source_get_n_parts (input);
  g_auto (Selection) selection = { input, n, g_new0 (Radix, n), .bits = COMMON_BITS };
  radix_state_t state;

  selection.known = 8 * (int) capra_type_size (input->shape.type);
  while (selection.known > 0)
    if (!radix_pass (&selection, error))
      return FALSE;
  if (!capra_array_download_first (selection.parts->words, &state, sizeof state, error))
    return FALSE;

  *count = state.count;
  *value = NAN;
  if (state.count > 0)
    *value = capra_median_of_keys (input->shape.type,
                                   (guint32[]){ (guint32) state.prefixes[0], (guint32) state.prefixes[1] });
  return TRUE;
}
