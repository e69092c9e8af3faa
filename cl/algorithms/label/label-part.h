/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: an image whose regions are found before they have their numbers, since it is a part of a larger image. The
 * regions of parts are joined by label-seams.h. Private. */
#pragma once

#include "algorithms/label/label-options.h"
#include "runtime/memory/array.h"

G_BEGIN_DECLS

typedef struct _CapraLabelPart CapraLabelPart;

/* A label of a part, and its number in the whole image. */
typedef struct {
  guint32 label, number;
} CapraLabelChange;

/* Enqueues the commands that find the regions of @input. @edges: whether capra_label_part_get_edges() is called */
CapraLabelPart *capra_label_part_new (CapraArray *input, const CapraLabelOptions *options, gboolean edges,
                                      GError **error);
void capra_label_part_free (CapraLabelPart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraLabelPart, capra_label_part_free)

/* Whether regions may be removed by their size or position. */
gboolean capra_label_options_filter (const CapraLabelOptions *options);

gboolean capra_label_part_read_count (CapraLabelPart *part, guint32 *count, GError **error);

/* Waits until the regions are found. Returns: (transfer none): the number of regions, then the labels of the first row,
 * and then those of the last one */
const guint32 *capra_label_part_get_edges (CapraLabelPart *part, GError **error);

/* Enqueues the commands that write the labels, or their colors. Labels of @changes (in rising order) get their numbers;
 * the other ones follow @base in the same order and without gaps: with 0 changes and base 0 they keep their values.
 * Changes need a part with edges. Can be called once. */
CapraArray *capra_label_part_write (CapraLabelPart *part, const CapraLabelChange *changes, gsize n, guint32 base,
                                    GError **error);

G_END_DECLS
