/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Render-numbers: what is computed beside the picture: the tables of steps, where their regions are, and
 * samples of values. */
#pragma once

#include <gegl.h>

#include "algorithms/common/table.h"
#include "ui/panel/preview/value-sample.h"

G_BEGIN_DECLS

/* The table of the step with the id @step, of the whole image at full size. */
typedef struct {
  guint step;
  CapraTable *table;
} CapraStepTable;

/* (element-type CapraStepTable) (transfer full): empty */
GPtrArray *capra_step_tables_new (void);
void capra_step_tables_add (GPtrArray *tables, guint step, CapraTable *table);
/* (nullable) (transfer none): the table of @step. */
CapraTable *capra_step_tables_find (GPtrArray *tables, guint step);

/**
 * CapraRegionLabels:
 * @step: the id of the step that measures the regions; 0 for none
 * @rect: what they cover, in pixels at @scale
 * @scale: at most 1, which is the image's own
 * @labels: the number of the region at each pixel, 0 outside all; %NULL if it is not known
 *
 * Counted references (g_atomic_rc_box); it is not modified after its creation.
 */
typedef struct {
  guint step;
  GeglRectangle rect;
  double scale;
  guint32 *labels;
} CapraRegionLabels;

CapraRegionLabels *capra_region_labels_new (guint step, const GeglRectangle *rect, double scale);
CapraRegionLabels *capra_region_labels_ref (CapraRegionLabels *labels);
void capra_region_labels_unref (CapraRegionLabels *labels);
/* The label at a point of the image; 0 outside the regions and outside what is known. */
guint32 capra_region_labels_get (const CapraRegionLabels *labels, double x, double y);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraRegionLabels, capra_region_labels_unref)

/**
 * CapraSampleSubject:
 * @n_steps: values of the result of this number of steps
 * @written: whether the result is written into the image first, if that is a host's layer; only for all steps
 * @format: of the values, in floats; it has static storage
 */
typedef struct {
  guint n_steps;
  gboolean written;
  const Babl *format;
} CapraSampleSubject;

G_END_DECLS
