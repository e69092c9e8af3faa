/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Reduction: how a pass over all values of an array is divided among work-groups. */
#include "algorithms/common/order-key.h"
#include "algorithms/common/reduction.h"
#include "algorithms/common/values-params.h"
#include "runtime/device/tuning.h"

#define GROUP_VECTOR 4
#define GROUP_ITEMS 256
/* Fewer vectors do not repay the start of a work-item in the variant `vector`. */
#define MIN_VECTORS 256

/* Values a load in the variant `vector`: 4, 8 or 16, the sizes that the kernels support. */
static guint
vector_size (CapraDevice *device)
{
  int vector = capra_tuning_get_int (device, "reduction.vector", 8);

  return vector >= 16 ? 16 : vector >= 8 ? 8 : 4;
}

CapraReduction
capra_reduction_divide (CapraArray *array, const char *key, guint64 max_values)
{
  CapraDevice *device = array->context->device;
  const char *variant = capra_tuning_get_word (device, key, "group");
  CapraReduction reduction = { .single = g_str_equal (variant, "vector"), .count = capra_shape_count (&array->shape) };
  /* Enough to keep each compute unit busy, few enough for the results to be combined quickly. */
  guint64 groups = (guint64) MAX (1, capra_tuning_get_int (device, "reduction.groups", 4))
                   * MAX (1, array->context->info->compute_units);
  guint64 vectors, round = VECTORS_AHEAD * GROUP_ITEMS;

  reduction.vector = reduction.single ? vector_size (device) : GROUP_VECTOR;
  reduction.local = reduction.single ? 1 : GROUP_ITEMS;
  vectors = reduction.count / reduction.vector;

  reduction.chunk = MAX (reduction.single ? MIN_VECTORS : GROUP_ITEMS, (vectors + groups - 1) / groups);
  if (!reduction.single && reduction.chunk > round)
    reduction.chunk = (reduction.chunk + round - 1) / round * round;
  if (max_values > 0)
    reduction.chunk = MIN (reduction.chunk, max_values / reduction.vector);
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
  CapraType type = array->shape.type;
  g_autofree char *kind = type == CAPRA_F32 ? g_strdup ("-DREAL")
                                            : g_strdup_printf ("-DBIAS=0x%xu%s", capra_order_key_bias (type),
                                                               capra_type_size (type) == 4 ? " -DWIDE" : "");

  return g_strdup_printf ("-DIN=%s %s -DVEC=%u -DGROUP=%u%s%s", capra_launch_type (type), kind, reduction->vector,
                          reduction->local, more ? " " : "", more ? more : "");
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
