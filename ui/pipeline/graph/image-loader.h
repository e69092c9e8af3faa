/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-loader: nodes that load an image, such as gegl:load, with errors if it cannot be read.
 *
 * GEGL's loaders do not return errors: they output an image of the error message, or an empty one. */
#pragma once

#include <gegl.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Whether @node loads an image from the file in its property "path". */
gboolean capra_image_loader_is (GeglNode *node);

/**
 * capra_image_loader_set_step:
 * @node: a loader with the operation of @step and default properties
 * @raw: whether the graph works on raw values, see capra_raw_values_load()
 * @replaced: (out): whether the image has been read and @node now outputs it; if not, the caller sets the properties
 *   and calls capra_image_loader_check()
 *
 * Returns: FALSE with @error set if the image cannot be read; the output of @node is undefined then
 */
gboolean capra_image_loader_set_step (GeglNode *node, CapraStep *step, gboolean raw, gboolean *replaced,
                                      GError **error);

/* FALSE with @error set if GEGL cannot load the image of @node. */
gboolean capra_image_loader_check (GeglNode *node, GError **error);

/* Both functions, for a loader in a graph that GEGL parsed. FALSE with @error set if the image cannot be read. */
gboolean capra_image_loader_replace (GeglNode *node, gboolean raw, GError **error);

G_END_DECLS
