/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Image-size: a function that readers call with the size of an image. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @bytes: of the decoded pixels */
typedef void (*CapraImageSizeFunc) (guint64 bytes, gpointer data);

G_END_DECLS
