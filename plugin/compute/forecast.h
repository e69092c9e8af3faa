/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Forecast: the memory of a device that an operation needs to compute at once, without bands. */
#pragma once

#include <gegl-plugin.h>

G_BEGIN_DECLS

/* The bytes for a result of the size of @result from @required of the input, if the device holds nothing else: the
 * arrays that exist at the same time. Other memory is freed when it is needed. */
double capra_forecast_get_bytes (GeglOperation *operation, const GeglRectangle *required, const GeglRectangle *result);

/* The data of a type of operations under which programs find a CapraForecastFunc. */
#define CAPRA_KEY_FORECAST "capra:forecast"

/* The bytes that all of the result takes at once; 0 if it is unbounded. Sets @largest to those of the largest image
 * among them: one allocation. The graph of @operation must be prepared, as by gegl_node_get_bounding_box(). */
typedef guint64 (*CapraForecastFunc) (GeglOperation *operation, guint64 *largest);

/* Implements a CapraForecastFunc for an operation that needs @required of its input. */
guint64 capra_forecast_get (GeglOperation *operation, const GeglRectangle *required, guint64 *largest);

/* Lets programs ask operations of @type and of types that are derived from it. @func: (nullable): %NULL if they need
 * all of their input, if they have one */
void capra_forecast_install (GType type, CapraForecastFunc func);

G_END_DECLS
