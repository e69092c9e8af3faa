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

G_END_DECLS
