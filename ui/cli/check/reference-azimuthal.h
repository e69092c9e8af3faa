/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scalar reference in double precision for the azimuthal integration. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* The results of a frame, CAPRA_AZIMUTHAL_N_PLANES planes of bins: for curves of up to 4096 bins without clipping, with
 * the error models none, Poisson and variance. @variance has a value for each pixel, for the last of these. */
double *reference_azimuthal (const CapraAzimuthalSettings *s, const double *frame, const double *variance);

/* Sets @mask to 1 near the beam, where areas in polar coordinates are not those of pixels, and to 0 elsewhere. */
void reference_azimuthal_mask_pole (const CapraAzimuthalSettings *s, guint8 *mask);

G_END_DECLS
