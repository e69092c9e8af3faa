/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Describe: the shape, size and extremes of an array. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * CapraDescription:
 * @shape: shape and type
 * @bytes: size in device memory
 * @min: smallest value of all channels, ignoring NaN; NaN if there is no other value
 * @max: largest value
 */
typedef struct {
  CapraShape shape;
  gsize bytes;
  double min, max;
} CapraDescription;

/**
 * capra_array_describe:
 * @description: (out): shape, type, bytes and extremes, computed on the device
 */
CAPRA_API
gboolean capra_array_describe (CapraArray *array, CapraDescription *description, GError **error);

G_END_DECLS
