/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Slices: how a pass over all values of an array is dealt out to work-groups (kernels/values.clh).
 * Private. */
#pragma once

#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/**
 * CapraSlices:
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
} CapraSlices;

/* The division of @array's values for the variant that the tuning names under @key, with at most
 * @most values a group (0 for no limit). */
CapraSlices capra_slices (CapraArray *array, const char *key, guint64 most);

/* Gives each group @chunk vectors instead. */
void capra_slices_set_chunk (CapraSlices *slices, guint64 chunk);

/* The macros that values.clh wants for @array, and @more (nullable). */
char *capra_slices_options (CapraArray *array, const CapraSlices *slices, const char *more);

/* The first arguments of every such kernel: the array, its count, the chunk. */
void capra_slices_arguments (CapraLaunch *launch, CapraArray *array, const CapraSlices *slices);

gboolean capra_slices_run (CapraLaunch *launch, CapraArray *array, const CapraSlices *slices, GError **error);

/* The value that has the order key @key (values.clh) in arrays of @type, and the key of a value. */
double capra_slices_value (CapraType type, guint32 key);
guint32 capra_slices_key (CapraType type, double value);

/* The keys of the smallest and the largest value of each of @groups groups, still on the device. */
CapraArray *capra_slices_ranges (CapraArray *array, gboolean finite, gsize *groups, GError **error);

/* Smallest and largest value of @array, NaN (with @finite: and infinities) not counted; both NaN if
 * there is none. */
gboolean capra_slices_extremes (CapraArray *array, gboolean finite, double *min, double *max, GError **error);

G_END_DECLS
