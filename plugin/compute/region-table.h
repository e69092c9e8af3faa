/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measuring: what capra:measure and capra:measure-save have in common. */
#pragma once

#include "algorithms/common/table.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* The table of the regions that the labels on the input pad make up in the job's region, with the
 * intensities on the aux pad if one is connected. */
CapraTable *capra_region_table_new (CapraJob *job, GError **error);

G_END_DECLS
