/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median, by a bracket from a sample (median-bracket.clh): reads all values only once. */
#include "algorithms/common/reduction.h"
#include "algorithms/common/values-params.h"
#include "algorithms/statistics/median-params.h"
#include "algorithms/statistics/median-private.h"
#include "runtime/device/tuning.h"

/* Local memory, in bytes, that the kernels use, rounded up. */
#define BRACKET_LOCAL (24 << 10)
#define BRACKET_VECTOR 4
/* Fewer values do not repay the three kernels. */
#define MIN_VALUES (1u << 13)
/* The limit of the counters. */
#define MAX_VALUES (1u << 31)

typedef struct {
  CapraArray *input;
  gsize groups;
  CapraArray *words;   /* state, bins and list */
  CapraArray *kept;    /* values in the bracket */
  CapraArray *numbers; /* of values that each work-item has kept */
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
bracket_allocate (Bracket *bracket, CapraArray *input, GError **error)
{
  gsize round = VECTORS_AHEAD * BRACKET_ITEMS * BRACKET_VECTOR, count = capra_shape_count (&input->shape);
  gsize rounds = (count + round - 1) / round;
  gsize max_groups = (gsize) MAX (1, capra_tuning_get_int (input->context->device, "median.groups", 2))
                     * MAX (1, input->context->info->compute_units);

  bracket->input = input;
  bracket->groups = MIN (rounds, max_groups);
  /* All values may be in the bracket: room for whole rounds of all groups, and for the values behind the last vector.
   */
  rounds = (rounds + bracket->groups - 1) / bracket->groups + 1;
  bracket->words = bracket_array (bracket, BRACKET_STATE_WORDS + BRACKET_BINS + BRACKET_LIST, CAPRA_U32, error);
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
  guint keys = (items == SAMPLE_ITEMS ? BRACKET_SAMPLE : BRACKET_LIST) / items;
  g_autofree char *macros = g_strdup_printf ("-DOWN=%u", keys);
  g_autofree char *options = capra_reduction_options (bracket->input, &reduction, macros);

  capra_launch_begin (launch, bracket->input->context, name, options, kernel);
}

gboolean
capra_median_bracket (CapraArray *input, guint64 *count, double *value, GError **error)
{
  g_auto (Bracket) bracket = { .words = NULL };
  guint64 n = capra_shape_count (&input->shape);
  bracket_state_t state;
  CapraLaunch launch;

  if (!bracket_allocate (&bracket, input, error))
    return FALSE;
  bracket_launch (&launch, &bracket, "median-bracket-sample", "median_sample", SAMPLE_ITEMS);
  capra_launch_read (&launch, input);
  capra_launch_ulong (&launch, n);
  capra_launch_write (&launch, bracket.words);
  if (!capra_launch_run_1d (&launch, SAMPLE_ITEMS, SAMPLE_ITEMS, 0, error))
    return FALSE;

  bracket_launch (&launch, &bracket, "median-bracket-split", "median_split", BRACKET_ITEMS);
  capra_launch_read (&launch, input);
  capra_launch_ulong (&launch, n);
  capra_launch_write (&launch, bracket.words);
  capra_launch_write (&launch, bracket.kept);
  capra_launch_write (&launch, bracket.numbers);
  if (!capra_launch_run_1d (&launch, bracket.groups * BRACKET_ITEMS, BRACKET_ITEMS, capra_shape_bytes (&input->shape),
                            error))
    return FALSE;

  bracket_launch (&launch, &bracket, "median-bracket-finish", "median_finish", BRACKET_ITEMS);
  capra_launch_uint (&launch, (guint32) n);
  capra_launch_write (&launch, bracket.words);
  capra_launch_read (&launch, bracket.kept);
  capra_launch_read (&launch, bracket.numbers);
  if (!capra_launch_run_1d (&launch, bracket.groups * BRACKET_ITEMS, BRACKET_ITEMS, 0, error)
      || !capra_array_download_first (bracket.words, &state, sizeof state, error))
    return FALSE;

  *count = n - state.bracket.nans;
  *value = capra_median_of_keys (input->shape.type, state.result);
  return !state.failed;
}

gboolean
capra_median_bracket_fits (CapraArray *input)
{
  const CapraDeviceInfo *info = input->context->info;
  const char *variant = capra_tuning_get_word (input->context->device, "median.variant", "bracket");
  gsize n = capra_shape_count (&input->shape);

  return g_str_equal (variant, "bracket") && capra_type_size (input->shape.type) >= 2
         && info->local_memory >= BRACKET_LOCAL && info->max_group >= SAMPLE_ITEMS && n >= MIN_VALUES
         && n <= MAX_VALUES;
}
