/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label input: exact label numbers from images of any format. */
#pragma once

#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* Sets @pixels to the labels of @rect on @pad, a u32 array. Labels are the raw values of integer images, and whole
 * numbers in float images; fractions and negative numbers are an error. Colors of capra:label stand for its labels.
 * Integers are never converted to 32-bit floats, which cannot represent all of them. */
gboolean capra_label_input_get (CapraJob *job, const char *pad, const GeglRectangle *rect, CapraPixels *pixels,
                                GError **error);

G_END_DECLS
