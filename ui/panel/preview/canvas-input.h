/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-input: pans, zooms and compares by pointer, touch and keyboard. */
#pragma once

#include "ui/panel/preview/canvas.h"

G_BEGIN_DECLS

/* Adds event controllers to @canvas. Call it once. */
void capra_canvas_input_attach (CapraCanvas *canvas);
/* Shows the original image while B is pressed in @window, unless the user is entering text. */
void capra_canvas_input_add_window_key (CapraCanvas *canvas, GtkWidget *window);

G_END_DECLS
