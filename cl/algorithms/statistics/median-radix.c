/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median, by radix selection (median-radix.clh). */
#include <math.h>

#include "algorithms/common/reduction.h"
#include "algorithms/statistics/median-params.h"
#include "algorithms/statistics/median-private.h"
#include "algorithms/common/fill.h"

typedef struct {
  CapraArray *input, *words;
  CapraReduction reduction;
  guint bits; /* of a digit */
  guint64 groups_per_histogram, histograms;
} Radix;

static void
radix_clear (Radix *radix)
{
  g_clear_pointer (&radix->words, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Radix, radix_clear)

static gboolean
radix_allocate (Radix *radix, CapraArray *input, GError **error)
{
  CapraContext *context = input->context;

  radix->input = input;
  radix->reduction = capra_reduction_divide (input, "median.variant", 1u << 31);
  /* Counters take time to clear and to add up, so use fewer, larger groups. */
  if (!radix->reduction.single && radix->reduction.chunk > 16 * radix->reduction.local)
    capra_reduction_set_chunk (&radix->reduction, MIN (2 * radix->reduction.chunk, 1u << 29));
  /* Two histograms of 4096 bins take slightly more than 32 KiB. */
  radix->bits = radix->reduction.single || context->info->local_memory < 36 << 10 ? 11 : 12;
  radix->groups_per_histogram = (1u << 31) / (radix->reduction.chunk * radix->reduction.vector);
  radix->histograms = (radix->reduction.groups + radix->groups_per_histogram - 1) / radix->groups_per_histogram;
  radix->words = capra_array_new (
    context->device, &CAPRA_SHAPE_2D (RADIX_STATE_WORDS + (2 * radix->histograms << radix->bits), 1, CAPRA_U32), error);
  return radix->words != NULL;
}

/* One pass: the digit from bit @shift on, among keys that agree with the prefix in @mask. */
static gboolean
radix_pass (const Radix *radix, guint pass, guint shift, guint32 mask, GError **error)
{
  g_autofree char *digits = g_strdup_printf ("-DBITS=%u -DBINS=%uu", radix->bits, 1u << radix->bits);
  g_autofree char *options = capra_reduction_options (radix->input, &radix->reduction, digits);
  CapraLaunch launch;

  capra_launch_begin (&launch, radix->input->context,
                      radix->reduction.single ? "median-radix-vector" : "median-radix-group", options, "median_count");
  capra_reduction_arguments (&launch, radix->input, &radix->reduction);
  capra_launch_uint (&launch, shift);
  capra_launch_uint (&launch, mask);
  capra_launch_ulong (&launch, radix->groups_per_histogram);
  capra_launch_write (&launch, radix->words);
  if (!capra_reduction_run (&launch, radix->input, &radix->reduction, error))
    return FALSE;

  capra_launch_begin (&launch, radix->input->context, "median-radix-select", digits, "median_select");
  capra_launch_write (&launch, radix->words);
  capra_launch_ulong (&launch, radix->histograms);
  capra_launch_uint (&launch, shift);
  capra_launch_int (&launch, pass == 0);
  return capra_launch_run_1d (&launch, SELECT_ITEMS, SELECT_ITEMS, capra_shape_bytes (&radix->words->shape), error);
}

gboolean
capra_median_radix (CapraArray *input, guint64 *count, double *value, GError **error)
{
  g_auto (Radix) radix = { NULL };
  int shift = 8 * (int) capra_type_size (input->shape.type);
  radix_state_t state;
  guint32 mask = 0;

  if (!radix_allocate (&radix, input, error))
    return FALSE;
  for (guint pass = 0; shift > 0; pass++)
    {
      shift = MAX (shift - (int) radix.bits, 0);
      if (!radix_pass (&radix, pass, (guint) shift, mask, error))
        return FALSE;
      mask = G_MAXUINT32 << shift;
    }
  if (!capra_array_download_first (radix.words, &state, sizeof state, error))
    return FALSE;

  *count = state.count;
  *value = NAN;
  if (state.count > 0)
    *value = capra_median_of_keys (input->shape.type,
                                   (guint32[]){ (guint32) state.prefixes[0], (guint32) state.prefixes[1] });
  return TRUE;
}
