/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Reduction: passes over all values of an array, and the smallest and largest of them. */
#include <math.h>
#include <string.h>

#include "algorithms/common/reduction.h"
#include "runtime/launch/tuning.h"

#define GPU_VECTOR 4
#define GPU_LOCAL 256
#define GPU_DEEP 4        /* DEEP of kernels/values.clh: vectors that are under way at a time */
#define LEAST_VECTORS 256 /* a CPU's work-item is worth starting for so many */

/* Values that a CPU's work-item takes at a time: 4, 8 or 16, as the kernels know them. */
static guint
cpu_vector (CapraDevice *device)
{
  int vector = capra_tuning_get_int (device, "reduction.vector", 8);

  return vector >= 16 ? 16 : vector >= 8 ? 8 : 4;
}

CapraReduction
capra_reduction_divide (CapraArray *array, const char *key, guint64 most)
{
  CapraDevice *device = array->context->device;
  const char *variant = capra_tuning_get_word (device, key, "gpu");
  CapraReduction reduction = { .cpu = g_str_equal (variant, "cpu"), .count = capra_shape_count (&array->shape) };
  /* Enough to keep a compute unit busy, few enough to combine quickly. */
  guint64 groups = (guint64) MAX (1, capra_tuning_get_int (device, "reduction.groups", 4))
                   * MAX (1, array->context->info->compute_units);
  guint64 vectors, round = GPU_DEEP * GPU_LOCAL;

  reduction.vector = reduction.cpu ? cpu_vector (device) : GPU_VECTOR;
  reduction.local = reduction.cpu ? 1 : GPU_LOCAL;
  vectors = reduction.count / reduction.vector;

  reduction.chunk = MAX (reduction.cpu ? LEAST_VECTORS : GPU_LOCAL, (vectors + groups - 1) / groups);
  if (!reduction.cpu && reduction.chunk > round)
    reduction.chunk = (reduction.chunk + round - 1) / round * round;
  if (most > 0)
    reduction.chunk = MIN (reduction.chunk, most / reduction.vector);
  capra_reduction_set_chunk (&reduction, reduction.chunk);
  return reduction;
}

void
capra_reduction_set_chunk (CapraReduction *reduction, guint64 chunk)
{
  reduction->chunk = chunk;
  reduction->groups = MAX (1, (reduction->count / reduction->vector + chunk - 1) / chunk);
}

char *
capra_reduction_options (CapraArray *array, const CapraReduction *reduction, const char *more)
{
  static const char *const kinds[] = { "-DBIAS=0u",      "-DBIAS=0x80u",     "-DBIAS=0u",
                                       "-DBIAS=0x8000u", "-DBIAS=0u -DWIDE", "-DBIAS=0x80000000u -DWIDE",
                                       "-DREAL" };

  return g_strdup_printf ("-DIN=%s %s -DVEC=%u -DGROUP=%u%s%s", capra_launch_type (array->shape.type),
                          kinds[array->shape.type], reduction->vector, reduction->local, more ? " " : "",
                          more ? more : "");
}

void
capra_reduction_arguments (CapraLaunch *launch, CapraArray *array, const CapraReduction *reduction)
{
  capra_launch_read (launch, array);
  capra_launch_ulong (launch, reduction->count);
  capra_launch_ulong (launch, reduction->chunk);
}

gboolean
capra_reduction_run (CapraLaunch *launch, CapraArray *array, const CapraReduction *reduction, GError **error)
{
  return capra_launch_run_1d (launch, reduction->groups * reduction->local, reduction->local,
                              capra_shape_bytes (&array->shape), error);
}

double
capra_order_key_to_value (CapraType type, guint32 key)
{
  float value;

  switch (type)
    {
    case CAPRA_I8: return (double) key - 0x80;
    case CAPRA_I16: return (double) key - 0x8000;
    case CAPRA_I32: return (double) key - 0x80000000u;
    case CAPRA_F32:
      key = key & 0x80000000u ? key & 0x7fffffffu : ~key;
      memcpy (&value, &key, sizeof value);
      return value;
    default: return key;
    }
}

guint32
capra_order_key_from_value (CapraType type, double value)
{
  float real = (float) value;
  guint32 bits;

  switch (type)
    {
    case CAPRA_I8: return (guint32) (value + 0x80);
    case CAPRA_I16: return (guint32) (value + 0x8000);
    case CAPRA_I32: return (guint32) (value + 0x80000000u);
    case CAPRA_F32: memcpy (&bits, &real, sizeof bits); return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    default: return (guint32) value;
    }
}

CapraArray *
capra_reduction_ranges (CapraArray *array, gboolean finite, gsize *groups, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (array, "extremes.variant", 0);
  g_autofree char *options = capra_reduction_options (array, &reduction, finite ? "-DFINITE" : NULL);
  g_autoptr (CapraArray) ranges = capra_array_new_uninitialized (
    array->context, &CAPRA_SHAPE_2D (2 * reduction.groups, 1, CAPRA_U32), error);
  CapraLaunch launch;

  if (!ranges)
    return NULL;
  capra_launch_begin (&launch, array->context, "extremes", options, "extremes");
  capra_reduction_arguments (&launch, array, &reduction);
  capra_launch_write (&launch, ranges);
  if (!capra_reduction_run (&launch, array, &reduction, error))
    return NULL;
  *groups = reduction.groups;
  return g_steal_pointer (&ranges);
}

gboolean
capra_extremes (CapraArray *array, gboolean finite, double *min, double *max, GError **error)
{
  gsize groups = 0;
  g_autoptr (CapraArray) ranges = capra_reduction_ranges (array, finite, &groups, error);
  g_autofree guint32 *keys = g_new (guint32, 2 * groups);
  guint32 low = G_MAXUINT32, high = 0;

  if (!ranges || !capra_array_pull_start (ranges, keys, 2 * groups * sizeof *keys, error))
    return FALSE;

  for (gsize i = 0; i < groups; i++)
    {
      low = MIN (low, keys[2 * i]);
      high = MAX (high, keys[2 * i + 1]);
    }
  *min = low <= high ? capra_order_key_to_value (array->shape.type, low) : NAN;
  *max = low <= high ? capra_order_key_to_value (array->shape.type, high) : NAN;
  return TRUE;
}
