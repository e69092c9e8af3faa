/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host-layer: the layer of a host that a window works on: its state, its effects, and steps that were kept with it. */
#pragma once

#include <adwaita.h>

#include "ui/panel/window/document.h"
#include "ui/panel/window/message-bar.h"

G_BEGIN_DECLS

/**
 * CapraHostLayer:
 *
 * Property "with-effects" (boolean): whether the user wants to work on the layer with its effects, and not before them.
 * Signal "reload": the host has to call capra_host_layer_set_image(), because the user wants to see the layer as it is
 * now, or the property has changed.
 */
#define CAPRA_TYPE_HOST_LAYER (capra_host_layer_get_type ())
G_DECLARE_FINAL_TYPE (CapraHostLayer, capra_host_layer, CAPRA, HOST_LAYER, GObject)

/* @effects: chooses between the layer before its effects and with them; hidden if the layer has none */
CapraHostLayer *capra_host_layer_new (CapraDocument *document, CapraMessageBar *messages, GtkDropDown *effects);
/* Adds the action "reload". */
void capra_host_layer_add_actions (CapraHostLayer *layer, GActionMap *map);

/* @pixels: marked with capra_layer_target_mark(). The view is kept if they have the extent of those before. */
void capra_host_layer_set_image (CapraHostLayer *layer, GeglBuffer *pixels, const char *name);
gboolean capra_host_layer_get_with_effects (CapraHostLayer *layer);
/* Whether steps can be added as effects: hosts add them after the effects that the layer has. */
gboolean capra_host_layer_can_add_effects (CapraHostLayer *layer);

/* Tells the user that the layer has changed in the host since capra_host_layer_set_image(). */
void capra_host_layer_set_outdated (CapraHostLayer *layer);
/* Reloads a layer of which that was said, and says so. Returns: whether it had changed: the preview was of another
 * state
 */
gboolean capra_host_layer_reload_outdated (CapraHostLayer *layer);
/* Offers steps (of CapraStep) that were not applied when the panel was closed before. */
void capra_host_layer_offer_steps (CapraHostLayer *layer, GPtrArray *steps);
/* Whether steps are offered that the user has not restored. */
gboolean capra_host_layer_has_offer (CapraHostLayer *layer);

G_END_DECLS
