/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The file in which a program records its device. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* (nullable): a file name for a process that runs @program, or for the script that an interpreter runs; %NULL if that
 * is unknown, so that one script does not start devices for all others. @folder: in which the process was started */
char *capra_recent_device_name (const char *program, const char *folder, const char *const *arguments);

G_END_DECLS
