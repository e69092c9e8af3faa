/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Labels: exact numbers of regions from whatever image holds them. */
#pragma once

#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* The labels of @rect on a pad as a u32 array. Images of integers hold them as their raw values,
 * images of floats as whole numbers; fractions and negative numbers are an error. They never pass
 * through a 32-bit float that does not hold them already. */
gboolean capra_label_input_get (CapraJob *job, const char *pad, const GeglRectangle *rect, CapraPixels *pixels,
                                GError **error);

G_END_DECLS
