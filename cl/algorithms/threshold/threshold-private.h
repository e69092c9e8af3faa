/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: masks from values that only the device knows. Private. */
#pragma once

#include "algorithms/threshold/threshold.h"

G_BEGIN_DECLS

/* The mask, of @type, of the values above the one in @words, as capra_otsu_device_start() returns them. */
CapraArray *capra_threshold_above_found (CapraArray *input, CapraArray *words, CapraType type, GError **error);

/* Limits such that a comparison in float has the same result as one in double with @low and @high. */
void capra_threshold_round_limits (double low, double high, float limits[2]);

G_END_DECLS
