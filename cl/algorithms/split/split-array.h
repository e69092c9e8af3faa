/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Split array: an image or volume whose rows are split over several devices, which filter their rows at the same time.
 *
 * Each device holds a part: its own rows, and a margin of rows of its neighbors. A filter reduces the margin by its
 * reach, so that several filters run one after the other without a transfer; when the margin is too small, the missing
 * rows are copied between the devices. Results are the same as those of one device. */
#pragma once

#include "algorithms/common/window.h"
#include "algorithms/label/label.h"

G_BEGIN_DECLS

/**
 * CapraSplitShare:
 * @device: a device; several parts may be on the same one
 * @weight: its speed relative to the other weights; above 0
 */
typedef struct {
  CapraDevice *device;
  double weight;
} CapraSplitShare;

/**
 * CapraSplitArray:
 *
 * Is not changed after it was made. Any thread may use it.
 */
typedef struct _CapraSplitArray CapraSplitArray;

/**
 * CapraSplitFunc:
 * @input: the part of the image that is on one device
 * @window: the rows to compute; its extent is the whole image
 *
 * A filter, such as a call of capra_gaussian_blur() or capra_convolve(). It should only enqueue commands: the devices
 * run them at the same time.
 *
 * Returns: (transfer full): an array with the pixels of the window's result, or %NULL with @error set
 */
typedef CapraArray *(*CapraSplitFunc) (CapraArray *input, const CapraWindow *window, gpointer data, GError **error);

/**
 * capra_split_array_new_from_data:
 * @shares: the devices from top to bottom. Each gets rows in proportion to its weight, those of its margin included;
 *   devices for which none are left, as they would compute hardly more than their margin, are left out
 * @n: the number of @shares, at least 1
 * @margin: rows that each part has beyond its own ones, as far as the image has them: the sum of the reaches of the
 *   filters that follow, or 0
 * @shape: of the whole image
 * @data: capra_shape_bytes() bytes
 *
 * Uploads the parts at the same time. Returns when @data may be reused.
 *
 * Returns: (transfer full): a new split array, or %NULL with @error set
 */
CAPRA_API
CapraSplitArray *capra_split_array_new_from_data (const CapraSplitShare *shares, guint n, guint margin,
                                                  const CapraShape *shape, gconstpointer data, GError **error);

CAPRA_API
void capra_split_array_free (CapraSplitArray *split);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraSplitArray, capra_split_array_free)

CAPRA_API
const CapraShape *capra_split_array_get_shape (const CapraSplitArray *split);

/* The number of parts: of devices that have rows. */
CAPRA_API
guint capra_split_array_get_n_parts (const CapraSplitArray *split);

/**
 * capra_split_array_get_part:
 * @index: counts from the top
 * @own: (out) (optional): the first of the part's own rows and their number
 * @held: (out) (optional): the first row of the array and the number of its rows: with the margin
 *
 * Returns: (transfer none): the array on the device of the part
 */
CAPRA_API
CapraArray *capra_split_array_get_part (const CapraSplitArray *split, guint index, gsize own[2], gsize held[2]);

/**
 * capra_split_array_filter:
 * @reach: how many rows @func needs above and below a pixel
 * @border: the border rule that @func uses
 * @func: the filter; is called for each part, on its device, from top to bottom
 *
 * Returns when the commands are enqueued: they may still run (capra_split_array_wait()).
 *
 * Returns: (transfer full): the result, whose parts are on the same devices, or %NULL with @error set
 */
CAPRA_API
CapraSplitArray *capra_split_array_filter (const CapraSplitArray *split, guint reach, CapraBorder border,
                                           CapraSplitFunc func, gpointer data, GError **error);

/**
 * capra_split_array_label:
 * @split: as the input of capra_label()
 * @count: (out) (optional): the number of regions
 *
 * As capra_label(), with the same labels. Only the labels at the borders of the parts move between the devices. Returns
 * when the commands are enqueued that write the labels.
 *
 * Returns: (transfer full): the labels, whose parts are on the same devices, without a margin, or %NULL with @error set
 */
CAPRA_API
CapraSplitArray *capra_split_array_label (const CapraSplitArray *split, const CapraLabelOptions *options,
                                          guint32 *count, GError **error);

/* Waits for the commands of all parts. */
CAPRA_API
gboolean capra_split_array_wait (const CapraSplitArray *split, GError **error);

/**
 * capra_split_array_download:
 * @data: (out caller-allocates): room for capra_shape_bytes() bytes of the whole image
 *
 * Downloads the own rows of all parts at the same time.
 */
CAPRA_API
gboolean capra_split_array_download (const CapraSplitArray *split, gpointer data, GError **error);

G_END_DECLS
