/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units: units and names of columns from files, as text for an axis. */
#include "ui/figure/units.h"

#include <string.h>

/* In FITS headers in capital letters, or otherwise not as the standard says. */
static const struct {
  const char *name, *unit;
} known[] = {
  { "JY/BEAM", "Jy/beam" }, { "JY/PIXEL", "Jy/pixel" }, { "JY", "Jy" },   { "KELVIN", "K" },
  { "COUNTS", "counts" },   { "COUNT", "counts" },      { "ADU", "ADU" },
};

static const struct {
  const char *name, *markup;
} columns[] = {
  { "q_nm^-1", "<i>q</i> (nm<sup>\u22121</sup>)" },
  { "q_A^-1", "<i>q</i> (Å<sup>\u22121</sup>)" },
  { "2th_deg", "2<i>θ</i> (°)" },
  { "2th_rad", "2<i>θ</i> (rad)" },
  { "r_mm", "<i>r</i> (mm)" },
  { "r_m", "<i>r</i> (m)" },
  { "d*2_nm^-2", "<i>d</i>*<sup>2</sup> (nm<sup>\u22122</sup>)" },
  { "chi_deg", "<i>χ</i> (°)" },
  { "I", "Intensity" },
  { "intensity", "Intensity" },
};

/* Exponents at the ends of words: "beam-1", "nm^-1", "s**2". */
char *
capra_units_to_markup (const char *unit)
{
  g_autofree char *text = NULL, *escaped = NULL, *powers = NULL;
  g_autoptr (GRegex) power = g_regex_new ("(?<=[[:alpha:]])(\\^|\\*\\*)?\\(?([-+]?[0-9]+)\\)?", 0, 0, NULL);
  g_autoptr (GRegex) minus = g_regex_new ("<sup>-", 0, 0, NULL);

  if (!unit)
    return NULL;
  text = g_strstrip (g_strdup (unit));
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_ascii_strcasecmp (text, known[i].name) == 0)
      return g_strdup (known[i].unit);
  if (!g_utf8_validate (text, -1, NULL))
    return g_strdup ("");
  escaped = g_markup_escape_text (text, -1);
  powers = g_regex_replace (power, escaped, -1, 0, "<sup>\\2</sup>", 0, NULL);
  return g_regex_replace_literal (minus, powers, -1, 0, "<sup>\u2212", 0, NULL);
}

char *
capra_units_name_column (const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (strcmp (name, columns[i].name) == 0)
      return g_strdup (columns[i].markup);
  return g_markup_escape_text (valid, -1);
}
