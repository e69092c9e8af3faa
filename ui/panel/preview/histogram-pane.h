/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-pane: the histogram of a pipeline, with the threshold of a step. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/preview.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraHistogramPane:
 *
 * Shows the values that belong to the selected step, see capra_histogram_subject_find(), and the threshold with which
 * that step compares them. The threshold can be dragged; if a method has found it, it becomes a manual one. The result
 * for a large image is counted for a reduced one first, and from its own pixels as soon as the preview has nothing else
 * to compute. It is hidden until it has an image.
 *
 * Properties: "heights" (string): "linear" or "logarithmic"; "channel" (string): "all", "red", "green" or "blue";
 * "busy" (boolean): whether the picture is being computed: new values are shown when it is complete; "outdated"
 * (boolean, read-only): whether the values that are shown, dimmed, belong to an earlier state of the pipeline.
 */
#define CAPRA_TYPE_HISTOGRAM_PANE (capra_histogram_pane_get_type ())
G_DECLARE_FINAL_TYPE (CapraHistogramPane, capra_histogram_pane, CAPRA, HISTOGRAM_PANE, GtkWidget)

GtkWidget *capra_histogram_pane_new (CapraStepModel *pipeline);
/* @image: (nullable)
 * @preview: (nullable): of @image with the same steps; it computes the values of a large result's own pixels */
void capra_histogram_pane_set_image (CapraHistogramPane *pane, CapraPyramid *image, CapraPreview *preview);
/* Counts again, because something other than the steps has changed, such as the device. */
void capra_histogram_pane_refresh (CapraHistogramPane *pane);

G_END_DECLS
