/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median, by radix selection (median-radix.clh). */
#include <math.h>

#include "algorithms/common/fill.h"
#include "algorithms/common/reduction.h"
#include "algorithms/statistics/median-params.h"
#include "algorithms/statistics/median-private.h"

/* Values of a histogram, at most: its counters have 32 bits. */
#define MAX_HISTOGRAM_VALUES (1u << 31)

typedef struct {
  const CapraBandSource *input;
  CapraArray *words;
  guint bits;         /* of a digit */
  guint64 histograms; /* of which a band uses one or a few */
} Radix;

static void
radix_clear (Radix *radix)
{
  g_clear_pointer (&radix->words, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Radix, radix_clear)

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

/* @band: the first one, which is the largest */
static gboolean
radix_allocate (Radix *radix, CapraArray *band, GError **error)
{
  guint64 per_histogram = 0;
  CapraReduction reduction = radix_divide (band, &per_histogram);
  guint64 last_band = capra_shape_count (&radix->input->shape) - 1;

  /* Two histograms of 4096 bins take slightly more than 32 KiB. */
  radix->bits = reduction.single || band->context->info->local_memory < 36 << 10 ? 11 : 12;
  last_band = capra_band_source_count (radix->input) > 1 ? first_histogram (last_band) : 0;
  radix->histograms = last_band + (reduction.groups + per_histogram - 1) / per_histogram;
  radix->words = capra_array_new (
    radix->input->device, &CAPRA_SHAPE_2D (RADIX_STATE_WORDS + (2 * radix->histograms << radix->bits), 1, CAPRA_U32),
    error);
  return radix->words != NULL;
}

/* Counts the digits from bit @shift on of those keys of a band that agree with the prefix in @mask. */
static gboolean
count_band (const Radix *radix, CapraArray *band, guint64 histogram, guint shift, guint32 mask, GError **error)
{
  guint64 per_histogram = 0;
  CapraReduction reduction = radix_divide (band, &per_histogram);
  g_autofree char *digits = g_strdup_printf ("-DBITS=%u -DBINS=%uu", radix->bits, 1u << radix->bits);
  g_autofree char *options = capra_reduction_options (band, &reduction, digits);
  CapraLaunch launch;

  capra_launch_begin (&launch, band->context, reduction.single ? "median-radix-vector" : "median-radix-group", options,
                      "median_count");
  capra_reduction_arguments (&launch, band, &reduction);
  capra_launch_uint (&launch, shift);
  capra_launch_uint (&launch, mask);
  capra_launch_ulong (&launch, histogram);
  capra_launch_ulong (&launch, per_histogram);
  capra_launch_write (&launch, radix->words);
  return capra_reduction_run (&launch, band, &reduction, error);
}

/* Finds the digits of the middle ranks in the histograms, and clears them. */
static gboolean
select_digit (const Radix *radix, gboolean first, guint shift, GError **error)
{
  g_autofree char *digits = g_strdup_printf ("-DBITS=%u -DBINS=%uu", radix->bits, 1u << radix->bits);
  CapraLaunch launch;

  capra_launch_begin (&launch, radix->words->context, "median-radix-select", digits, "median_select");
  capra_launch_write (&launch, radix->words);
  capra_launch_ulong (&launch, radix->histograms);
  capra_launch_uint (&launch, shift);
  capra_launch_int (&launch, first);
  return capra_launch_run_1d (&launch, SELECT_ITEMS, SELECT_ITEMS, capra_shape_bytes (&radix->words->shape), error);
}

/* One pass: the digit that follows the bits from @shift on, which is moved to the end of that digit. */
static gboolean
radix_pass (Radix *radix, int *shift, GError **error)
{
  int bits = 8 * (int) capra_type_size (radix->input->shape.type), last = *shift;
  guint32 mask = last < bits ? G_MAXUINT32 << last : 0;
  gsize row = radix->input->shape.width * radix->input->shape.channels;

  for (gsize i = 0; i < capra_band_source_count (radix->input); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (radix->input, i, error);

      if (!band || (!radix->words && !radix_allocate (radix, band, error)))
        return FALSE;
      *shift = MAX (last - (int) radix->bits, 0);
      if (!count_band (radix, band, first_histogram (i * radix->input->rows * row), (guint) *shift, mask, error))
        return FALSE;
    }
  return select_digit (radix, last == bits, (guint) *shift, error);
}

gboolean
capra_median_radix (const CapraBandSource *input, guint64 *count, double *value, GError **error)
{
  g_auto (Radix) radix = { input };
  int shift = 8 * (int) capra_type_size (input->shape.type);
  radix_state_t state;

  while (shift > 0)
    if (!radix_pass (&radix, &shift, error))
      return FALSE;
  if (!capra_array_download_first (radix.words, &state, sizeof state, error))
    return FALSE;

  *count = state.count;
  *value = NAN;
  if (state.count > 0)
    *value = capra_median_of_keys (input->shape.type,
                                   (guint32[]){ (guint32) state.prefixes[0], (guint32) state.prefixes[1] });
  return TRUE;
}
