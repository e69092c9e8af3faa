/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forecast: the memory that a graph needs on devices, before it is computed. */
#pragma once

#include <capra.h>
#include <gegl.h>

G_BEGIN_DECLS

/**
 * CapraForecast:
 * @device: (nullable): the device whose memory limits the size of images; %NULL if no operation runs on a device
 * @bytes: what the operation that needs most takes there to compute its result at once; what the device holds besides
 *   is freed for it
 * @budget: the budget of the device
 * @at_once: whether they fit; otherwise the result is computed in bands
 * @width: of the largest image of the same proportions that fits, rounded down to two or three digits
 * @height: likewise
 */
typedef struct {
  CapraDevice *device;
  guint64 bytes, budget;
  gboolean at_once;
  int width, height;
} CapraForecast;

/* @graph: contains the nodes; @output: of the graph, or its last node; @image: the size of its input. Does not render.
 * FALSE with @error set if an operation names no device. */
gboolean capra_forecast_find (GeglNode *graph, GeglNode *output, const GeglRectangle *image, CapraForecast *forecast,
                              GError **error);

G_END_DECLS
