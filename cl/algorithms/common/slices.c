/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Slices: passes over all values of an array, and the smallest and largest of them. */
#include <math.h>
#include <string.h>

#include "algorithms/common/slices.h"
#include "runtime/launch/tuning.h"

#define GPU_VECTOR 4
#define GPU_LOCAL 256
#define GPU_DEEP 4        /* DEEP of kernels/values.clh: vectors that are under way at a time */
#define LEAST_VECTORS 256 /* a CPU's work-item is worth starting for so many */

/* Values that a CPU's work-item takes at a time: 4, 8 or 16, as the kernels know them. */
static guint
cpu_vector (CapraDevice *device)
{
  int vector = capra_tuning_get_int (device, "slices.vector", 8);

  return vector >= 16 ? 16 : vector >= 8 ? 8 : 4;
}

CapraSlices
capra_slices (CapraArray *array, const char *key, guint64 most)
{
  CapraDevice *device = array->context->device;
  const char *variant = capra_tuning_get_word (device, key, "gpu");
  CapraSlices slices = { .cpu = g_str_equal (variant, "cpu"), .count = capra_shape_count (&array->shape) };
  /* Enough to keep a compute unit busy, few enough to combine quickly. */
  guint64 groups = (guint64) MAX (1, capra_tuning_get_int (device, "slices.groups", 4))
                   * MAX (1, array->context->info->compute_units);
  guint64 vectors, round = GPU_DEEP * GPU_LOCAL;

  slices.vector = slices.cpu ? cpu_vector (device) : GPU_VECTOR;
  slices.local = slices.cpu ? 1 : GPU_LOCAL;
  vectors = slices.count / slices.vector;

  slices.chunk = MAX (slices.cpu ? LEAST_VECTORS : GPU_LOCAL, (vectors + groups - 1) / groups);
  if (!slices.cpu && slices.chunk > round)
    slices.chunk = (slices.chunk + round - 1) / round * round;
  if (most > 0)
    slices.chunk = MIN (slices.chunk, most / slices.vector);
  capra_slices_set_chunk (&slices, slices.chunk);
  return slices;
}

void
capra_slices_set_chunk (CapraSlices *slices, guint64 chunk)
{
  slices->chunk = chunk;
  slices->groups = MAX (1, (slices->count / slices->vector + chunk - 1) / chunk);
}

char *
capra_slices_options (CapraArray *array, const CapraSlices *slices, const char *more)
{
  static const char *const kinds[] = { "-DBIAS=0u",      "-DBIAS=0x80u",     "-DBIAS=0u",
                                       "-DBIAS=0x8000u", "-DBIAS=0u -DWIDE", "-DBIAS=0x80000000u -DWIDE",
                                       "-DREAL" };

  return g_strdup_printf ("-DIN=%s %s -DVEC=%u -DGROUP=%u%s%s", capra_launch_type (array->shape.type),
                          kinds[array->shape.type], slices->vector, slices->local, more ? " " : "", more ? more : "");
}

void
capra_slices_arguments (CapraLaunch *launch, CapraArray *array, const CapraSlices *slices)
{
  capra_launch_read (launch, array);
  capra_launch_ulong (launch, slices->count);
  capra_launch_ulong (launch, slices->chunk);
}

gboolean
capra_slices_run (CapraLaunch *launch, CapraArray *array, const CapraSlices *slices, GError **error)
{
  return capra_launch_run_1d (launch, slices->groups * slices->local, slices->local, capra_shape_bytes (&array->shape),
                              error);
}

double
capra_slices_value (CapraType type, guint32 key)
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
capra_slices_key (CapraType type, double value)
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
capra_slices_ranges (CapraArray *array, gboolean finite, gsize *groups, GError **error)
{
  CapraSlices slices = capra_slices (array, "extremes.variant", 0);
  g_autofree char *options = capra_slices_options (array, &slices, finite ? "-DFINITE" : NULL);
  g_autoptr (CapraArray) ranges = capra_array_new_uninitialized (
    array->context, &CAPRA_SHAPE_2D (2 * slices.groups, 1, CAPRA_U32), error);
  CapraLaunch launch;

  if (!ranges)
    return NULL;
  capra_launch_begin (&launch, array->context, "extremes", options, "extremes");
  capra_slices_arguments (&launch, array, &slices);
  capra_launch_write (&launch, ranges);
  if (!capra_slices_run (&launch, array, &slices, error))
    return NULL;
  *groups = slices.groups;
  return g_steal_pointer (&ranges);
}

gboolean
capra_slices_extremes (CapraArray *array, gboolean finite, double *min, double *max, GError **error)
{
  gsize groups = 0;
  g_autoptr (CapraArray) ranges = capra_slices_ranges (array, finite, &groups, error);
  g_autofree guint32 *keys = g_new (guint32, 2 * groups);
  guint32 low = G_MAXUINT32, high = 0;

  if (!ranges || !capra_array_pull_start (ranges, keys, 2 * groups * sizeof *keys, error))
    return FALSE;

  for (gsize i = 0; i < groups; i++)
    {
      low = MIN (low, keys[2 * i]);
      high = MAX (high, keys[2 * i + 1]);
    }
  *min = low <= high ? capra_slices_value (array->shape.type, low) : NAN;
  *max = low <= high ? capra_slices_value (array->shape.type, high) : NAN;
  return TRUE;
}
