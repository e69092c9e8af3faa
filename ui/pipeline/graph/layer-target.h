/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layer-target: what becomes of a result that a host writes into a layer. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* Bits of the components of a pixel. */
typedef enum {
  CAPRA_LAYER_RED = 1 << 0,
  CAPRA_LAYER_GREEN = 1 << 1,
  CAPRA_LAYER_BLUE = 1 << 2,
  CAPRA_LAYER_ALPHA = 1 << 3,
  CAPRA_LAYER_ALL = 15,
} CapraLayerComponents;

/**
 * CapraLayerTarget:
 * @selection: (nullable): how much of each pixel is replaced, 0 to 1, with the extent of the layer; %NULL if all pixels
 *   are
 * @components: those that are replaced
 * @n_effects: number of the layer's effects, which are rendered later and can be changed
 * @with_effects: whether the pixels contain them already
 *
 * The result gets the format of the layer, and with it its precision, its palette, and no alpha if the layer has none.
 * It is blended with the layer in linear light, with associated alpha. Pixels outside the bounds of the result become
 * transparent, those outside the layer are dropped. This is what GIMP does when a plug-in's pixels are merged.
 */
typedef struct {
  GeglBuffer *selection;
  CapraLayerComponents components;
  guint n_effects;
  gboolean with_effects;
} CapraLayerTarget;

/* Marks @layer as the pixels of a host's layer. */
void capra_layer_target_mark (GeglBuffer *layer, const CapraLayerTarget *target);
/* (nullable): %NULL if @image is not the layer of a host */
const CapraLayerTarget *capra_layer_target_get (GeglBuffer *image);

/* Adds a node below @root that outputs the layer after @result was written into it. @layer: its pixels. Both buffers
 * must live as long as the node. */
GeglNode *capra_layer_target_add_node (GeglNode *root, GeglNode *result, GeglBuffer *layer,
                                       const CapraLayerTarget *target);

/* Registers the operation with GEGL. To be called in the main thread before others use GEGL: while a thread initializes
 * the operation's class, it waits for GEGL's lock on the list of operations, whose holder may wait for that class. */
void capra_layer_target_register (void);

G_END_DECLS
