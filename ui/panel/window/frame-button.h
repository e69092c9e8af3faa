/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame-button: chooses the frame of a document's file. */
#pragma once

#include <gtk/gtk.h>

#include "ui/panel/window/document.h"

G_BEGIN_DECLS

/* Lets @button show and choose the frame of @document. It is visible for files with several frames. */
void capra_frame_button_connect (GtkSpinButton *button, CapraDocument *document);

G_END_DECLS
