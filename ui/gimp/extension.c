/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extension: a process that GIMP starts and that stays. */
#include "ui/gimp/extension.h"

/* Global because GIMP 2.10 passes no user data. */
static struct {
  const CapraExtension *functions;
  gboolean installed;
} extension;

static void
install (void)
{
  if (!extension.installed)
    extension.functions->install ();
  extension.installed = TRUE;
}

void
capra_extension_start (const CapraExtension *functions)
{
  extension.functions = functions;
  install ();
}

void
capra_extension_run (void)
{
  while (TRUE)
    {
      extension.functions->process ();
      /* The call has returned by now. If the procedures existed before, GIMP could take its result for that of another
       * call. */
      install ();
    }
}

void
capra_extension_begin_call (void)
{
  if (!extension.installed)
    return;
  extension.installed = FALSE;
  extension.functions->uninstall ();
}
