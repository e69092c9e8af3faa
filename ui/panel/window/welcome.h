/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Welcome: what a window without an image shows: how to get one, and sample images. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraWelcome:
 *
 * Its buttons activate the actions "win.open", "win.paste-image" and "win.open-sample".
 */
#define CAPRA_TYPE_WELCOME (capra_welcome_get_type ())
G_DECLARE_FINAL_TYPE (CapraWelcome, capra_welcome, CAPRA, WELCOME, GtkWidget)

G_END_DECLS
