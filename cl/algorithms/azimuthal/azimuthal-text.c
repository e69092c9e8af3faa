/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Settings of an azimuthal integration as text, as in the headers of pyFAI's files. */
#include "algorithms/azimuthal/azimuthal-text.h"

#include <math.h>

/* The shortest text of @value that converts back, in any locale, between @before and @after. */
static void
append_number (GString *text, const char *before, double value, const char *after)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, before);
  g_string_append (text, g_ascii_dtostr (buffer, sizeof buffer, value));
  g_string_append (text, after);
}

static void
append_poni (GString *text, const CapraAzimuthalSettings *settings)
{
  const CapraPoni *poni = &settings->poni;
  /* Names of detectors come from files. */
  g_autofree char *detector = g_strescape (*poni->detector ? poni->detector : "Detector", NULL);

  g_string_append (text, "{\n    \"poni_version\": 2.1,\n");
  append_number (text, "    \"dist\": ", poni->distance, ",\n");
  append_number (text, "    \"poni1\": ", poni->poni1, ",\n");
  append_number (text, "    \"poni2\": ", poni->poni2, ",\n");
  append_number (text, "    \"rot1\": ", poni->rot1, ",\n");
  append_number (text, "    \"rot2\": ", poni->rot2, ",\n");
  append_number (text, "    \"rot3\": ", poni->rot3, ",\n");
  g_string_append_printf (text, "    \"detector\": \"%s\",\n    \"detector_config\": {\n", detector);
  append_number (text, "        \"pixel1\": ", poni->pixel1, ",\n");
  append_number (text, "        \"pixel2\": ", poni->pixel2, ",\n");
  g_string_append_printf (text, "        \"orientation\": %u,\n        \"max_shape\": [%u, %u]\n    }",
                          poni->orientation, settings->height, settings->width);
  if (poni->wavelength > 0)
    append_number (text, ",\n    \"wavelength\": ", poni->wavelength, "");
  g_string_append (text, "\n}\n");
}

static const char *
yes_or_no (gboolean value)
{
  return value ? "True" : "False";
}

char *
capra_azimuthal_settings_to_text (const CapraAzimuthalSettings *settings)
{
  GString *text = g_string_new (NULL);

  append_poni (text, settings);
  g_string_append_printf (text, "Mask applied: %s\nDark current applied: %s\nFlat field applied: %s\n",
                          yes_or_no (settings->mask != NULL), yes_or_no (settings->dark != NULL),
                          yes_or_no (settings->flat != NULL));
  if (isnan (settings->polarization))
    g_string_append (text, "Polarization factor: None\n");
  else
    append_number (text, "Polarization factor: ", settings->polarization, "\n");
  append_number (text, "Normalization factor: ", settings->normalization, "\n");
  return g_string_free (text, FALSE);
}
