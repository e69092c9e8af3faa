/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Reduction: how a pass over all values of an array is dealt out to work-groups (kernels/values.clh).
 * Private. */
#pragma once

#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/**
 * CapraReduction:
 * @cpu: which variant: on CPUs a group is one work-item that loads 8 values at a time and takes a
 *   long slice; on GPUs it is 256 work-items that load 4 each, side by side
 * @vector: values a load
 * @local: work-items a group
 * @count: values in all
 * @chunk: vectors a group
 * @groups: how many groups
 */
typedef struct {
  gboolean cpu;
  guint vector, local;
  guint64 count, chunk;
  gsize groups;
} CapraReduction;

/* The division of @array's values for the variant that the tuning names under @key, with at most
 * @most values a group (0 for no limit). */
CapraReduction capra_reduction_divide (CapraArray *array, const char *key, guint64 most);

/* Gives each group @chunk vectors instead. */
void capra_reduction_set_chunk (CapraReduction *reduction, guint64 chunk);

/* The macros that values.clh wants for @array, and @more (nullable). */
char *capra_reduction_options (CapraArray *array, const CapraReduction *reduction, const char *more);

/* The first arguments of every such kernel: the array, its count, the chunk. */
void capra_reduction_arguments (CapraLaunch *launch, CapraArray *array, const CapraReduction *reduction);

gboolean capra_reduction_run (CapraLaunch *launch, CapraArray *array, const CapraReduction *reduction, GError **error);

/* The value that has the order key @key (values.clh) in arrays of @type, and the key of a value. */
double capra_order_key_to_value (CapraType type, guint32 key);
guint32 capra_order_key_from_value (CapraType type, double value);

/* The keys of the smallest and the largest value of each of @groups groups, still on the device. */
CapraArray *capra_reduction_ranges (CapraArray *array, gboolean finite, gsize *groups, GError **error);

/* Smallest and largest value of @array, NaN (with @finite: and infinities) not counted; both NaN if
 * there is none. */
gboolean capra_extremes (CapraArray *array, gboolean finite, double *min, double *max, GError **error);

G_END_DECLS
