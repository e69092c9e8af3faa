/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: Otsu's method, computed on the device (otsu.cl). */
#include "algorithms/common/reduction.h"
#include "algorithms/common/values-params.h"
#include "algorithms/threshold/histogram-params.h"
#include "algorithms/threshold/threshold-check.h"
#include "algorithms/threshold/threshold-otsu-device.h"
#include "runtime/device/tuning.h"

/* Work-items a group, on devices that allow it. */
#define GROUP_ITEMS 512

G_STATIC_ASSERT (OTSU_STATE == 0 && OTSU_VALUE == 1);

gboolean
capra_otsu_device_fits (CapraArray *input, CapraThresholdMethod method)
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

/* Few large groups, since each adds its counts to those of all. */
static CapraReduction
otsu_divide (CapraArray *input)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 0);

  if (input->context->info->max_group >= GROUP_ITEMS)
    {
      reduction.groups = (reduction.groups * reduction.local + GROUP_ITEMS - 1) / GROUP_ITEMS;
      reduction.local = GROUP_ITEMS;
    }
  reduction.chunk = VECTORS_AHEAD * reduction.local;
  return reduction;
}

CapraArray *
capra_otsu_device_start (CapraArray *input, GError **error)
{
  CapraReduction reduction = otsu_divide (input);
  CapraContext *context = input->context;
  CapraShape shape = CAPRA_SHAPE_2D (OTSU_WORDS, 1, CAPRA_F32);
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
capra_otsu_device_finish (CapraArray *words, double *value, GError **error)
{
  /* The first words. */
  struct {
    guint32 state;
    float value;
  } result;

  if (!capra_array_download_first (words, &result, sizeof result, error))
    return FALSE;
  if (result.state == OTSU_NO_VALUE)
    {
      capra_threshold_set_no_value (error);
      return FALSE;
    }
  *value = result.value;
  return TRUE;
}
