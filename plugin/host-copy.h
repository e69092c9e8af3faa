/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host copy: the pixels of arrays on the host, cut into bands that serve as GEGL tiles. */
#pragma once

#include <gegl-plugin.h>
#include <gegl-buffer-backend.h>

#include "plugin/parts.h"

G_BEGIN_DECLS

/* How an image is cut: each band is as wide as the image (made even, as zoomed tiles need it). */
typedef struct {
  gsize width, height; /* of the image */
  gsize pixel;         /* bytes */
  gint tile_width, tile_height;
  gint bands;
} CapraBands;

CapraBands capra_bands_plan (gsize width, gsize height, gsize pixel);

/* Lives as long as anyone holds it; every tile does, wherever GEGL has taken it. */
typedef struct _CapraHostCopy CapraHostCopy;

/* Pulls @parts. Where there is but one and its rows fit, nothing is copied after that: tiles lie in the
 * mapping. */
CapraHostCopy *capra_host_copy_new (const GArray *parts, const CapraBands *bands, GError **error);
CapraHostCopy *capra_host_copy_ref (CapraHostCopy *copy);
void capra_host_copy_unref (CapraHostCopy *copy);
gboolean capra_host_copy_is_shared (CapraHostCopy *copy); /* whether anyone but the caller holds it */

/* A new tile over band @index, which holds a reference of @copy. */
GeglTile *capra_host_copy_get_tile (CapraHostCopy *copy, gint index);

G_END_DECLS
