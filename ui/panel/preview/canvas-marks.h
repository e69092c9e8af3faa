/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-marks: what a canvas draws over images that it compares. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The label of the original image. */
void capra_canvas_marks_draw_before (GtkWidget *canvas, GtkSnapshot *snapshot);
/* The labels of both images, whose border is at @x; @split: also the line between them, with a handle. */
void capra_canvas_marks_draw_compared (GtkWidget *canvas, GtkSnapshot *snapshot, double x, gboolean split);

G_END_DECLS
