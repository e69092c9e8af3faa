/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What a file of curves contains beside the curves. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraCurvesInfo:
 * @source: the name of what was integrated
 * @data_set: its data set, or ""
 * @header: (nullable): lines for the header, as from capra_azimuthal_settings_to_text()
 * @unit: as pyFAI names it: "q_nm^-1", "2th_deg" or "r_mm"
 * @first: the number of the first frame
 * @n: how many frames, or azimuths
 * @bins: points of a curve
 * @radial: their positions
 * @azimuths: (nullable): if the curves are those of the azimuthal bins of one frame, their positions in degrees
 */
typedef struct {
  const char *source, *data_set, *header, *unit;
  guint first, n, bins;
  const double *radial, *azimuths;
} CapraCurvesInfo;

G_END_DECLS
