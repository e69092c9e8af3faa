/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: Otsu's method, computed on the device. Private. */
#pragma once

#include "algorithms/threshold/threshold.h"

G_BEGIN_DECLS

/* Whether the tuning, the device and the type of @input allow it. */
gboolean capra_otsu_device_fits (CapraArray *input, CapraThresholdMethod method);

/* Starts the computation. Returns the words that the kernels work on (histogram-params.h). */
CapraArray *capra_otsu_device_start (CapraArray *input, GError **error);

/* Waits for the value in @words. */
gboolean capra_otsu_device_finish (CapraArray *words, double *value, GError **error);

G_END_DECLS
