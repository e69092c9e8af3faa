/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-view: a curve whose points can be dragged, added and removed. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraCurveView:
 *
 * Signal "changed" (GeglCurve): the person changed it; the curve is a new one.
 */
#define CAPRA_TYPE_CURVE_VIEW (capra_curve_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraCurveView, capra_curve_view, CAPRA, CURVE_VIEW, GtkWidget)

GtkWidget *capra_curve_view_new (void);
/* @curve: (nullable): %NULL: the straight one; never modified */
void capra_curve_view_set_curve (CapraCurveView *view, GeglCurve *curve);

/* As the mouse does: takes point @index to a place, adds one there (@index -1), or removes it. */
void capra_curve_view_move (CapraCurveView *view, int index, double x, double y);
void capra_curve_view_remove (CapraCurveView *view, int index);

G_END_DECLS
