/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region table: measures labeled regions, for capra:measure and capra:measure-save. */
#pragma once

#include "algorithms/common/table.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* The order of the rows. */
typedef enum {
  CAPRA_REGION_SORT_LABEL,
  CAPRA_REGION_SORT_BRIGHTNESS, /* by falling sum of the intensities; regions without one follow, by rising label */
} CapraRegionSort;

/* A table of the labeled regions on the input pad within the job's region. It includes intensities if the aux pad is
 * connected. If the image that is measured has world coordinates, two columns have those of the weighted centroids, or
 * of the centroids without intensities. */
CapraTable *capra_region_table_new (CapraJob *job, CapraRegionSort sort, GError **error);

G_END_DECLS
