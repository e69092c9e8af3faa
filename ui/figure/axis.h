/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Axis: one side of a plot, with ticks, labels and a title. */
#pragma once

#include "ui/figure/page.h"
#include "ui/figure/ticks.h"

G_BEGIN_DECLS

typedef enum { CAPRA_SIDE_BOTTOM, CAPRA_SIDE_LEFT, CAPRA_SIDE_RIGHT } CapraSide;

/**
 * CapraAxis:
 * @plot: the area of the plot on the page
 * @kind: of the labels
 * @inward: whether ticks are inside the plot, and also on the opposite side
 */
typedef struct {
  CapraPage *page;
  cairo_rectangle_t plot;
  CapraSide side;
  CapraItemKind kind;
  gboolean inward;
} CapraAxis;

/* The position of a value: 0 at the left or the bottom, 1 at the right or the top. */
typedef double (*CapraAxisShare) (double value, gconstpointer data);

/* Draws a tick, and its label unless it is NULL. @share: its position */
void capra_axis_draw_tick (const CapraAxis *axis, double share, const char *label);
/* The size of a label along the axis, as a share of the plot. */
double capra_axis_measure (const CapraAxis *axis, const char *label);
void capra_axis_draw_ticks (const CapraAxis *axis, const CapraTicks *ticks, CapraAxisShare share, gconstpointer data);
/* @markup: (nullable). Call it after the ticks, whose labels it must not touch. */
void capra_axis_draw_title (const CapraAxis *axis, CapraItemKind kind, const char *markup);

/* The lines around the plot. */
void capra_axis_draw_frame (CapraPage *page, const cairo_rectangle_t *plot);
/* @title: (nullable): above the plot */
void capra_axis_draw_heading (CapraPage *page, const cairo_rectangle_t *plot, const char *title);

G_END_DECLS
