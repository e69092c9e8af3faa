/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixel-readout: the values of a pixel, before and after the steps, as text. */
#pragma once

#include "ui/panel/preview/preview.h"

G_BEGIN_DECLS

/**
 * capra_pixel_readout_describe:
 * @image: contains the pixel
 * @preview: (nullable): of the result of steps; if its values are not known yet, they are requested
 *
 * Returns: (transfer full): two lines: position and values, and the values after the steps
 */
char *capra_pixel_readout_describe (GeglBuffer *image, CapraPreview *preview, int x, int y);

G_END_DECLS
