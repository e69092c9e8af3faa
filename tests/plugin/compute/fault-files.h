/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of operations that cannot run without one, for tests of failures. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Writes a FITS image, an HDF5 file with a compressed frame, and a geometry into a new folder; the first two if Capra
 * reads them. */
void fault_files_write (gint side);

/* @chain with FITS, HDF5 and PONI replaced by their paths; NULL if one does not exist (g_free). */
char *fault_files_replace (const char *chain);

void fault_files_remove (void);

G_END_DECLS
