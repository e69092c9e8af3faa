/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection-view: draws the outline of a layer's selection over a canvas. */
#pragma once

#include "ui/panel/preview/canvas.h"
#include "ui/panel/preview/pyramid.h"

G_BEGIN_DECLS

/**
 * CapraSelectionView:
 *
 * The outline is where the selection crosses a half, as in GIMP. It is drawn over the result.
 *
 * Property "canvas" (CapraCanvas): the canvas below, of the same size.
 */
#define CAPRA_TYPE_SELECTION_VIEW (capra_selection_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraSelectionView, capra_selection_view, CAPRA, SELECTION_VIEW, GtkWidget)

/* @selection: (nullable): %NULL to draw nothing; @zoom: whether to fit what is selected in the canvas */
void capra_selection_view_set_selection (CapraSelectionView *view, CapraPyramid *selection, gboolean zoom);

/* The smallest rectangle that contains all pixels of @selection that are selected at all; empty if none is. */
GeglRectangle capra_selection_get_bounds (GeglBuffer *selection);

G_END_DECLS
