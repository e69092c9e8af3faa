/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Curves as NeXus: in builds without libhdf5, no file is created. */
#include "formats/curves/curves-nexus.h"

CapraCurvesNexus *
capra_curves_nexus_new (const char *path, const CapraCurvesInfo *info)
{
  return NULL;
}

/* The other functions need a file. */

gboolean
capra_curves_nexus_write (CapraCurvesNexus *nexus, guint from, guint n, guint bins, float *const *curves,
                          const guint8 *good)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_curves_nexus_close (CapraCurvesNexus *nexus)
{
  g_return_val_if_reached (FALSE);
}
