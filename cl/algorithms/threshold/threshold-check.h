/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: errors that several files report. Private. */
#pragma once

#include "algorithms/threshold/threshold.h"

G_BEGIN_DECLS

/* Whether @method can find a threshold of @input. */
gboolean capra_threshold_check (const CapraShape *input, CapraThresholdMethod method, GError **error);

/* Reports that the image has no finite value. */
void capra_threshold_set_no_value (GError **error);

G_END_DECLS
