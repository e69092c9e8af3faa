/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-pane: the histogram of a pipeline, with the threshold of its first threshold step. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraHistogramPane:
 *
 * Shows the values that the first threshold step compares, and that threshold, which can be dragged. Without such a
 * step it shows the values of the result. It is hidden until it has an image.
 */
#define CAPRA_TYPE_HISTOGRAM_PANE (capra_histogram_pane_get_type ())
G_DECLARE_FINAL_TYPE (CapraHistogramPane, capra_histogram_pane, CAPRA, HISTOGRAM_PANE, GtkWidget)

GtkWidget *capra_histogram_pane_new (CapraStepModel *pipeline);
/* @image: (nullable) */
void capra_histogram_pane_set_image (CapraHistogramPane *pane, CapraPyramid *image);

G_END_DECLS
