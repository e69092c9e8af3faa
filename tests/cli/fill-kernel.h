/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel with faults, in the programs that a test starts. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Programs that this test starts use fill.cl with @statement instead of the one that writes. Returns the folder of the
 * changed file. */
char *fill_kernel_replace (const char *statement);

/* Ends that. @folder: (transfer full): what fill_kernel_replace() returned. */
void fill_kernel_restore (char *folder);

G_END_DECLS
