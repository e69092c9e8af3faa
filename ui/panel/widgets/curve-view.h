/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curve-view: shows a curve, with points that can be dragged, added and removed. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraCurveView:
 *
 * Signal "changed" (GeglCurve): the user changed the curve; the argument is a new object.
 */
#define CAPRA_TYPE_CURVE_VIEW (capra_curve_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraCurveView, capra_curve_view, CAPRA, CURVE_VIEW, GtkWidget)

GtkWidget *capra_curve_view_new (void);
/* @curve: (nullable): is not modified; %NULL for a straight line. */
void capra_curve_view_set_curve (CapraCurveView *view, GeglCurve *curve);

/* Moves point @index to @x, @y, or adds a point there if @index is -1. */
void capra_curve_view_move (CapraCurveView *view, int index, double x, double y);
/* Removes point @index, unless it is one of the last two. */
void capra_curve_view_remove (CapraCurveView *view, int index);

G_END_DECLS
