/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot-nexus: curves in HDF5 files, as NeXus stores them. */
#pragma once

#include "ui/figure/columns.h"

G_BEGIN_DECLS

/* Whether the file has a name of HDF5 files: .h5, .hdf5, .nxs or .nx5. */
gboolean plot_nexus_has_name (const char *path);

/**
 * plot_nexus_read:
 * @frame: the row of the signal, from 0, if it has several
 *
 * Reads the data that the attributes "default", "signal" and "axes" select, as `capra integrate` and pyFAI write them,
 * with the errors beside it: sem, std, sigma, errors or NAME_errors.
 *
 * Returns: (nullable): %NULL with @error set
 */
CapraColumns *plot_nexus_read (const char *path, guint frame, GError **error);

G_END_DECLS
