/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra-panel: the panel as an application. */
#include <glib/gi18n-lib.h>
#include <locale.h>

#include "ui/panel/window/application.h"
#include "ui/pipeline/write/output-file.h"
#include "ui/panel/preview/preview.h"
#include "ui/pipeline/gegl-start.h"

int
main (int argc, char **argv)
{
  g_autoptr (CapraPanelApplication) application = NULL;
  int status;

  capra_output_file_handle_signals ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  capra_gegl_start ();

  application = capra_panel_application_new ();
  capra_panel_application_handle_signals (application);
  status = g_application_run (G_APPLICATION (application), argc, argv);

  /* Static data of GEGL must not be freed while a worker uses it. A worker that hangs is not waited for. */
  capra_preview_wait_for_workers ();
  capra_output_file_remove_all ();
  return status;
}
