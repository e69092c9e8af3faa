/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* First result: whether the process may be one that computes a single result and saves it, as the program gegl does.
 *
 * Such a process needs its memory to decode and to encode the image. What is kept for the next result would be of no
 * use to it: uploads of parts, free buffers, and large blocks. A process that computes a second result, as an
 * interactive one or `capra run` does, is likely to compute more of them. */
#pragma once

#include <gegl.h>

#include "plugin/buffers/tile-grid.h"
#include "runtime/device/device.h"

G_BEGIN_DECLS

/* Whether the first result is complete. */
gboolean capra_first_result_is_complete (void);

/* Called before a driver is loaded, when it is certain that there will be a result: starts a thread, which the dynamic
 * linker would delay while it loads the driver. */
void capra_first_result_expect (void);

/* Whether capra_first_result_prepare() was called. */
gboolean capra_first_result_is_known (void);

/* Called when it is known what is computed first, and its input may not be decoded yet: the thread makes memory for its
 * tiles ready in the meantime. Only the first call in a process has an effect. */
void capra_first_result_prepare (const CapraTileGrid *grid);

/* Called when @rect of a result of the extent @whole was computed, which the host alone reads, on a @device that shares
 * its memory. Until the first result is complete, returns the free buffers of @device to the driver: parts differ in
 * size, so that few of them would serve the next part. */
void capra_first_result_add (const GeglRectangle *rect, const GeglRectangle *whole, CapraDevice *device);

G_END_DECLS
