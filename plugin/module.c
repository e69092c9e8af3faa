/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Module: what GEGL calls when it loads capra.so. It does nothing but register types: every program
 * that starts GEGL loads it, and OpenCL waits for the first pixels. */
#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>

#include "plugin/operation.h"
#include "plugin/operations.h"
#include "plugin/resident.h"

const GeglModuleInfo *gegl_module_query (GTypeModule *module);
gboolean gegl_module_register (GTypeModule *module);

G_MODULE_EXPORT const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

  return &info;
}

G_MODULE_EXPORT gboolean
gegl_module_register (GTypeModule *module)
{
  /* GEGL registers, closes and opens a module again. A second copy, installed elsewhere, is another
   * matter: its types are taken, and it stays out of the way. */
  static gboolean ours = FALSE;

  if (!ours && g_type_from_name ("CapraOperation") != 0)
    {
      g_message ("another copy of the Capra module is loaded already; this one is not used");
      return TRUE;
    }
  ours = TRUE;
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  capra_resident_register (module);
  capra_operation_register (module);
  CAPRA_REGISTER_OPERATIONS (module);
  return TRUE;
}
