/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-view: the image with its live preview, the progress and times over it, and the status bar below. */
#pragma once

#include <adwaita.h>

#include "ui/panel/preview/canvas.h"
#include "ui/panel/preview/line-tool.h"
#include "ui/panel/steps/step-model.h"
#include "ui/pipeline/graph/display-stretch.h"

G_BEGIN_DECLS

/**
 * CapraImageView:
 *
 * Renders a pipeline whenever it changes, and sets the errors of its steps.
 *
 * Properties: "has-image" (boolean, read-only); "show-timings" (boolean): whether times are shown over the image;
 * "show-selection" (boolean): whether the outline of a layer's selection is shown;
 * "stretch" (string): "none", or the name of a CapraStretchCurve; "limits" (double): the share of the values between
 * the limits of the stretch, in percent, or %CAPRA_DISPLAY_AUTOMATIC. Each kind of images has both of its own.
 * Signals: "errors-changed": errors of steps have changed; "failed" (string): a file could not be written.
 */
#define CAPRA_TYPE_IMAGE_VIEW (capra_image_view_get_type ())
G_DECLARE_FINAL_TYPE (CapraImageView, capra_image_view, CAPRA, IMAGE_VIEW, GtkBox)

/* Call it once, before an image is set. */
void capra_image_view_set_pipeline (CapraImageView *view, CapraStepModel *pipeline);
/* @image: (nullable); @file: (nullable): where it is from */
void capra_image_view_set_image (CapraImageView *view, CapraPyramid *image, GFile *file);
/* The stretch of images of a kind. */
void capra_image_view_set_stretch (CapraImageView *view, CapraDisplayKind kind, const CapraDisplayStretch *stretch);
const CapraDisplayStretch *capra_image_view_get_stretch (CapraImageView *view, CapraDisplayKind kind);
/* Opens the menu of the stretch. */
void capra_image_view_show_stretch_menu (CapraImageView *view);
/* Renders again, because something other than the steps has changed, such as the device. */
void capra_image_view_refresh (CapraImageView *view);

/* Shows @widget over the canvas. */
void capra_image_view_add_overlay (CapraImageView *view, GtkWidget *widget);

/* (transfer none) */
CapraCanvas *capra_image_view_get_canvas (CapraImageView *view);
/* (transfer none) */
CapraLineTool *capra_image_view_get_line_tool (CapraImageView *view);
/* (transfer none): shows toasts over the image, above the status bar. */
AdwToastOverlay *capra_image_view_get_toasts (CapraImageView *view);
/* (transfer none) (nullable): %NULL without an image. */
CapraPreview *capra_image_view_get_preview (CapraImageView *view);
/* (transfer none) (nullable): where the image is from. */
GFile *capra_image_view_get_file (CapraImageView *view);

G_END_DECLS
