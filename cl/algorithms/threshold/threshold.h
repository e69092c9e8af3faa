/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: by value, by a value for each pixel, or by a value found from the histogram. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* Ways to find the value, as scikit-image defines them. */
typedef enum {
  CAPRA_THRESHOLD_MANUAL,
  CAPRA_THRESHOLD_OTSU,
  CAPRA_THRESHOLD_MEAN,
  CAPRA_THRESHOLD_TRIANGLE,
  CAPRA_THRESHOLD_LI,
  CAPRA_THRESHOLD_YEN,
  CAPRA_THRESHOLD_ISODATA,
} CapraThresholdMethod;

/**
 * capra_threshold:
 * @input: one channel, any type and shape; or f32 with two, of which the second is an alpha
 * @low: set from this value on
 * @high: and up to this one; infinity for no upper end
 *
 * Returns: (transfer full): an f32 array of 1 where @low <= value <= @high and 0 elsewhere (NaN is
 *   0), with the alpha of @input if it has one, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_threshold (CapraArray *input, double low, double high, GError **error);

/**
 * capra_threshold_mask:
 * @input: as for capra_threshold(); for a mask of bytes with one channel
 * @type: %CAPRA_F32 for 0 and 1, or %CAPRA_U8 for 0 and 255, a quarter of the memory
 *
 * As capra_threshold(), in the type that the mask's reader takes.
 */
CAPRA_API
CapraArray *capra_threshold_mask (CapraArray *input, double low, double high, CapraType type, GError **error);

/**
 * capra_threshold_above:
 * @value: set is what is strictly above it: how masks come from capra_threshold_find()
 */
CAPRA_API
CapraArray *capra_threshold_above (CapraArray *input, double value, GError **error);

/**
 * capra_threshold_above_mask:
 *
 * As capra_threshold_above(), with @type as in capra_threshold_mask().
 */
CAPRA_API
CapraArray *capra_threshold_above_mask (CapraArray *input, double value, CapraType type, GError **error);

/**
 * capra_threshold_local:
 * @low: an array of the size of @input with one channel: for each pixel its own @low
 * @high: as for capra_threshold()
 */
CAPRA_API
CapraArray *capra_threshold_local (CapraArray *input, CapraArray *low, double high, GError **error);

/**
 * capra_threshold_local_mask:
 *
 * As capra_threshold_local(), with @type as in capra_threshold_mask().
 */
CAPRA_API
CapraArray *capra_threshold_local_mask (CapraArray *input, CapraArray *low, double high, CapraType type,
                                        GError **error);

/**
 * capra_threshold_find:
 * @input: one channel, any type and shape
 * @method: any but manual
 * @value: (out): the value found, in the units of @input
 *
 * NaN and infinities are not counted. Histograms have 256 bins over the range of @input, as
 * scikit-image takes for float images. A constant image gives its own value. Without a finite value it is an error.
 *
 * Sources: N. Otsu 1979 (otsu); G. Zack, W. Rogers, S. Latt 1977 (triangle); C. Li, P. Tam 1998
 * (li); J. Yen, F. Chang, S. Chang 1995 (yen); T. Ridler, S. Calvard 1978 (isodata).
 */
CAPRA_API
gboolean capra_threshold_find (CapraArray *input, CapraThresholdMethod method, double *value, GError **error);

/**
 * capra_threshold_find_whole:
 * @input: one channel, any type and shape
 * @method: any but manual
 * @value: (out): the value found, in the units of @input
 *
 * As capra_threshold_find(), for images of whole numbers: histograms have a bin for each number, as scikit-image takes
 * for images of integers. If a value is not whole, or the range is 2^24 or more, it finds what that one does.
 */
CAPRA_API
gboolean capra_threshold_find_whole (CapraArray *input, CapraThresholdMethod method, double *value, GError **error);

/**
 * capra_threshold_auto:
 * @input: as for capra_threshold_find()
 * @method: likewise
 * @value: (out): the value found
 *
 * Both in one: what capra_threshold_above() makes of the value that capra_threshold_find() finds. Where the
 * device can find it, the mask is made without waiting for the host.
 *
 * Returns: (transfer full): the mask, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_threshold_auto (CapraArray *input, CapraThresholdMethod method, double *value, GError **error);

/**
 * capra_threshold_auto_mask:
 *
 * As capra_threshold_auto(), with @type as in capra_threshold_mask().
 */
CAPRA_API
CapraArray *capra_threshold_auto_mask (CapraArray *input, CapraThresholdMethod method, CapraType type, double *value,
                                       GError **error);

G_END_DECLS
