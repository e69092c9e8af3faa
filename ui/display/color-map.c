/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Color-map: colors for shares from 0 to 1. */
#include "ui/display/color-map.h"

#include <math.h>

#include "ui/display/color-map-tables.h"

#define NEUTRAL_GRAY 0xc8c8c8u /* for colored maps */
#define NEUTRAL_BLUE 0x9db4ccu /* for gray ones */

static const char *const names[] = {
  [CAPRA_COLOR_MAP_GRAY] = "gray",
  [CAPRA_COLOR_MAP_INVERTED_GRAY] = "inverted-gray",
  [CAPRA_COLOR_MAP_VIRIDIS] = "viridis",
  [CAPRA_COLOR_MAP_INFERNO] = "inferno",
  NULL,
};

const char *const *
capra_color_map_get_names (void)
{
  return names;
}

gboolean
capra_color_map_from_name (const char *name, CapraColorMap *map)
{
  for (guint i = 0; names[i]; i++)
    if (g_strcmp0 (name, names[i]) == 0)
      {
        *map = (CapraColorMap) i;
        return TRUE;
      }
  return FALSE;
}

guint32
capra_color_map_get (CapraColorMap map, double share)
{
  gboolean gray = map == CAPRA_COLOR_MAP_GRAY || map == CAPRA_COLOR_MAP_INVERTED_GRAY;
  guint32 level;

  if (isnan (share))
    return gray ? NEUTRAL_BLUE : NEUTRAL_GRAY;
  level = (guint32) (CLAMP (share, 0.0, 1.0) * 255.0 + 0.5);
  switch (map)
    {
    case CAPRA_COLOR_MAP_VIRIDIS: return viridis[level];
    case CAPRA_COLOR_MAP_INFERNO: return inferno[level];
    case CAPRA_COLOR_MAP_INVERTED_GRAY: level = 255 - level; break;
    default: break;
    }
  return level << 16 | level << 8 | level;
}
