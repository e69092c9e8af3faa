/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Color-map: colors for shares from 0 to 1. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraColorMap:
 *
 * All are perceptually uniform: equal steps look equal.
 */
typedef enum {
  CAPRA_COLOR_MAP_GRAY,
  CAPRA_COLOR_MAP_INVERTED_GRAY,
  CAPRA_COLOR_MAP_VIRIDIS,
  CAPRA_COLOR_MAP_INFERNO,
} CapraColorMap;

/* "gray", "inverted-gray", "viridis", "inferno", NULL */
const char *const *capra_color_map_get_names (void);
gboolean capra_color_map_from_name (const char *name, CapraColorMap *map);

/* A color as 0xRRGGBB. @share: from 0 to 1; NaN gives a neutral color that the map does not contain. */
guint32 capra_color_map_get (CapraColorMap map, double share);

G_END_DECLS
