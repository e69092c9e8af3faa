/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display-stretch: whether and how values are stretched for the screen. */
#include "ui/pipeline/graph/display-stretch.h"

#include "ui/pipeline/read/raw-values.h"

static gboolean
is_fits (GFile *file)
{
  static const char *const suffixes[] = { ".fits", ".fit", ".fts", ".fits.gz", ".fit.gz", ".fits.fz" };
  g_autofree char *name = file ? g_file_get_basename (file) : NULL;
  g_autofree char *lower = name ? g_ascii_strdown (name, -1) : NULL;

  for (guint i = 0; lower && i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (lower, suffixes[i]))
      return TRUE;
  return FALSE;
}

CapraDisplayKind
capra_display_kind_find (GeglBuffer *image, GFile *file)
{
  if (is_fits (file))
    return CAPRA_DISPLAY_FITS;
  return capra_raw_values_get (image) ? CAPRA_DISPLAY_RAW : CAPRA_DISPLAY_COLORS;
}

CapraDisplayStretch
capra_display_stretch_get_default (CapraDisplayKind kind)
{
  return (CapraDisplayStretch){ kind != CAPRA_DISPLAY_COLORS,
                                kind == CAPRA_DISPLAY_FITS ? CAPRA_STRETCH_ASINH : CAPRA_STRETCH_LINEAR,
                                CAPRA_DISPLAY_AUTOMATIC };
}

gboolean
capra_display_stretch_equal (const CapraDisplayStretch *a, const CapraDisplayStretch *b)
{
  return a->enabled == b->enabled && a->curve == b->curve && a->percent == b->percent;
}
