/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Region-marks: the regions of a table over the image: their outlines and numbers, and their selection by the pointer.
 */
#pragma once

#include "ui/panel/preview/canvas.h"
#include "ui/panel/results/results-table.h"

G_BEGIN_DECLS

/**
 * CapraRegionMarks:
 *
 * Lies over a canvas. A click on the canvas selects the region under the pointer, with Control it adds or removes it,
 * and a drag with Shift selects the regions whose centers are in the rectangle. Where labels are not known, boxes are
 * drawn instead of outlines.
 *
 * Signal "picked" (uint): the pointer has selected a row of the table; the selection has changed already.
 */
#define CAPRA_TYPE_REGION_MARKS (capra_region_marks_get_type ())
G_DECLARE_FINAL_TYPE (CapraRegionMarks, capra_region_marks, CAPRA, REGION_MARKS, GtkWidget)

GtkWidget *capra_region_marks_new (CapraCanvas *canvas);

/* @table: (nullable): of regions; without one, nothing is drawn and the pointer selects nothing */
void capra_region_marks_set_table (CapraRegionMarks *marks, CapraResultsTable *table);
/* @labels: (nullable): where the regions are */
void capra_region_marks_set_labels (CapraRegionMarks *marks, CapraRegionLabels *labels);
/* Whether all regions are marked; those that are selected always are. */
void capra_region_marks_set_all (CapraRegionMarks *marks, gboolean all);
/* Moves the middle of the view to the region of a row of the table. @zoom: also zooms, so that the region is large */
void capra_region_marks_center (CapraRegionMarks *marks, guint row, gboolean zoom);

G_END_DECLS
