/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The entry points that GEGL calls when it loads capra.so. They only register types, since every program that uses GEGL
 * loads the module; start.c and recent-host.c initialize OpenCL. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>

#include <gegl-plugin.h>
#include <glib/gi18n-lib.h>

#include "plugin/area-filter.h"
#include "plugin/gzip-load.h"
#include "plugin/image-source.h"
#include "plugin/operations.h"
#include "plugin/recent-host.h"
#include "plugin/buffers/resident.h"

const GeglModuleInfo *gegl_module_query (GTypeModule *module);
gboolean gegl_module_register (GTypeModule *module);

G_MODULE_EXPORT const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

  return &info;
}

/* The path of this module. */
static const char *
own_path (void)
{
  Dl_info info;

  return dladdr (own_path, &info) && info.dli_fname ? info.dli_fname : "capra.so";
}

G_MODULE_EXPORT gboolean
gegl_module_register (GTypeModule *module)
{
  /* GEGL closes the module after registering and opens it again when needed, with the same path. A second copy of the
   * module finds the types registered under another path. */
  GQuark quark = g_quark_from_static_string ("capra-module-path");
  GType type = g_type_from_name ("CapraOperation");
  const char *path = own_path (), *used = type ? g_type_get_qdata (type, quark) : NULL;

  if (type && g_strcmp0 (used, path) != 0)
    {
      g_warning ("The Capra module is installed twice: %s is used, %s is not. Remove one of them, or remove its "
                 "folder from GEGL_PATH.",
                 used ? used : "another copy", path);
      return TRUE;
    }
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  capra_resident_register (module);
  capra_operation_register (module);
  capra_area_filter_register (module);
  capra_image_source_register (module);
  capra_gzip_load_register (module);
  CAPRA_REGISTER_OPERATIONS (module);
  capra_recent_host_watch ();
  if (!type)
    g_type_set_qdata (g_type_from_name ("CapraOperation"), quark, g_strdup (path));
  return TRUE;
}
