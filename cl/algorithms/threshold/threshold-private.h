/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: masks from values that only the device knows. Private. */
#pragma once

#include "algorithms/threshold/threshold.h"

G_BEGIN_DECLS

/* The mask, of @type, of the values above the one in @words, as capra_otsu_device_start() returns them. */
CapraArray *capra_threshold_above_found (CapraArray *input, CapraArray *words, CapraType type, GError **error);

G_END_DECLS
