/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram-subject: which values of a pipeline its histogram shows. */
#pragma once

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraHistogramSubject:
 * @n_steps: the values are the result of this number of steps
 * @step: (nullable): the step that they belong to; %NULL for the image
 * @threshold: (nullable): @step if it compares the values with a threshold
 * @labels: whether @step labels regions of the values
 * @final: whether the steps after them only measure: the values are those of the picture. Those of a host's layer are
 *   what the layer contains after Apply; others are the steps' own, not yet rounded to the layer's format
 */
typedef struct {
  guint n_steps;
  CapraStep *step, *threshold;
  gboolean labels, final;
} CapraHistogramSubject;

/* What belongs to the selected step: its result, or the values that it compares with a threshold, or in which it labels
 * regions: the colors of regions are not values. For steps that measure, which do not change the picture, it is what
 * belongs to the step before them. If no step is selected, what belongs to the first threshold, or else to the last
 * step. */
CapraHistogramSubject capra_histogram_subject_find (CapraStepModel *pipeline);

/* The format of the values, in floats. @image: the source of the pipeline. */
const char *capra_histogram_subject_get_format (const CapraHistogramSubject *subject, GeglBuffer *image);

/* The name of the scale of these values, for people. */
const char *capra_histogram_subject_get_scale (const CapraHistogramSubject *subject, GeglBuffer *image);

/* What the values are, for people (g_free). */
char *capra_histogram_subject_get_title (const CapraHistogramSubject *subject, GeglBuffer *image);
/* (nullable): how the values differ from others of a host's layer, for people; %NULL for other images. */
const char *capra_histogram_subject_get_explanation (const CapraHistogramSubject *subject, GeglBuffer *image);

G_END_DECLS
