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
  CapraAzimuthalSettings settings; /* without the images, except for bands */
  char *text;                      /* the settings, for headers of files */
  double *radial, *azimuths;
  CapraAzimuthalMatrix matrix; /* no coefficients if all are 1 */
  CapraAzimuthalImages images; /* norms and, if there is one, the dark image */
  CapraArray *variance;        /* of the settings; NULL if they have none */
  CapraArray *fixed;           /* N_FIXED pairs of floats for each row; NULL for a part of the matrix */
  gboolean resident;           /* whether the arrays are resident */
  guint8 *mask;                /* for bands: the pixels of the frame that masks leave out; then no arrays are set */
  CapraAzimuthalRange range;   /* for bands: the coordinates of all others */
};

/* Returns (transfer full): for each pixel PIXEL_MASKED if a mask leaves it out, otherwise 0. */
guint8 *capra_azimuthal_find_mask (const CapraAzimuthalSettings *settings);

/* Finds the divisor of each pixel of the part, which is 0 if it is left out, and marks the latter in @pixels. */
void capra_azimuthal_find_norms (const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part, guint8 *pixels,
                                 float *norms);

/* An object without arrays and axes. */
CapraAzimuthal *capra_azimuthal_make (CapraDevice *device, const CapraAzimuthalSettings *settings, GError **error);

void capra_azimuthal_set_axes (CapraAzimuthal *azimuthal, const AzimuthalAxis *radial, const AzimuthalAxis *azimuths);

/* Fails if the budget cannot hold the arrays of the part, or what the matrix of a @band takes while it is built: each
 * pixel that no mask leaves out is in one bin or more. */
gboolean capra_azimuthal_check_budget (const CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings,
                                       const CapraAzimuthalPart *part, gboolean band, const guint8 *pixels,
                                       GError **error);

/* Makes the arrays of the part from its @pixels, which may be changed; of a band without the sums that do not depend on
 * the frame. @range: (nullable): the coordinates of all pixels of the frame, for a band; NULL for the whole matrix. On
 * failure, some arrays may be left. */
gboolean capra_azimuthal_build (CapraAzimuthal *azimuthal, const CapraAzimuthalSettings *settings,
                                const CapraAzimuthalPart *part, const CapraAzimuthalRange *range, guint8 *pixels,
                                GError **error);

/* Adds the coordinates of the part's pixels to the range of @azimuthal, which is for bands. */
gboolean capra_azimuthal_extend_range (CapraAzimuthal *azimuthal, const CapraAzimuthalPart *part, GError **error);

void capra_azimuthal_make_resident (CapraAzimuthal *azimuthal);

/* Releases all arrays. */
void capra_azimuthal_clear_arrays (CapraAzimuthal *azimuthal);

/* Keeps the arrays on the device, from where they may be evicted otherwise, until capra_azimuthal_release(). */
void capra_azimuthal_hold (CapraAzimuthal *azimuthal);
void capra_azimuthal_release (CapraAzimuthal *azimuthal);

G_END_DECLS
