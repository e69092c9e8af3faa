/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Hardware: graphics cards that OpenCL does not find. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Adds a CapraFinding for each graphics card without a device among @devices (of CapraDevice; nullable), and for each
 * device file that this user may not use. @root: "" or the folder that has `dev` and `sys`, for tests */
void capra_hardware_explain (GPtrArray *findings, const char *root, const GPtrArray *devices);

G_END_DECLS
