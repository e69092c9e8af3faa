/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The families of kernels that `capra check` knows. */
#pragma once

#include "ui/cli/check/check-run.h"

G_BEGIN_DECLS

/* Those of a file each. */
extern const CheckFamily check_fill, check_crop;                                          /* check-arrays.c */
extern const CheckFamily check_convert, check_threshold_colors;                           /* check-colors.c */
extern const CheckFamily check_threshold, check_threshold_local;                          /* check-threshold.c */
extern const CheckFamily check_threshold_find, check_threshold_whole, check_otsu;         /* check-find.c */
extern const CheckFamily check_extremes, check_statistics, check_median, check_clip;      /* check-statistics.c */
extern const CheckFamily check_label, check_label_colors, check_measure;                  /* check-regions.c */
extern const CheckFamily check_separable, check_gaussian, check_gaussian_whole;           /* check-gaussian.c */
extern const CheckFamily check_box;                                                       /* check-box.c */
extern const CheckFamily check_converted;                                                 /* check-converted.c */
extern const CheckFamily check_convolve, check_convolve_separable, check_convolve_many;   /* check-convolve.c */
extern const CheckFamily check_fourier;                                                   /* check-convolve.c */
extern const CheckFamily check_bitshuffle;                                                /* check-bitshuffle.c */
extern const CheckFamily check_azimuthal, check_azimuthal_clip;                           /* check-azimuthal.c */
extern const CheckFamily check_large_crop, check_large_threshold, check_large_statistics; /* check-large.c */
extern const CheckFamily check_large_gaussian, check_large_box, check_large_convolve;     /* check-large.c */

/* All of them. Families with large buffers come last. */
extern const CheckFamily *const check_families[];
extern const guint check_n_families;

G_END_DECLS
