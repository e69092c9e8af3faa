/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GIMP for tests: its configuration in the tests' home folder, with few plug-ins. */
#pragma once

#include "hosts.h"

G_BEGIN_DECLS

/* GIMP 2.10 with our module and our plug-in, and with those for TIFF and Script-Fu. @settings: as for
 * hosts_run (). */

/* Without a window: runs @scripts (of char *) in Script-Fu, each even if those before it failed. */
HostsRun *gimp_run_scripts (const char *settings, int seconds, GPtrArray *scripts);

/* GIMP in a window on a screen of its own: works through @steps (see gimp-driver.c) on the image at @path,
 * which is overwritten. Pictures go to @screenshot among the artefacts. Returns: what it said (g_free) */
char *gimp_run_window (const char *settings, const char *path, const char *steps, const char *screenshot);

G_END_DECLS
