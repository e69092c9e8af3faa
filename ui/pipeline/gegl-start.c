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

/* A fifth of GEGL's operations are under the GPL: GEGL lists them only to programs that declare this license, and
 * others that consist of them fail. After gegl_init(), a change would register all operations again. */
static void
declare_license (void)
{
  g_autofree char *license = NULL;

  g_object_get (gegl_config (), "application-license", &license, NULL);
  if (g_strcmp0 (license, "GPL3") != 0)
    g_object_set (gegl_config (), "application-license", "GPL3", NULL);
}

void
capra_gegl_start (void)
{
  declare_license ();
  gegl_init (NULL, NULL);
  if (!capra_gegl_has_operations () && g_file_test (CAPRA_PLUGIN_DIR, G_FILE_TEST_IS_DIR))
    gegl_load_module_directory (CAPRA_PLUGIN_DIR);
}
