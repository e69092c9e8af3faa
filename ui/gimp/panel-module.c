/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Panel-module: loads the module "panel". */
#include "ui/gimp/panel-module.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>
#include <stdlib.h>

#include "ui/gimp/host.h"
#include "ui/gimp/panel.h"

/* Never closed: GTK's types cannot be unregistered. */
static GModule *module;

static gpointer
find (const char *name)
{
  gpointer symbol = NULL;

  return g_module_symbol (module, name, &symbol) ? symbol : NULL;
}

/* GIMP's folder can contain a link to the program. */
static char *
make_path (const char *argv0)
{
  g_autofree char *folder = NULL;
  char *program = realpath (argv0, NULL);

  folder = g_path_get_dirname (program ? program : argv0);
  free (program);
  return g_build_filename (folder, "panel." G_MODULE_SUFFIX, NULL);
}

gboolean
capra_panel_module_run (const char *argv0, int drawable, char **xml, gboolean *effects, GError **error)
{
  g_autofree char *path = make_path (argv0);
  gboolean (*run) (int, char **, gboolean *, GError **) = NULL;

  if (!module)
    module = g_module_open (path, G_MODULE_BIND_LAZY);
  run = module ? find ("capra_gimp_panel_run") : NULL;
  if (run)
    return run (drawable, xml, effects, error);
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("Cannot open the panel: %s"), g_module_error ());
  return FALSE;
}

void
capra_panel_module_quit (void)
{
  void (*quit) (void) = module ? find ("capra_gimp_panel_quit") : NULL;

  if (quit)
    quit ();
}
