/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The settings of an azimuthal integration. */
#pragma once

#include "algorithms/azimuthal/poni.h"

G_BEGIN_DECLS

/* What the radial axis is. */
typedef enum {
  CAPRA_AZIMUTHAL_Q_NM,    /* the scattering vector in 1/nm */
  CAPRA_AZIMUTHAL_2TH_DEG, /* the scattering angle in degrees */
  CAPRA_AZIMUTHAL_R_MM,    /* the distance from the beam in mm */
} CapraAzimuthalUnit;

/* How pixels contribute to bins. */
typedef enum {
  CAPRA_AZIMUTHAL_SPLIT_NONE, /* to the bin of the pixel's center */
  CAPRA_AZIMUTHAL_SPLIT_BBOX, /* to the bins of the pixel's bounding box in polar coordinates */
  CAPRA_AZIMUTHAL_SPLIT_FULL, /* by the area of the pixel that is in each bin */
} CapraAzimuthalSplitting;

/* Where the variance of a pixel comes from. */
typedef enum {
  CAPRA_AZIMUTHAL_ERROR_NONE,      /* nowhere: std and sem are 0 */
  CAPRA_AZIMUTHAL_ERROR_POISSON,   /* the raw value, at least 1 */
  CAPRA_AZIMUTHAL_ERROR_VARIANCE,  /* an image of variances, or one for each frame */
  CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL, /* the squared distance from the mean of the bin */
  CAPRA_AZIMUTHAL_ERROR_HYBRID,    /* azimuthal while values are clipped, then Poisson */
} CapraAzimuthalError;

/* The planes of a frame's result. */
typedef enum {
  CAPRA_AZIMUTHAL_INTENSITY,
  CAPRA_AZIMUTHAL_STD,   /* standard deviation of a pixel */
  CAPRA_AZIMUTHAL_SEM,   /* standard error of the mean */
  CAPRA_AZIMUTHAL_COUNT, /* pixels, weighted by the part that is in the bin */
  CAPRA_AZIMUTHAL_N_PLANES,
} CapraAzimuthalPlane;

/**
 * CapraAzimuthalSettings:
 * @poni: the geometry
 * @width: columns of a frame
 * @height: rows of a frame
 * @unit: the radial axis
 * @bins: radial bins
 * @azimuthal_bins: bins of the azimuth, 1 for a curve
 * @splitting: how pixels contribute to bins
 * @error: where variances come from
 * @solid_angle: whether intensities are divided by the solid angle of the pixel
 * @polarization: the polarization factor, -1 to 1; NaN for no correction
 * @polarization_offset: the angle of the plane of polarization in radians
 * @normalization: a factor that intensities are divided by
 * @detector_mask: whether pixels between the modules of a known detector are left out
 * @mask: (nullable): width·height bytes; pixels that are not 0 are left out
 * @dark: (nullable): width·height values that are subtracted
 * @flat: (nullable): width·height values that the intensities are divided by
 * @variance: (nullable): width·height variances of all frames, for %CAPRA_AZIMUTHAL_ERROR_VARIANCE
 * @has_dummy: whether values from @dummy - @delta_dummy to @dummy + @delta_dummy are left out
 * @empty: the result of bins without pixels
 * @clip: whether values far from the mean of their bin are left out
 * @clip_threshold: how far, in standard deviations; at least by Chauvenet's criterion
 * @clip_iterations: the maximum number of iterations
 * @matrix_path: (nullable): a file from which the sparse matrix is read; it is built, and saved there, if the file does
 *   not exist, is damaged, or belongs to other settings. A file with anything else is an error
 */
typedef struct {
  CapraPoni poni;
  guint width, height;
  CapraAzimuthalUnit unit;
  guint bins, azimuthal_bins;
  CapraAzimuthalSplitting splitting;
  CapraAzimuthalError error;
  gboolean solid_angle;
  double polarization, polarization_offset, normalization;
  gboolean detector_mask;
  const guint8 *mask;
  const float *dark, *flat, *variance;
  gboolean has_dummy;
  double dummy, delta_dummy, empty;
  gboolean clip;
  double clip_threshold;
  guint clip_iterations;
  const char *matrix_path;
} CapraAzimuthalSettings;

/**
 * capra_azimuthal_settings_init:
 *
 * Sets the defaults, which are those of pyFAI: q, 1000 bins, full splitting, solid angle, no variances.
 */
CAPRA_API
void capra_azimuthal_settings_init (CapraAzimuthalSettings *settings);

/**
 * capra_azimuthal_settings_check:
 *
 * Checks all settings but the contents of the images; capra_azimuthal_new() does so, too.
 */
CAPRA_API
gboolean capra_azimuthal_settings_check (const CapraAzimuthalSettings *settings, GError **error);

G_END_DECLS
