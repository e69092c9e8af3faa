/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threshold: Otsu's value found on the device, and masks made of it without a way over the host. */
#include <math.h>
#include <string.h>

#include "algorithms/threshold-private.h"
#include "runtime/tuning.h"

#define BINS CAPRA_THRESHOLD_BINS

/* What of the plan (kernels/otsu-plan.cl) the host looks at. */
enum { PLAN_STATE = 5, PLAN_VALUE, PLAN_RESULT_WORDS };
enum { STATE_NOTHING = 1 };

gboolean
capra_threshold_otsu_fits (CapraArray *input, CapraThresholdMethod method)
{
  CapraDevice *device = input->context->device;

  return method == CAPRA_THRESHOLD_OTSU && input->shape.type == CAPRA_F32
         && input->shape.channels == 1 && input->context->info->doubles
         && g_str_equal (capra_tuning_get_word (device, "threshold.search", "host"), "device");
}

static gboolean
otsu_plan (CapraArray *ranges, gsize groups, gsize spans, CapraArray *plan, CapraArray *counts,
           GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, ranges->context, "otsu-plan", NULL, "otsu_plan");
  capra_launch_read (&launch, ranges);
  capra_launch_ulong (&launch, groups);
  capra_launch_ulong (&launch, spans);
  capra_launch_write (&launch, plan);
  capra_launch_write (&launch, counts);
  return capra_launch_run_1d (&launch, BINS, BINS, 0, error);
}

static gboolean
otsu_search (CapraArray *counts, gsize spans, CapraArray *plan, GError **error)
{
  CapraLaunch launch;

  capra_launch_begin (&launch, counts->context, "otsu", NULL, "otsu_search");
  capra_launch_read (&launch, counts);
  capra_launch_ulong (&launch, spans);
  capra_launch_write (&launch, plan);
  return capra_launch_run_1d (&launch, BINS, BINS, 0, error);
}

CapraArray *
capra_threshold_otsu_start (CapraArray *input, GError **error)
{
  CapraSlices slices = capra_slices (input, "histogram.variant", 1u << 31);
  guint64 span = (1u << 31) / (slices.chunk * slices.vector);
  gsize spans = (slices.groups + span - 1) / span, groups = 0;
  CapraShape shape = CAPRA_SHAPE_2D (CAPRA_THRESHOLD_PLAN_WORDS, 1, CAPRA_F32);
  g_autoptr(CapraArray) ranges = capra_slices_ranges (input, TRUE, &groups, error);
  g_autoptr(CapraArray) plan = NULL;
  g_autoptr(CapraArray) counts = NULL;

  if (!ranges)
    return NULL;
  plan = capra_array_new_uninitialized (input->context, &shape, error);
  if (plan)
    counts = capra_array_new_uninitialized (input->context,
                                            &CAPRA_SHAPE_2D (BINS, spans, CAPRA_U32), error);
  if (!counts || !otsu_plan (ranges, groups, spans, plan, counts, error)
      || !capra_threshold_count (input, &slices, span, plan, counts, error)
      || !otsu_search (counts, spans, plan, error))
    return NULL;
  return g_steal_pointer (&plan);
}

gboolean
capra_threshold_otsu_finish (CapraArray *plan, double *value, GError **error)
{
  float result[PLAN_RESULT_WORDS];
  guint32 state;

  if (!capra_array_pull_start (plan, result, sizeof result, error))
    return FALSE;
  memcpy (&state, result + PLAN_STATE, sizeof state);
  if (state == STATE_NOTHING)
    {
      capra_threshold_set_nothing (error);
      return FALSE;
    }
  *value = result[PLAN_VALUE];
  return TRUE;
}

CapraArray *
capra_threshold_auto (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  g_autoptr(CapraArray) plan = NULL;
  g_autoptr(CapraArray) mask = NULL;

  g_return_val_if_fail (input && value, NULL);

  if (!capra_threshold_check (input, method, error))
    return NULL;
  if (!capra_threshold_otsu_fits (input, method))
    return capra_threshold_find (input, method, value, error)
             ? capra_threshold_above (input, *value, error) : NULL;

  plan = capra_threshold_otsu_start (input, error);
  if (plan)
    mask = capra_threshold_planned (input, plan, error);
  if (!mask || !capra_threshold_otsu_finish (plan, value, error))
    return NULL;
  return g_steal_pointer (&mask);
}
