/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: by value, by a value for each pixel, or by a value found from the histogram. */
#pragma once

#include "algorithms/clip/clip.h"
#include "algorithms/common/band-source.h"
#include "algorithms/common/color.h"

G_BEGIN_DECLS

/* Methods of finding the value, as scikit-image defines them. */
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
 * @low: lower limit, inclusive
 * @high: upper limit, inclusive; infinity for none
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
 * As capra_threshold(), with a mask of another type.
 */
CAPRA_API
CapraArray *capra_threshold_mask (CapraArray *input, double low, double high, CapraType type, GError **error);

/**
 * capra_threshold_colors:
 * @input: as for capra_convert()
 * @from: the encoding of @input
 * @perceptual: whether perceptual luminance is compared
 * @luminance: (nullable): as for capra_convert()
 * @low: lower limit of the luminance, inclusive
 * @high: upper limit, inclusive; infinity for none
 * @mask: the layout of the mask: Y, YA, RGB or RGBA, with the alpha of @input
 * @type: f32, u8 or u16
 *
 * Converts to luminance and compares it in one pass.
 *
 * Returns: (transfer full): the mask, in which the largest value of u8 and u16 stands for 1, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_threshold_colors (CapraArray *input, CapraEncoding from, gboolean perceptual,
                                    const double luminance[3], double low, double high, CapraColor mask, CapraType type,
                                    GError **error);

/**
 * capra_threshold_above:
 * @value: values strictly above it are set, as is usual for the result of capra_threshold_find()
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
 * @low: an array of the size of @input with one channel: the lower limit of each pixel
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
 * NaN and infinities are ignored. Histograms have 256 bins over the range of @input, as in scikit-image for float
 * images. The value of a constant image is its only value. An image without finite values is an error.
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
 * As capra_threshold_find(), for images of whole numbers: histograms have a bin for each number, as in scikit-image for
 * images of integers. Falls back to capra_threshold_find() if a value is not whole, the range is 2^24 or more, or there
 * are more than 4294967295 values.
 */
CAPRA_API
gboolean capra_threshold_find_whole (CapraArray *input, CapraThresholdMethod method, double *value, GError **error);

/**
 * capra_threshold_find_bands: (skip)
 *
 * As capra_threshold_find(). The value is the same as that of the whole image, but for the last digits of a mean
 * (capra_statistics_bands()), with which also the method li begins.
 */
CAPRA_API
gboolean capra_threshold_find_bands (const CapraBandSource *input, CapraThresholdMethod method, double *value,
                                     GError **error);

/**
 * capra_threshold_find_whole_bands: (skip)
 *
 * As capra_threshold_find_whole().
 */
CAPRA_API
gboolean capra_threshold_find_whole_bands (const CapraBandSource *input, CapraThresholdMethod method, double *value,
                                           GError **error);

/**
 * capra_threshold_auto:
 * @input: as for capra_threshold_find()
 * @method: as for capra_threshold_find()
 * @value: (out): the value found
 *
 * The mask that capra_threshold_above() makes with the value of capra_threshold_find(). If the device can compute the
 * value, the mask does not wait for the host.
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

/**
 * capra_threshold_clip:
 * @input: as for capra_threshold_find()
 * @type: as for capra_threshold_mask()
 * @clip: (out): the result of capra_clip()
 *
 * The mask of the values strictly above the threshold that capra_clip() finds. If the device computes it, the mask does
 * not wait for the host.
 *
 * Returns: (transfer full): the mask, or %NULL with @error set
 */
CAPRA_API
CapraArray *capra_threshold_clip (CapraArray *input, const CapraClipOptions *options, CapraType type, CapraClip *clip,
                                  GError **error);

/**
 * capra_threshold_clip_begin:
 * @state: (out) (transfer full) (nullable): what capra_threshold_clip_end() needs
 *
 * As capra_threshold_clip(), without waiting for the result, so that the next steps can be started. They must be
 * repeated if capra_threshold_clip_end() replaces the mask.
 */
CAPRA_API
CapraArray *capra_threshold_clip_begin (CapraArray *input, const CapraClipOptions *options, CapraType type,
                                        CapraArray **state, GError **error);

/**
 * capra_threshold_clip_end:
 * @state: (nullable): from capra_threshold_clip_begin(), with the same other arguments
 * @mask: (inout) (transfer full): the mask, which is replaced if the device has not found the threshold at once
 * @replaced: (out): whether it was replaced
 * @clip: (out): the result of capra_clip()
 *
 * Waits for the result.
 */
CAPRA_API
gboolean capra_threshold_clip_end (CapraArray *state, CapraArray *input, const CapraClipOptions *options,
                                   CapraType type, CapraArray **mask, gboolean *replaced, CapraClip *clip,
                                   GError **error);

G_END_DECLS
