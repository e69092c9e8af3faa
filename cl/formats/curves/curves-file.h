/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Files with the curves of azimuthal integration: NeXus (HDF5), or text. */
#pragma once

#include "formats/curves/curves-info.h"
#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraCurvesFile:
 *
 * A file that is being written.
 */
typedef struct _CapraCurvesFile CapraCurvesFile;

/**
 * capra_curves_file_knows:
 * Returns: whether @path ends as the files of curves do: .h5, .hdf5, .nxs, .nx5, .dat, .xy or .txt
 */
CAPRA_API
gboolean capra_curves_file_knows (const char *path);

/**
 * capra_curves_file_new:
 * @info: its pointers must remain valid
 *
 * Creates a temporary file beside @path: NeXus if the name ends with .h5, .hdf5, .nxs or .nx5, otherwise text.
 *
 * Returns: (transfer full): %NULL with @error set
 */
CAPRA_API
CapraCurvesFile *capra_curves_file_new (const char *path, const CapraCurvesInfo *info, GError **error);

/**
 * capra_curves_file_append:
 * @n: how many curves
 * @values: intensity, standard deviation, and standard error of the mean
 * @step: the distance between planes
 * @next: the distance between curves
 * @good: (nullable): for each curve, FALSE if its frame is damaged
 */
CAPRA_API
gboolean capra_curves_file_append (CapraCurvesFile *file, guint n, const float *values, gsize step, gsize next,
                                   const gboolean *good, GError **error);

/**
 * capra_curves_file_finish:
 *
 * Completes the file, and replaces the one at its path.
 */
CAPRA_API
gboolean capra_curves_file_finish (CapraCurvesFile *file, GError **error);

/**
 * capra_curves_file_free:
 *
 * Also removes the temporary file unless it was completed.
 */
CAPRA_API
void capra_curves_file_free (CapraCurvesFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraCurvesFile, capra_curves_file_free)

G_END_DECLS
