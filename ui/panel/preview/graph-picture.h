/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph-picture: the result of a graph over a small image, as a picture. */
#pragma once

#include <gtk/gtk.h>

#include "ui/pipeline/graph/graph.h"

G_BEGIN_DECLS

/**
 * capra_graph_picture_new:
 * @image: whose kind selects how values are shown, see capra_display_kind_find()
 *
 * For any thread.
 *
 * Returns: (transfer full) (nullable): %NULL if the result is empty or much larger than a picture
 */
GdkTexture *capra_graph_picture_new (CapraGraph *graph, GeglBuffer *image);

G_END_DECLS
