/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operation-pictures: small pictures of what operations do, with their defaults, to a sample. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraOperationPictures:
 *
 * A thread renders the pictures one after the other, in the order in which they are requested.
 *
 * Signal "ready", with the name of the operation as its detail (GdkPaintable): its picture has been rendered.
 */
#define CAPRA_TYPE_OPERATION_PICTURES (capra_operation_pictures_get_type ())
G_DECLARE_FINAL_TYPE (CapraOperationPictures, capra_operation_pictures, CAPRA, OPERATION_PICTURES, GObject)

CapraOperationPictures *capra_operation_pictures_new (void);
/* (transfer none) (nullable): the picture; %NULL if it is still to be rendered, or if there is nothing to show */
GdkPaintable *capra_operation_pictures_request (CapraOperationPictures *pictures, const char *operation);
/* The name of the icon for an operation while it has no picture. */
const char *capra_operation_pictures_get_icon (const char *operation);
/* While paused, no further picture is rendered: they must not delay other work when they cannot be seen. */
void capra_operation_pictures_set_paused (CapraOperationPictures *pictures, gboolean paused);
/* Whether pictures are still to be rendered. */
gboolean capra_operation_pictures_is_busy (CapraOperationPictures *pictures);

G_END_DECLS
