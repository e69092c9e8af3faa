/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip: computed on the device, and on the host where the device cannot. Private. */
#pragma once

#include "algorithms/clip/clip.h"

G_BEGIN_DECLS

/* Reports options that are out of range, and an input with several channels. */
gboolean capra_clip_check (const CapraShape *input, const CapraClipOptions *options, GError **error);

/* Whether the device can compute it. */
gboolean capra_clip_device_fits (CapraArray *input);

/* Starts the computation. Returns the words that the kernels work on; the first are a clip_state_t. */
CapraArray *capra_clip_device_start (CapraArray *input, const CapraClipOptions *options, GError **error);

/* Waits for the result in @words, and computes further rounds if it is not found yet. @rounds: the number of rounds; 0
 * if the device has not found the result, so that the host must. */
gboolean capra_clip_device_finish (CapraArray *words, CapraArray *input, const CapraClipOptions *options,
                                   CapraClip *clip, guint *rounds, GError **error);

/* Downloads and sorts the values. */
gboolean capra_clip_on_host (CapraArray *input, const CapraClipOptions *options, CapraClip *clip, GError **error);

/* Sets the error of an image without finite values. */
void capra_clip_set_no_value (GError **error);

/* The threshold, once the median and sigma are known. */
double capra_clip_threshold (const CapraClipOptions *options, double median, double sigma);

G_END_DECLS
