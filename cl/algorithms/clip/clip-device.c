/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip, on the device (clip.clh): two or more passes over the image, whatever the number of iterations. */
#include <string.h>

#include "algorithms/clip/clip-device.h"
#include "algorithms/clip/clip-params.h"
#include "algorithms/common/fill.h"
#include "algorithms/common/reduction.h"
#include "algorithms/common/values-params.h"
#include "runtime/device/tuning.h"

/* Local memory, in bytes, that the kernels use, rounded up. */
#define CLIP_LOCAL (32 << 10)
/* In the first round the lists have room for this part of the values, and for at least CLIP_MIN_ROOM; then for all. */
#define ROOM_PART 32
/* Each round makes at least one of three steps: it finds the median, moves the pivot to it, or computes an iteration.
 */
#define MAX_ROUNDS 200
/* Bits of a number in units of which a bin's values are added up, at most. */
#define MAX_SUM_BITS 48

typedef struct {
  CapraArray *input;
  const CapraClipOptions *options;
  CapraReduction reduction;
  gboolean last_group; /* whether the last group of a kernel does the next step, too */
  guint32 room;
  CapraArray *words, *lists, *parts;
} Clipping;

static void
clipping_clear (Clipping *clipping)
{
  g_clear_pointer (&clipping->words, capra_array_unref);
  g_clear_pointer (&clipping->lists, capra_array_unref);
  g_clear_pointer (&clipping->parts, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Clipping, clipping_clear)

gboolean
capra_clip_device_fits (CapraArray *input)
{
  const CapraDeviceInfo *info = input->context->info;

  return info->doubles && info->local_memory >= CLIP_LOCAL && info->max_group >= CLIP_SAMPLE_ITEMS
         && capra_shape_count (&input->shape) <= G_MAXUINT32
         && !g_str_equal (capra_tuning_get_word (input->context->device, "clip.variant", "group"), "host");
}

static gboolean
clipping_allocate (Clipping *clipping, GError **error)
{
  CapraContext *context = clipping->input->context;

  if (!clipping->words)
    clipping->words = capra_array_new_uninitialized (context, &CAPRA_SHAPE_2D (CLIP_WORDS, 1, CAPRA_U32), error);
  if (clipping->words)
    clipping->lists = capra_array_new_uninitialized (context, &CAPRA_SHAPE_2D (clipping->room, 1, CAPRA_U32), error);
  /* Two doubles for each group. */
  if (clipping->lists)
    clipping->parts = capra_array_new_uninitialized (
      context, &CAPRA_SHAPE_2D (4 * clipping->reduction.groups, 1, CAPRA_U32), error);
  return clipping->parts != NULL;
}

static void
clipping_divide (Clipping *clipping, gboolean first)
{
  CapraReduction *reduction = &clipping->reduction;
  guint64 count = capra_shape_count (&clipping->input->shape);

  *reduction = capra_reduction_divide (clipping->input, "clip.variant", 0);
  if (!reduction->single)
    {
      CapraContext *context = clipping->input->context;
      guint64 groups = (guint64) MAX (1, capra_tuning_get_int (context->device, "clip.groups", 1))
                       * MAX (1, context->info->compute_units);

      clipping->last_group = capra_tuning_get_int (context->device, "clip.last-group", 0) != 0;
      reduction->local = CLIP_ITEMS;
      reduction->chunk = VECTORS_AHEAD * CLIP_ITEMS;
      reduction->groups = CLAMP ((count / reduction->vector + reduction->chunk - 1) / reduction->chunk, 1, groups);
    }
  clipping->room = first ? MAX (count / ROOM_PART, MIN (count, CLIP_MIN_ROOM)) : count;
}

static void
clipping_begin (CapraLaunch *launch, const Clipping *clipping, const char *kernel)
{
  gboolean single = clipping->reduction.single;
  g_autofree char *options = capra_reduction_options (clipping->input, &clipping->reduction,
                                                      clipping->last_group ? "-DFINITE -DLAST_GROUP" : "-DFINITE");

  capra_launch_begin (launch, clipping->input->context, single ? "clip-vector" : "clip-group", options, kernel);
}

static void
launch_double (CapraLaunch *launch, double value)
{
  capra_launch_value (launch, &value, sizeof value);
}

static gboolean
run_sample (const Clipping *clipping, GError **error)
{
  CapraReduction reduction = { .vector = 4, .local = CLIP_SAMPLE_ITEMS };
  g_autofree char *macros = g_strdup_printf ("-DFINITE -DOWN=%d", CLIP_SAMPLE / CLIP_SAMPLE_ITEMS);
  g_autofree char *options = capra_reduction_options (clipping->input, &reduction, macros);
  CapraLaunch launch;

  capra_launch_begin (&launch, clipping->input->context, "clip-sample", options, "clip_sample");
  capra_launch_read (&launch, clipping->input);
  capra_launch_ulong (&launch, clipping->reduction.count);
  capra_launch_write (&launch, clipping->words);
  return capra_launch_run_1d (&launch, CLIP_SAMPLE_ITEMS, CLIP_SAMPLE_ITEMS, 0, error);
}

/* Counts, and predicts what is to be listed. */
static gboolean
run_count (const Clipping *clipping, GError **error)
{
  CapraLaunch launch;

  clipping_begin (&launch, clipping, "clip_count");
  capra_reduction_arguments (&launch, clipping->input, &clipping->reduction);
  capra_launch_write (&launch, clipping->words);
  if (!clipping->reduction.single)
    {
      launch_double (&launch, clipping->options->kappa);
      capra_launch_uint (&launch, clipping->room);
    }
  if (!capra_reduction_run (&launch, clipping->input, &clipping->reduction, error))
    return FALSE;
  if (clipping->last_group)
    return TRUE;
  clipping_begin (&launch, clipping, "clip_predict");
  capra_launch_write (&launch, clipping->words);
  launch_double (&launch, clipping->options->kappa);
  capra_launch_uint (&launch, clipping->room);
  return capra_launch_run_1d (&launch, clipping->reduction.local, clipping->reduction.local, 0, error);
}

/* The last arguments of what iterates. Sums of all values stay within 63 bits. */
static void
launch_options (CapraLaunch *launch, const Clipping *clipping)
{
  launch_double (launch, clipping->options->kappa);
  launch_double (launch, clipping->options->factor);
  launch_double (launch, clipping->options->base == CAPRA_CLIP_BASE_MEDIAN);
}

/* Lists and adds up, and iterates. */
static gboolean
run_collect (const Clipping *clipping, GError **error)
{
  gint32 sum_bits = MIN (63 - (gint32) g_bit_storage (clipping->reduction.count), MAX_SUM_BITS);
  CapraLaunch launch;

  clipping_begin (&launch, clipping, "clip_collect");
  capra_reduction_arguments (&launch, clipping->input, &clipping->reduction);
  capra_launch_write (&launch, clipping->words);
  capra_launch_write (&launch, clipping->lists);
  capra_launch_write (&launch, clipping->parts);
  if (!clipping->reduction.single)
    launch_options (&launch, clipping);
  capra_launch_int (&launch, sum_bits);
  if (!capra_reduction_run (&launch, clipping->input, &clipping->reduction, error))
    return FALSE;
  if (clipping->last_group)
    return TRUE;
  clipping_begin (&launch, clipping, "clip_iterate");
  capra_launch_write (&launch, clipping->words);
  capra_launch_read (&launch, clipping->lists);
  capra_launch_read (&launch, clipping->parts);
  capra_launch_uint (&launch, clipping->reduction.groups);
  launch_options (&launch, clipping);
  capra_launch_int (&launch, sum_bits);
  return capra_launch_run_1d (&launch, clipping->reduction.local, clipping->reduction.local, 0, error);
}

CapraArray *
capra_clip_device_start (CapraArray *input, const CapraClipOptions *options, GError **error)
{
  g_auto (Clipping) clipping = { .input = input, .options = options };

  clipping_divide (&clipping, TRUE);
  if (!clipping_allocate (&clipping, error) || !run_sample (&clipping, error) || !run_count (&clipping, error)
      || !run_collect (&clipping, error))
    return NULL;
  return g_steal_pointer (&clipping.words);
}

/* Continues where the last round has ended. */
static gboolean
run_next_round (CapraArray *words, CapraArray *input, const CapraClipOptions *options, GError **error)
{
  g_auto (Clipping) clipping = { .input = input, .options = options, .words = capra_array_ref (words) };

  clipping_divide (&clipping, FALSE);
  return clipping_allocate (&clipping, error) && run_count (&clipping, error) && run_collect (&clipping, error);
}

static double
double_from_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

gboolean
capra_clip_device_finish (CapraArray *words, CapraArray *input, const CapraClipOptions *options, CapraClip *clip,
                          guint *rounds, GError **error)
{
  clip_state_t state;

  *rounds = 1;
  if (!capra_array_download_first (words, &state, sizeof state, error))
    return FALSE;
  for (; state.status == CLIP_RUNNING && *rounds < MAX_ROUNDS; (*rounds)++)
    if (!run_next_round (words, input, options, error)
        || !capra_array_download_first (words, &state, sizeof state, error))
      return FALSE;
  if (state.status == CLIP_NO_VALUE)
    {
      capra_clip_set_no_value (error);
      return FALSE;
    }
  if (state.status != CLIP_FOUND)
    {
      *rounds = 0;
      return TRUE;
    }
  clip->median = double_from_bits (state.median);
  clip->mean = double_from_bits (state.mean);
  clip->sigma = double_from_bits (state.sigma);
  clip->threshold = capra_clip_threshold (options, clip->median, clip->sigma);
  clip->pixels = state.count;
  clip->iterations = state.iterations;
  return TRUE;
}
