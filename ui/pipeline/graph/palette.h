/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Palette: formats of indexed images. */
#pragma once

#include <babl/babl.h>
#include <glib.h>

G_BEGIN_DECLS

/* A format with the colors that @format has now, or @format itself if it has no palette. libgimp empties and fills the
 * palette of its format whenever a drawable is read: other threads that convert pixels at that time see other colors,
 * or freed memory. The palette of the format that is returned never changes. Pixels of both formats have the same
 * bytes. */
const Babl *capra_palette_format_keep (const Babl *format);

/* The format through which pixels are converted to @format, from any other one: @format itself if it has no palette.
 * babl may otherwise convert to a palette by way of another one, such as libgimp's, if that has the same colors. */
const Babl *capra_palette_format_get_colors (const Babl *format);

G_END_DECLS
