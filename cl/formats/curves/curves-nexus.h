/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Curves as NeXus. Not installed. */
#pragma once

#include "formats/curves/curves-info.h"

G_BEGIN_DECLS

#define CAPRA_CURVES_N 3 /* intensity, standard deviation, standard error of the mean */

typedef struct _CapraCurvesNexus CapraCurvesNexus;

/* Functions without an error fail where libhdf5 does; it prints nothing. */
CapraCurvesNexus *capra_curves_nexus_new (const char *path, const CapraCurvesInfo *info);
gboolean capra_curves_nexus_write (CapraCurvesNexus *nexus, guint from, guint n, guint bins, float *const *curves,
                                   const guint8 *good);
/* Also frees @nexus. FALSE if the file is not complete, as on a full disk. */
gboolean capra_curves_nexus_close (CapraCurvesNexus *nexus);

G_END_DECLS
