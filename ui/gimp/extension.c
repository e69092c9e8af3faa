/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extension: a process that GIMP starts and that stays. */
#include "ui/gimp/extension.h"

#include <glib/gi18n-lib.h>

#include "ui/gimp/host.h"

/* Global because GIMP 2.10 passes no user data. */
static struct {
  const CapraExtension *functions;
  gboolean busy; /* a call is in progress, and the procedures are not installed */
} extension;

void
capra_extension_start (const CapraExtension *functions)
{
  extension.functions = functions;
  functions->install ();
}

void
capra_extension_run (void)
{
  while (TRUE)
    extension.functions->process ();
}

gboolean
capra_extension_begin_call (GError **error)
{
  if (extension.busy)
    {
      g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED,
                   _ ("Capra is busy with another call; call it again"));
      return FALSE;
    }
  extension.busy = TRUE;
  extension.functions->uninstall ();
  return TRUE;
}

void
capra_extension_end_call (void)
{
  extension.functions->install ();
  extension.busy = FALSE;
}
