/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels: textures that GTK's Cairo renderer draws without converting them. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @bytes: rows without gaps, in the format of cairo's ARGB32. It can be called by any thread. */
GdkTexture *capra_pixels_new (int width, int height, GBytes *bytes);

/* Draws a texture of capra_pixels_new(), as gtk_snapshot_append_texture() does. For each frame, GTK 4.8's Cairo
 * renderer would convert all pixels of the texture to floating-point numbers and back. */
void capra_pixels_draw (GtkSnapshot *snapshot, GtkWidget *widget, GdkTexture *texture, const graphene_rect_t *bounds);

G_END_DECLS
