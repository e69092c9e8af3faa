/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A GIMP for tests: its configuration in the tests' home folder, with few plug-ins. */
#pragma once

#include "hosts.h"

G_BEGIN_DECLS

/* GIMP 2.10's programs with our module, and with the plug-ins for TIFF and Script-Fu, and one of ours
 * where @plug_in is its path. @settings as for hosts_run (); ends with %NULL. */
HostsRun *gimp_run (const char *settings, const char *plug_in, int seconds, const char *program, ...)
  G_GNUC_NULL_TERMINATED;

G_END_DECLS
