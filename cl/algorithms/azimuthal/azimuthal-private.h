/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What the files of the azimuthal integration share. */
#pragma once

#include "algorithms/azimuthal/azimuthal-params.h"
#include "algorithms/azimuthal/azimuthal-sparse.h"
#include "algorithms/azimuthal/azimuthal.h"
#include "runtime/memory/array-internal.h"

G_BEGIN_DECLS

struct _CapraAzimuthal {
  gint refs; /* atomic */
  CapraContext *context;
  CapraAzimuthalSettings settings; /* without the images */
  char *text;                      /* the settings, for headers of files */
  guint32 n_rows, n_entries;
  gboolean weighted; /* not all coefficients are 1 */
  double *radial, *azimuths;
  CapraArray *starts, *pixels, *coefficients; /* the matrix; no coefficients if all are 1 */
  CapraArray *fixed;                          /* N_FIXED pairs of floats for each row */
  GMutex lock;                                /* guards the following two */
  CapraArray *norms, *darks;                  /* images; uploaded at the first use of @norms */
  float *norm_image, *dark_image;             /* the same on the host; no dark image if there is none */
};

/* Finds the pixels that are left out, and the divisor of each pixel; 0 for those that are left out. */
void capra_azimuthal_find_pixels (const CapraAzimuthalSettings *settings, guint8 *pixels, float *norms);

/* The sums of each row that do not depend on the frame, as N_FIXED pairs of floats. */
float *capra_azimuthal_find_fixed (const CapraSparse *matrix, const float *norms, const float *dark);

/* Uploads the images of @azimuthal that kernels read for each pixel, unless they are on the device. */
gboolean capra_azimuthal_upload_images (CapraAzimuthal *azimuthal, GError **error);

G_END_DECLS
