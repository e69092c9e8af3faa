/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Text domain: binds the translations of the library's messages when it is loaded. A program that links the library may
 * bind the same domain to another folder afterwards. */
#include <glib.h>
#include <libintl.h>

static void __attribute__ ((constructor)) bind_text_domain (void)
{
  bindtextdomain (GETTEXT_PACKAGE, CAPRA_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}
