/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-subject: which values of a pipeline its histogram shows. */
#pragma once

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraHistogramSubject:
 * @n_steps: the values are the result of this number of steps
 * @threshold: (nullable): the step after them, which compares the values with a threshold
 * @step: (nullable): the last of these steps, if @threshold is %NULL; %NULL for the image
 * @final: whether the steps after them only measure: the values are those of the picture. Those of a host's layer are
 *   what the layer contains after Apply; others are the steps' own, not yet rounded to the layer's format
 */
typedef struct {
  guint n_steps;
  CapraStep *threshold, *step;
  gboolean final;
} CapraHistogramSubject;

/* What belongs to the selected step: its result, or the values that it compares with a threshold. Colors of regions are
 * no values: for steps that label regions or measure them, it is what belongs to the threshold before them. If no step
 * is selected, what belongs to the first threshold, or else to the last step. */
CapraHistogramSubject capra_histogram_subject_find (CapraStepModel *pipeline);

/* The format of the values, in floats. @image: the source of the pipeline. */
const char *capra_histogram_subject_get_format (const CapraHistogramSubject *subject, GeglBuffer *image);

/* What the values are, for people (g_free). */
char *capra_histogram_subject_get_title (const CapraHistogramSubject *subject, GeglBuffer *image);
/* (nullable): how the values differ from others of a host's layer, for people; %NULL for other images. */
const char *capra_histogram_subject_get_explanation (const CapraHistogramSubject *subject, GeglBuffer *image);

G_END_DECLS
