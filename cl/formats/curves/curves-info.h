/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What a file of curves contains beside the curves. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The attribute of the numbers of frames, if several processes write a file each: the first frame of all files, and the
 * one after the last. */
#define CAPRA_BATCH_ATTRIBUTE "batch"

/**
 * CapraCurvesInfo:
 * @source: the name of what was integrated
 * @data_set: its data set, or ""
 * @header: (nullable): lines for the header, as from capra_azimuthal_settings_to_text()
 * @unit: as pyFAI names it: "q_nm^-1", "2th_deg" or "r_mm"
 * @first: the number of the first frame
 * @n: how many frames, or azimuths
 * @batch_first: the number of the first frame of all files
 * @batch_n: how many frames all files have together; 0 if that is unknown
 * @bins: points of a curve
 * @radial: their positions
 * @azimuths: (nullable): if the curves are those of the azimuthal bins of one frame, their positions in degrees
 */
typedef struct {
  const char *source, *data_set, *header, *unit;
  guint first, n, batch_first, batch_n, bins;
  const double *radial, *azimuths;
} CapraCurvesInfo;

G_END_DECLS
