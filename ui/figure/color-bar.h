/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Color-bar: the colors of an image's values, with ticks and their unit. */
#pragma once

#include "ui/display/color-map.h"
#include "ui/figure/page.h"
#include "ui/figure/ticks.h"

G_BEGIN_DECLS

/* Draws it to the right of @plot. @unit: (nullable): text, not markup */
void capra_color_bar_draw (CapraPage *page, const cairo_rectangle_t *plot, const CapraStretch *stretch,
                           CapraColorMap map, const char *unit);

G_END_DECLS
