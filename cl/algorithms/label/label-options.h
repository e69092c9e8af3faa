/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label: the options of labeling. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraLabelOptions:
 * @connectivity: 4 or 8
 * @min_size: regions with fewer pixels become background
 * @max_size: regions with more pixels become background; 0 for no limit
 * @exclude_edges: regions that touch the edge of the image become background
 * @colors: the result holds the colors of the labels in place of the labels, as capra_label_colors() returns them
 */
typedef struct {
  int connectivity;
  guint64 min_size, max_size;
  gboolean exclude_edges;
  gboolean colors;
} CapraLabelOptions;

#define CAPRA_LABEL_DEFAULTS ((CapraLabelOptions){ 8, 0, 0, FALSE, FALSE })

G_END_DECLS
