/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Reduction: how a pass over all values of an array is divided among work-groups (values.clh). Private. */
#pragma once

#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/**
 * CapraReduction:
 * @single: whether the variant is `vector`, for CPUs: one work-item per group processes a long chunk in wide vectors.
 * In the variant `group`, for GPUs, the many work-items of a group load adjacent vectors of 4
 * @vector: values per load
 * @local: work-items per group
 * @count: values in total
 * @chunk: vectors per group
 * @groups: number of groups
 */
typedef struct {
  gboolean single;
  guint vector, local;
  guint64 count, chunk;
  gsize groups;
} CapraReduction;

/* Divides the values of @array for the variant that the tuning names under @key, with at most @max_values per group (0
 * for no limit). */
CapraReduction capra_reduction_divide (CapraArray *array, const char *key, guint64 max_values);

/* Sets the vectors per group, and the number of groups accordingly. */
void capra_reduction_set_chunk (CapraReduction *reduction, guint64 chunk);

/* The macros that values.clh requires for @array, followed by @more (nullable). */
char *capra_reduction_options (CapraArray *array, const CapraReduction *reduction, const char *more);

/* Sets the first arguments of every such kernel: the array, its count and the chunk. */
void capra_reduction_arguments (CapraLaunch *launch, CapraArray *array, const CapraReduction *reduction);

gboolean capra_reduction_run (CapraLaunch *launch, CapraArray *array, const CapraReduction *reduction, GError **error);

G_END_DECLS
