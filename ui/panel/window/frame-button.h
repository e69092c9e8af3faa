/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame-button: shows and chooses the frame of a document's file, and the data set that it is in. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/**
 * CapraFrameButton:
 *
 * Hidden unless the file has several frames, or several data sets.
 */
#define CAPRA_TYPE_FRAME_BUTTON (capra_frame_button_get_type ())
G_DECLARE_FINAL_TYPE (CapraFrameButton, capra_frame_button, CAPRA, FRAME_BUTTON, GtkBox)

/* Call it once. */
void capra_frame_button_set_document (CapraFrameButton *button, CapraDocument *document);

G_END_DECLS
