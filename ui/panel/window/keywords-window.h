/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keywords-window: the keywords of a FITS image, to read and to copy. */
#pragma once

#include <gegl.h>
#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Whether @image (nullable) has keywords. */
gboolean capra_keywords_window_can_show (GeglBuffer *image);
/* Shows the keywords of @image in a window over @parent. */
void capra_keywords_window_show (GtkWindow *parent, GeglBuffer *image, const char *name);

G_END_DECLS
