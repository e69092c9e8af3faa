/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the files of the azimuthal integration share. */
#pragma once

#include "algorithms/azimuthal/azimuthal-matrix.h"
#include "algorithms/azimuthal/azimuthal-params.h"
#include "algorithms/azimuthal/azimuthal.h"

G_BEGIN_DECLS

struct _CapraAzimuthal {
  gint refs; /* atomic */
  CapraContext *context;
  CapraAzimuthalSettings settings; /* without the images */
  char *text;                      /* the settings, for headers of files */
  double *radial, *azimuths;
  CapraAzimuthalMatrix matrix; /* no coefficients if all are 1 */
  CapraAzimuthalImages images; /* norms and, if there is one, the dark image */
  CapraArray *variance;        /* of the settings; NULL if they have none */
  CapraArray *fixed;           /* N_FIXED pairs of floats for each row */
  gboolean resident;           /* whether the arrays are resident */
};

/* Sets the pixels that masks leave out to PIXEL_MASKED, others to 0. */
void capra_azimuthal_find_mask (const CapraAzimuthalSettings *settings, guint8 *pixels);

/* Finds the divisor of each pixel, which is 0 if it is left out, and marks the latter in @pixels. */
void capra_azimuthal_find_norms (const CapraAzimuthalSettings *settings, guint8 *pixels, float *norms);

/* Keeps the arrays on the device, from where they may be evicted otherwise, until capra_azimuthal_release(). */
void capra_azimuthal_hold (CapraAzimuthal *azimuthal);
void capra_azimuthal_release (CapraAzimuthal *azimuthal);

/* Work-items for a row: on GPUs as many as rows have entries, roughly. */
gsize capra_azimuthal_row_group (const CapraAzimuthal *azimuthal);

/* Whether sums are doubles, and not pairs of floats. */
gboolean capra_azimuthal_has_doubles (const CapraAzimuthal *azimuthal);

G_END_DECLS
