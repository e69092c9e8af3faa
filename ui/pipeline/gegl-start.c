/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Start: GEGL with Capra's operations. */
#include "ui/pipeline/gegl-start.h"

#include <gegl.h>

void
capra_gegl_start (void)
{
  gegl_init (NULL, NULL);
  if (!gegl_has_operation ("capra:gaussian-blur") && g_file_test (CAPRA_PLUGIN_DIR, G_FILE_TEST_IS_DIR))
    gegl_load_module_directory (CAPRA_PLUGIN_DIR);
}
