/* SPDX-License-Identifier: GPL-3.0-or-later */
/* View-actions: actions of a window that change how the image is shown. */
#pragma once

#include "ui/panel/preview/image-view.h"

G_BEGIN_DECLS

/* Adds the actions zoom-in, zoom-out, zoom-fit, zoom-to, compare and timing-overlay. */
void capra_view_actions_add (GActionMap *map, CapraImageView *view);

G_END_DECLS
