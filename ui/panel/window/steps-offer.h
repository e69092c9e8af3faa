/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps-offer: offers the steps with which an image was made, and the image that they were applied to. */
#pragma once

#include "ui/panel/window/document.h"
#include "ui/panel/window/message-bar.h"

G_BEGIN_DECLS

/**
 * CapraStepsOffer:
 *
 * When a document opens an image that contains its steps, shows an offer: to open the original image with the steps, or
 * to apply them to the image that is open. Nothing happens unasked. The offer stays until it is answered or another
 * image is open.
 */
#define CAPRA_TYPE_STEPS_OFFER (capra_steps_offer_get_type ())
G_DECLARE_FINAL_TYPE (CapraStepsOffer, capra_steps_offer, CAPRA, STEPS_OFFER, GObject)

/* @bar: shows the offers; must exist as long as @document opens images. */
CapraStepsOffer *capra_steps_offer_new (CapraDocument *document, CapraMessageBar *bar);

/* Opens @file as the original of the image with the steps. The notice that it is another one follows. */
void capra_steps_offer_open (CapraStepsOffer *offer, GFile *file);

G_END_DECLS
