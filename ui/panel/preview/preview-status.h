/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preview-status: how far the rendering of a view has come. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/**
 * CapraPreviewStatus:
 * @bounds: bounds of the result, in pixels of the image; empty until they are known
 * @busy: whether a part of the view is still to be rendered
 * @complete: whether the whole view was rendered from the image at full size
 * @first_ms: milliseconds from the last change to the first full view; negative until then
 * @final_ms: milliseconds from the last change until the view was complete; negative until then
 * @render_ms: milliseconds that were spent on rendering the complete view, without a coarse view before it, and without
 *   building kernels
 * @build_ms: milliseconds in which kernels were built at their first use, for the coarse view, too
 * @progress: fraction of the view that is final, 0 to 1
 */
typedef struct {
  GeglRectangle bounds;
  gboolean busy, complete;
  double first_ms, final_ms, render_ms, build_ms, progress;
} CapraPreviewStatus;

G_END_DECLS
