/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gegl-start: initializes GEGL and finds Capra's operations. */
#include "ui/pipeline/gegl-start.h"

#include <gegl.h>

gboolean
capra_gegl_has_operations (void)
{
  g_autofree char **names = gegl_list_operations (NULL); /* GEGL owns the strings */

  for (guint i = 0; names && names[i]; i++)
    if (g_str_has_prefix (names[i], "capra:"))
      return TRUE;
  return FALSE;
}

void
capra_gegl_start (void)
{
  gegl_init (NULL, NULL);
  if (!capra_gegl_has_operations () && g_file_test (CAPRA_PLUGIN_DIR, G_FILE_TEST_IS_DIR))
    gegl_load_module_directory (CAPRA_PLUGIN_DIR);
}
