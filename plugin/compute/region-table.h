/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Region table: measures labeled regions, for capra:measure and capra:measure-save. */
#pragma once

#include "algorithms/common/table.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* A table of the labeled regions on the input pad within the job's region. It includes intensities if the aux pad is
 * connected. */
CapraTable *capra_region_table_new (CapraJob *job, GError **error);

G_END_DECLS
