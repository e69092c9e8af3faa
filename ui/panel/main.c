/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra-panel: the panel on its own. */
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
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  capra_gegl_start ();

  application = capra_panel_application_new ();
  capra_panel_application_handle_signals (application);
  status = g_application_run (G_APPLICATION (application), argc, argv);

  /* GEGL must not go while a worker is within it; one that does not come back goes with us. */
  capra_preview_wait_for_workers ();
  return status;
}
