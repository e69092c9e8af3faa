/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loader: nodes that load an image, such as gegl:load, made to fail where it cannot be read.
 *
 * GEGL's own give an image of an error's text then, or an empty one. */
#pragma once

#include <gegl.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Whether @node makes an image from the file that its property "path" names. */
gboolean capra_image_loader_is (GeglNode *node);

/**
 * capra_image_loader_set_step:
 * @node: a loader of the operation of @step, without properties
 * @data: whether the graph works on numbers, see capra_raw_values_load()
 * @replaced: (out): whether the image was read, and @node is now its source; if not, the caller sets the properties
 *   and calls capra_image_loader_check()
 *
 * Returns: FALSE with @error set if the image cannot be read; @node gives nothing useful then
 */
gboolean capra_image_loader_set_step (GeglNode *node, CapraStep *step, gboolean data, gboolean *replaced,
                                      GError **error);

/* Whether GEGL can load what a loader with its properties set names. */
gboolean capra_image_loader_check (GeglNode *node, GError **error);

/* Both for a loader of a graph that GEGL read. FALSE with @error set if the image cannot be read. */
gboolean capra_image_loader_replace (GeglNode *node, gboolean data, GError **error);

G_END_DECLS
