/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median: by a bracket from a sample on GPUs, else by radix selection. */
#include <math.h>

#include "algorithms/statistics/statistics-private.h"
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"
#include "algorithms/common/values-params.h"
#include "runtime/launch/tuning.h"

/* Of the radix selection: what stands before its counters. */
#define STATE_WORDS 16
/* Of the bracket (kernels/median-bracket.clh): its state, its bins, its list. */
#define BRACKET_WORDS 16
#define BINS 1024
#define LIST 4096
#define SAMPLE 4096
#define SAMPLE_ITEMS 1024
#define BRACKET_LOCAL (24 << 10) /* local memory that its kernels take, and a little more */
enum { BRACKET_NANS = 5, BRACKET_FAILED = 9, BRACKET_RESULT = 14 };
/* The passes over all values: groups of so many work-items take rounds of so many vectors. */
#define BRACKET_ITEMS 512
#define BRACKET_VECTOR 4
/* A bracket is worth its three kernels from here on; its counters hold no more than so many. */
#define LEAST_BRACKET (1u << 13)
#define MOST_BRACKET (1u << 31)

static double
middle (CapraType type, guint32 low, guint32 high)
{
  return 0.5 * (capra_order_key_to_value (type, low) + capra_order_key_to_value (type, high));
}

typedef struct {
  CapraArray *input;
  gsize groups;
  CapraArray *words, *kept, *numbers; /* state, bins and list; values in the bracket; how many a work-item has */
} Bracket;

static void
bracket_clear (Bracket *bracket)
{
  g_clear_pointer (&bracket->words, capra_array_unref);
  g_clear_pointer (&bracket->kept, capra_array_unref);
  g_clear_pointer (&bracket->numbers, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bracket, bracket_clear)

static CapraArray *
bracket_array (const Bracket *bracket, gsize count, CapraType type, GError **error)
{
  return capra_array_new_uninitialized (bracket->input->context, &CAPRA_SHAPE_2D (count, 1, type), error);
}

static gboolean
bracket_begin (Bracket *bracket, CapraArray *input, GError **error)
{
  gsize round = VECTORS_AHEAD * BRACKET_ITEMS * BRACKET_VECTOR, count = capra_shape_count (&input->shape);
  gsize rounds = (count + round - 1) / round;
  gsize most = (gsize) MAX (1, capra_tuning_get_int (input->context->device, "median.groups", 2))
               * MAX (1, input->context->info->compute_units);

  bracket->input = input;
  bracket->groups = MIN (rounds, most);
  /* All may be in the bracket: places for whole rounds of all groups, and for the values behind the last vector. */
  rounds = (rounds + bracket->groups - 1) / bracket->groups + 1;
  bracket->words = bracket_array (bracket, BRACKET_WORDS + BINS + LIST, CAPRA_U32, error);
  if (bracket->words)
    bracket->kept = bracket_array (bracket, rounds * bracket->groups * round, input->shape.type, error);
  if (bracket->kept)
    bracket->numbers = bracket_array (bracket, bracket->groups * BRACKET_ITEMS, CAPRA_U32, error);
  return bracket->numbers != NULL;
}

static void
bracket_launch (CapraLaunch *launch, const Bracket *bracket, const char *name, const char *kernel, guint items)
{
  CapraReduction reduction = { .vector = BRACKET_VECTOR, .local = items };
  guint keys = (items == SAMPLE_ITEMS ? SAMPLE : LIST) / items;
  g_autofree char *macros = g_strdup_printf ("-DBINS=%d -DLIST=%d -DOWN=%u", BINS, LIST, keys);
  g_autofree char *options = capra_reduction_options (bracket->input, &reduction, macros);

  capra_launch_begin (launch, bracket->input->context, name, options, kernel);
}

/* FALSE with no error if the sample or the list does not suffice. */
static gboolean
bracket_find (CapraArray *input, guint64 *count, double *value, GError **error)
{
  g_auto (Bracket) bracket = { .words = NULL };
  guint64 n = capra_shape_count (&input->shape);
  guint32 state[BRACKET_WORDS];
  CapraLaunch launch;

  if (!bracket_begin (&bracket, input, error))
    return FALSE;
  bracket_launch (&launch, &bracket, "median-sample", "median_sample", SAMPLE_ITEMS);
  capra_launch_read (&launch, input);
  capra_launch_ulong (&launch, n);
  capra_launch_write (&launch, bracket.words);
  if (!capra_launch_run_1d (&launch, SAMPLE_ITEMS, SAMPLE_ITEMS, 0, error))
    return FALSE;

  bracket_launch (&launch, &bracket, "median-split", "median_split", BRACKET_ITEMS);
  capra_launch_read (&launch, input);
  capra_launch_ulong (&launch, n);
  capra_launch_write (&launch, bracket.words);
  capra_launch_write (&launch, bracket.kept);
  capra_launch_write (&launch, bracket.numbers);
  if (!capra_launch_run_1d (&launch, bracket.groups * BRACKET_ITEMS, BRACKET_ITEMS, capra_shape_bytes (&input->shape),
                            error))
    return FALSE;

  bracket_launch (&launch, &bracket, "median-finish", "median_finish", BRACKET_ITEMS);
  capra_launch_uint (&launch, (guint32) n);
  capra_launch_write (&launch, bracket.words);
  capra_launch_read (&launch, bracket.kept);
  capra_launch_read (&launch, bracket.numbers);
  if (!capra_launch_run_1d (&launch, bracket.groups * BRACKET_ITEMS, BRACKET_ITEMS, 0, error)
      || !capra_array_download_first (bracket.words, state, sizeof state, error))
    return FALSE;

  *count = n - state[BRACKET_NANS];
  *value = middle (input->shape.type, state[BRACKET_RESULT], state[BRACKET_RESULT + 1]);
  return !state[BRACKET_FAILED];
}

/* The radix selection: digits of how many bits, and what its kernels work on. */
typedef struct {
  CapraArray *input, *words;
  CapraReduction reduction;
  guint bits;
  guint64 span, spans; /* groups that share counters, and how often */
} Radix;

static void
radix_clear (Radix *radix)
{
  g_clear_pointer (&radix->words, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Radix, radix_clear)

static gboolean
radix_begin (Radix *radix, CapraArray *input, GError **error)
{
  CapraContext *context = input->context;

  radix->input = input;
  radix->reduction = capra_reduction_divide (input, "median.variant", 1u << 31);
  /* Counters cost time to clear and to add up: fewer, larger groups. */
  if (!radix->reduction.single && radix->reduction.chunk > 16 * radix->reduction.local)
    capra_reduction_set_chunk (&radix->reduction, MIN (2 * radix->reduction.chunk, 1u << 29));
  /* Two histograms of 4096 bins and a number more take a little over 32 KiB. */
  radix->bits = radix->reduction.single || context->info->local_memory < 36 << 10 ? 11 : 12;
  radix->span = (1u << 31) / (radix->reduction.chunk * radix->reduction.vector);
  radix->spans = (radix->reduction.groups + radix->span - 1) / radix->span;
  radix->words = capra_array_new (
    context->device, &CAPRA_SHAPE_2D (STATE_WORDS + (2 * radix->spans << radix->bits), 1, CAPRA_U32), error);
  return radix->words != NULL;
}

/* One pass of kernels/median.cl: the digit from bit @shift up, among keys that agree in @mask. */
static gboolean
radix_pass (const Radix *radix, guint pass, guint shift, guint32 mask, GError **error)
{
  g_autofree char *digits = g_strdup_printf ("-DBITS=%u -DBINS=%uu", radix->bits, 1u << radix->bits);
  g_autofree char *options = capra_reduction_options (radix->input, &radix->reduction, digits);
  CapraLaunch launch;

  capra_launch_begin (&launch, radix->input->context, "median", options, "median_count");
  capra_reduction_arguments (&launch, radix->input, &radix->reduction);
  capra_launch_uint (&launch, shift);
  capra_launch_uint (&launch, mask);
  capra_launch_ulong (&launch, radix->span);
  capra_launch_write (&launch, radix->words);
  if (!capra_reduction_run (&launch, radix->input, &radix->reduction, error))
    return FALSE;

  capra_launch_begin (&launch, radix->input->context, "median-select", digits, "median_select");
  capra_launch_write (&launch, radix->words);
  capra_launch_ulong (&launch, radix->spans);
  capra_launch_uint (&launch, shift);
  capra_launch_int (&launch, pass == 0);
  return capra_launch_run_1d (&launch, 256, 256, capra_shape_bytes (&radix->words->shape), error);
}

static gboolean
radix_find (CapraArray *input, guint64 *count, double *value, GError **error)
{
  g_auto (Radix) radix = { NULL };
  int shift = 8 * (int) capra_type_size (input->shape.type);
  guint64 state[5];
  guint32 mask = 0;

  if (!radix_begin (&radix, input, error))
    return FALSE;
  for (guint pass = 0; shift > 0; pass++)
    {
      shift = MAX (shift - (int) radix.bits, 0);
      if (!radix_pass (&radix, pass, (guint) shift, mask, error))
        return FALSE;
      mask = G_MAXUINT32 << shift;
    }
  if (!capra_array_download_first (radix.words, state, sizeof state, error))
    return FALSE;

  *count = state[4];
  *value = NAN;
  if (state[4] > 0)
    *value = middle (input->shape.type, (guint32) state[0], (guint32) state[1]);
  return TRUE;
}

static gboolean
bracket_fits (CapraArray *input)
{
  const CapraDeviceInfo *info = input->context->info;
  const char *variant = capra_tuning_get_word (input->context->device, "median.variant", "bracket");
  gsize n = capra_shape_count (&input->shape);

  return g_str_equal (variant, "bracket") && capra_type_size (input->shape.type) >= 2
         && info->local_memory >= BRACKET_LOCAL && info->max_group >= SAMPLE_ITEMS && n >= LEAST_BRACKET
         && n <= MOST_BRACKET;
}

gboolean
capra_median (CapraArray *input, guint64 *count, double *median, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (bracket_fits (input))
    {
      if (bracket_find (input, count, median, &failure))
        return TRUE;
      if (failure)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
  return radix_find (input, count, median, error);
}
