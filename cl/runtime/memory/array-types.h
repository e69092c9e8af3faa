/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Types and shapes of arrays. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Element types. There are no float64 arrays: capra_array_upload_doubles() rounds to float32. */
typedef enum {
  CAPRA_U8,
  CAPRA_I8,
  CAPRA_U16,
  CAPRA_I16,
  CAPRA_U32,
  CAPRA_I32,
  CAPRA_F32,
} CapraType;

/**
 * CapraShape:
 * @width: samples along x, at least 1
 * @height: along y; 1 for a vector
 * @depth: along z; 1 for an image
 * @channels: interleaved values per sample, 1 to 4
 * @type: the type of a value
 *
 * Element (x, y, z, c) is at index ((z·height + y)·width + x)·channels + c, without padding.
 */
typedef struct {
  gsize width, height, depth;
  guint channels;
  CapraType type;
} CapraShape;

/* Shorthands: an image or volume with one channel. */
#define CAPRA_SHAPE_2D(w, h, type) ((CapraShape){ (w), (h), 1, 1, (type) })
#define CAPRA_SHAPE_3D(w, h, d, type) ((CapraShape){ (w), (h), (d), 1, (type) })

/**
 * CapraArray:
 *
 * Reference-counted. Commands that use an array run in the order in which they were enqueued; functions that return
 * data to the host wait for them. Any thread may use an array, but not while another one writes to it.
 */
typedef struct _CapraArray CapraArray;

G_END_DECLS
