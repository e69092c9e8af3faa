/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: joins the regions of an image's bands, on the host. Private.
 *
 * Each band has labels of its own, 1, 2, … in raster order. The parts of regions are all these labels, one band after
 * the other, so that the first part of a region is the one with its first pixel. */
#pragma once

#include "algorithms/label/label.h"

G_BEGIN_DECLS

typedef struct _CapraLabelSeams CapraLabelSeams;

CapraLabelSeams *capra_label_seams_new (const CapraLabelOptions *options, gsize width);
void capra_label_seams_free (CapraLabelSeams *seams);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraLabelSeams, capra_label_seams_free)

/* Adds the next band, which has @count labels, those of its rows @first and @last among them. Fails if there are more
 * parts than 32 bits can number. */
gboolean capra_label_seams_add_band (CapraLabelSeams *seams, guint32 count, const guint32 *first, const guint32 *last,
                                     GError **error);

/* The size of a region. @edge: whether it touches the edge of the image */
typedef struct {
  guint64 pixels;
  gboolean edge;
} CapraLabelSize;

/* Gives the labels of the last band their sizes (of CapraLabelSize), from label 1 on. */
void capra_label_seams_add_sizes (CapraLabelSeams *seams, const GArray *sizes);

/* Numbers the regions that the options keep, after all bands were added. Returns their number. */
guint32 capra_label_seams_number (CapraLabelSeams *seams);

/* The numbers of the labels 0, 1, … of band @i; @count is set to how many these are. Free with g_free(). */
guint32 *capra_label_seams_get_numbers (const CapraLabelSeams *seams, gsize i, gsize *count);

G_END_DECLS
