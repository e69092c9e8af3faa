/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: joins the regions of an image's bands, on the host. Private.
 *
 * Each band has labels of its own, 1, 2, … in raster order, so that those of its first row are 1, 2, … in this row. A
 * region of the image consists of one label or of several; its number follows from the first of these, in the first
 * band that it touches. */
#pragma once

#include "algorithms/label/label-part.h"

G_BEGIN_DECLS

typedef struct _CapraLabelSeams CapraLabelSeams;

/* The size of a region. @edge: whether it touches the edge of the image */
typedef struct {
  guint64 pixels;
  gboolean edge;
} CapraLabelSize;

CapraLabelSeams *capra_label_seams_new (const CapraLabelOptions *options, gsize width);
void capra_label_seams_free (CapraLabelSeams *seams);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraLabelSeams, capra_label_seams_free)

/* Adds the next band, which has @count labels, those of its rows @first and @last among them: %NULL where no other band
 * follows. @sizes: (nullable) (transfer full): of CapraLabelSize, from label 1 on, if the options remove regions. Fails
 * if there are more labels than 32 bits can number. */
gboolean capra_label_seams_add_band (CapraLabelSeams *seams, guint32 count, const guint32 *first, const guint32 *last,
                                     GArray *sizes, GError **error);

/* Numbers the regions that the options keep, after all bands were added. Returns their number. */
guint32 capra_label_seams_number (CapraLabelSeams *seams);

/* For bands without sizes: the arguments of capra_label_part_write() for band @i. */
const CapraLabelChange *capra_label_seams_get_changes (const CapraLabelSeams *seams, gsize i, gsize *n, guint32 *base);

/* For bands with sizes: the numbers of the labels 0, 1, … of band @i; @n is set to how many these are. */
const guint32 *capra_label_seams_get_numbers (const CapraLabelSeams *seams, gsize i, gsize *n);

G_END_DECLS
