/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file with the curves of all frames: NeXus (HDF5), or text. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

typedef struct _CurvesFile CurvesFile;

typedef struct {
  const char *source, *data_set; /* what was integrated */
  const char *unit;              /* as pyFAI names it: "q_nm^-1", "2th_deg" or "r_mm" */
  guint first, n, bins;
  const double *radial;
} CurvesInfo;

/* Creates a temporary file beside @path; NeXus if the name ends with .h5, .hdf5, .nxs or .nx5, else text. */
CurvesFile *curves_file_new (const char *path, const CurvesInfo *info, GError **error);

/* Appends the curves of frames: intensity, standard deviation, and standard error of the mean, in the order of the
 * planes of libcapra's results. */
gboolean curves_file_append (CurvesFile *file, guint n, const float *values, const gboolean *good, GError **error);

/* Completes the file, and replaces @path by it. */
gboolean curves_file_finish (CurvesFile *file, GError **error);

/* Also removes the temporary file unless it was completed. */
void curves_file_free (CurvesFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CurvesFile, curves_file_free)

G_END_DECLS
