/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP for tests: configured in the tests' home folder, with few plug-ins. */
#pragma once

#include "tests/hosts/hosts.h"

G_BEGIN_DECLS

/* A GIMP with our module and our plug-in, and with those for TIFF and Script-Fu. @settings: as for
 * hosts_run (). */

/* Whether it is GIMP 3 and not 2.10. */
gboolean gimp_is_3 (void);

/* Whether nothing critical was logged, except by GIMP 3's own plug-ins. */
gboolean gimp_ended_well (const HostsRun *run);

/* Without a window: runs @scripts (of char *) in Script-Fu, each even if those before it failed (not in GIMP 3). */
HostsRun *gimp_run_scripts (const char *settings, int seconds, GPtrArray *scripts);

/* GIMP in a window on a screen of its own: works through @steps (see driver.h) on the image at @path,
 * which is overwritten. Pictures go to @screenshot among the artefacts. Returns: what it said (g_free) */
char *gimp_run_window (const char *settings, const char *path, const char *steps, const char *screenshot);

G_END_DECLS
