/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: Otsu's value found on the device, and masks made of it without a way over the host. */
#include <math.h>
#include <string.h>

#include "algorithms/threshold/threshold-private.h"
#include "algorithms/common/values-params.h"
#include "runtime/device/tuning.h"

#define BINS CAPRA_THRESHOLD_BINS
#define GROUP 512 /* work-items of a group, where the device takes so many */

/* What of the words (kernels/otsu.cl) the host looks at, and how many there are before the counts. */
enum { WORD_STATE, WORD_VALUE, RESULT_WORDS, WORDS = 4 };
enum { STATE_NOTHING = 1 };

gboolean
capra_threshold_otsu_fits (CapraArray *input, CapraThresholdMethod method)
{
  CapraDevice *device = input->context->device;

  return method == CAPRA_THRESHOLD_OTSU && input->shape.type == CAPRA_F32 && input->shape.channels == 1
         && input->context->info->doubles && capra_shape_count (&input->shape) <= G_MAXUINT32
         && g_str_equal (capra_tuning_get_word (device, "histogram.variant", "group"), "group")
         && g_str_equal (capra_tuning_get_word (device, "threshold.search", "host"), "device");
}

static gboolean
otsu_run (CapraArray *input, const CapraReduction *reduction, const char *kernel, CapraArray *ranges, CapraArray *words,
          GError **error)
{
  g_autofree char *options = capra_reduction_options (input, reduction, "-DFINITE");
  CapraLaunch launch;

  capra_launch_begin (&launch, input->context, "otsu", options, kernel);
  capra_reduction_arguments (&launch, input, reduction);
  capra_launch_write (&launch, ranges);
  capra_launch_write (&launch, words);
  return capra_reduction_run (&launch, input, reduction, error);
}

/* Few large groups: each puts its counts to those of the others. */
static CapraReduction
otsu_divide (CapraArray *input)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 0);

  if (input->context->info->max_group >= GROUP)
    {
      reduction.groups = (reduction.groups * reduction.local + GROUP - 1) / GROUP;
      reduction.local = GROUP;
    }
  reduction.chunk = VECTORS_AHEAD * reduction.local;
  return reduction;
}

CapraArray *
capra_threshold_otsu_start (CapraArray *input, GError **error)
{
  CapraReduction reduction = otsu_divide (input);
  CapraContext *context = input->context;
  CapraShape shape = CAPRA_SHAPE_2D (WORDS + BINS, 1, CAPRA_F32);
  g_autoptr (CapraArray) ranges = capra_array_new_uninitialized (
    context, &CAPRA_SHAPE_2D (2 * reduction.groups, 1, CAPRA_U32), error);
  g_autoptr (CapraArray) words = NULL;

  if (ranges)
    words = capra_array_new_uninitialized (context, &shape, error);
  if (!words || !otsu_run (input, &reduction, "otsu_range", ranges, words, error)
      || !otsu_run (input, &reduction, "otsu_count", ranges, words, error))
    return NULL;
  return g_steal_pointer (&words);
}

gboolean
capra_threshold_otsu_finish (CapraArray *words, double *value, GError **error)
{
  float result[RESULT_WORDS];
  guint32 state;

  if (!capra_array_download_first (words, result, sizeof result, error))
    return FALSE;
  memcpy (&state, result + WORD_STATE, sizeof state);
  if (state == STATE_NOTHING)
    {
      capra_threshold_set_nothing (error);
      return FALSE;
    }
  *value = result[WORD_VALUE];
  return TRUE;
}

CapraArray *
capra_threshold_auto (CapraArray *input, CapraThresholdMethod method, double *value, GError **error)
{
  return capra_threshold_auto_mask (input, method, CAPRA_F32, value, error);
}

CapraArray *
capra_threshold_auto_mask (CapraArray *input, CapraThresholdMethod method, CapraType type, double *value,
                           GError **error)
{
  g_autoptr (CapraArray) words = NULL;
  g_autoptr (CapraArray) mask = NULL;

  g_return_val_if_fail (input && value, NULL);

  if (!capra_threshold_check (input, method, error))
    return NULL;
  if (!capra_threshold_otsu_fits (input, method))
    return capra_threshold_find (input, method, value, error) ? capra_threshold_above_mask (input, *value, type, error)
                                                              : NULL;

  words = capra_threshold_otsu_start (input, error);
  if (words)
    mask = capra_threshold_planned (input, words, type, error);
  if (!mask || !capra_threshold_otsu_finish (words, value, error))
    return NULL;
  return g_steal_pointer (&mask);
}
