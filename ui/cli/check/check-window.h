/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that all area filters share: images, windows, and values that are not finite. */
#pragma once

#include "ui/cli/check/check-run.h"
#include "ui/cli/check/reference-filter.h"

G_BEGIN_DECLS

/**
 * CheckFilter:
 * @run: filters @input with the parameters @data
 * @expect: the reference
 * @reach: how far the filter reaches to each side along x and y
 * @tolerance: relative to the largest value of the image
 * @spread: how far NaN and infinity may change outputs, in multiples of the reach: 1, or 2 where a method sums samples
 *   in groups
 */
typedef struct {
  CapraArray *(*run) (CapraArray *input, gconstpointer data, const CapraWindow *window, GError **error);
  double *(*expect) (const ReferenceImage *image, gconstpointer data, CapraRect result);
  void (*reach) (gconstpointer data, int *x, int *y);
  double tolerance;
  int spread;
} CheckFilter;

/* Filters noise of @shape, in the case that has begun. */
gboolean check_filter (Check *check, const CheckFilter *filter, gconstpointer data, const CapraShape *shape);

/* Parts of an image from the pixels that they need: inside it, at its borders, and beyond them. */
gboolean check_windows (Check *check, const CheckFilter *filter, gconstpointer data);

/* NaN and infinity change all outputs whose sum they are in, and none further away than their spread. */
gboolean check_not_finite (Check *check, const CheckFilter *filter, gconstpointer data);

G_END_DECLS
