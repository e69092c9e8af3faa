/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extension: a process that GIMP starts and that stays, so that a call of a script costs no start of GEGL and OpenCL.
 *
 * Each procedure for scripts exists twice. GIMP starts a process for each call of a permanent procedure. The extension
 * installs temporary procedures of the same names, which GIMP prefers while they exist. If the extension crashes, GIMP
 * removes them, and the permanent procedures are called again.
 *
 * GIMP ends a plug-in that is called while tiles are transferred. So the temporary procedures are withdrawn during a
 * call: other calls in this time go to the permanent procedures, and run in parallel. GIMP's protocol has no way to
 * prevent that a call arrives while the procedures are being withdrawn or installed, which takes less than a
 * millisecond. Such a call fails with a message.
 *
 * GEGL and OpenCL are started by the first call: GIMP's start waits only for the process itself, about 10 ms. GIMP
 * cannot start an extension for a call, since it would wait for the extension to end. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CAPRA_EXTENSION "extension-capra"
#define CAPRA_EXTENSION_BLURB "Keeps a process that applies steps, for fast repeated calls; for internal use"

typedef struct {
  void (*install) (void);   /* installs the temporary procedures */
  void (*uninstall) (void); /* returns when GIMP no longer calls them */
  void (*process) (void);   /* waits for a message from GIMP and processes it; exits if GIMP has ended */
} CapraExtension;

/* Installs the temporary procedures. @extension: must stay valid. The caller then confirms the start to GIMP. */
void capra_extension_start (const CapraExtension *extension);
/* Serves calls until GIMP ends. */
void capra_extension_run (void) G_GNUC_NORETURN;

/* To be called at the start of each temporary procedure, before it calls GIMP. FALSE with @error set if another call is
 * in progress; the procedure then returns without calling GIMP. */
gboolean capra_extension_begin_call (GError **error);
/* To be called at its end, if it has begun. It has to be before the call returns: a script can call again at once. */
void capra_extension_end_call (void);

G_END_DECLS
