/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Thumbnails: small pictures of the results of all steps of a pipeline. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/preview/pyramid.h"
#include "ui/panel/steps/step-model.h"

G_BEGIN_DECLS

/**
 * CapraThumbnails:
 *
 * They are computed from a reduced image in a thread, after a pause in which neither the pipeline changes nor the
 * preview is busy, so that they do not delay it.
 *
 * Properties: "busy" (boolean): whether the preview is rendering. Signal "updated": capra_thumbnails_get() has changed.
 */
#define CAPRA_TYPE_THUMBNAILS (capra_thumbnails_get_type ())
G_DECLARE_FINAL_TYPE (CapraThumbnails, capra_thumbnails, CAPRA, THUMBNAILS, GObject)

CapraThumbnails *capra_thumbnails_new (CapraStepModel *pipeline);
/* @image: (nullable) */
void capra_thumbnails_set_image (CapraThumbnails *thumbnails, CapraPyramid *image);
/* Computes them again, because something other than the steps has changed, such as the device. */
void capra_thumbnails_refresh (CapraThumbnails *thumbnails);
/* (transfer none) (nullable): the picture of the step @id; %NULL before it is computed and for disabled steps */
GdkPaintable *capra_thumbnails_get (CapraThumbnails *thumbnails, guint id);

G_END_DECLS
