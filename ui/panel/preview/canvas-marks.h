/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Canvas-marks: what a canvas draws over images that it compares. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A vertical line at @x with a handle in the middle of @height. */
void capra_canvas_marks_draw_split (GtkSnapshot *snapshot, double x, double height);
/* A label at the top, to the right of @x, or to its left if @end. */
void capra_canvas_marks_draw_label (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, double x, gboolean end);

G_END_DECLS
