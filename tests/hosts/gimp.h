/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GIMP for tests: configured in the tests' home folder, with few plug-ins. */
#pragma once

#include "tests/hosts/hosts.h"

G_BEGIN_DECLS

/* GIMP has Capra's module and plug-in, and its own plug-ins for PNG, TIFF and Script-Fu.
 * @settings: as for hosts_run (). */

/* Whether the tests run GIMP 3 instead of 2.10. */
gboolean gimp_is_3 (void);

/* Whether the exit status is 0 and no critical message was logged, except by GIMP 3 itself and its plug-ins. */
gboolean gimp_succeeded (const HostsRun *run);

/* Runs @scripts (of char *) in Script-Fu, without a window. GIMP 2.10 also runs the scripts after one that failed. */
HostsRun *gimp_run_scripts (const char *settings, GPtrArray *scripts);

/* The same, with a display for the panels that the scripts open. @panels: commands for each of them, in lines, see
 * panel-script.c */
HostsRun *gimp_run_panels (GPtrArray *scripts, const char *panels);

/* A process of GIMP or of its plug-ins that the tests have started. @program: (nullable): its path; %NULL for any.
 * Returns: 0 if none is running */
int gimp_find_process (const char *program);

/* Runs GIMP with a window on a new display. A driver does @steps (see driver.h) on the image at @path and overwrites
 * the file. Screenshots are saved as @screenshot in the folder for artifacts. Returns: the standard error (g_free) */
char *gimp_run_window (const char *settings, const char *path, const char *steps, const char *screenshot);

G_END_DECLS
