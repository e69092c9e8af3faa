/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wrap-layout: two widgets beside each other, or above each other if there is too little room. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * CapraWrapLayout:
 *
 * For a widget with two children. The first one gets at least the width in the property "room" (int, pixels; -1 for its
 * natural width), and the second one the rest, up to its natural width. If that is not enough for the second one, the
 * first one gets a line of its own above it. Between them is the space in the property "spacing" (int, pixels).
 */
#define CAPRA_TYPE_WRAP_LAYOUT (capra_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (CapraWrapLayout, capra_wrap_layout, CAPRA, WRAP_LAYOUT, GtkLayoutManager)

G_END_DECLS
