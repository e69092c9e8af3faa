/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What C and the kernels of the azimuthal integration share. */
#ifndef CAPRA_AZIMUTHAL_PARAMS_H
#define CAPRA_AZIMUTHAL_PARAMS_H

/* The planes of a frame's result, in the order of CapraAzimuthalPlane. */
#define PLANE_INTENSITY 0
#define PLANE_STD 1
#define PLANE_SEM 2
#define PLANE_COUNT 3
#define N_PLANES 4

/* The sums of a row that do not depend on the frame, each as two floats, the second of which is the rest. */
#define FIXED_DARK 0
#define FIXED_NORM 1
#define FIXED_NORM_SQUARES 2
#define FIXED_COUNT 3
#define N_FIXED 4

/* Error models, in the order of CapraAzimuthalError. */
#define ERROR_NONE 0
#define ERROR_POISSON 1
#define ERROR_VARIANCE 2
#define ERROR_AZIMUTHAL 3
#define ERROR_HYBRID 4

/* The sums of each row over the bands of a frame so far. If values are clipped, also those of squared deviations, the
 * values between which none is left out, and the count before these were narrowed. */
#define SUM_SIGNAL 0
#define SUM_VARIANCE 1
#define SUM_NORM 2
#define SUM_SQUARES 3
#define SUM_COUNT 4
#define N_SUMS 5
#define SUM_DEVIATIONS 5
#define SUM_LEAST 6
#define SUM_MOST 7
#define SUM_BEFORE 8
#define N_SUMS_CLIPPED 9

/* Work-items of a group, each for a row of the matrix, that begin, narrow and store sums. */
#define STEP_GROUP 64

/* Work-items of a group that build the matrix, each for a pixel; the groups that find the range of the axes, at
 * most. */
#define BUILD_GROUP 256
#define BUILD_RANGES 1024

/* The sort of entries: values of a digit, and work-items of a group. */
#define SORT_DIGIT_BITS 6
#define SORT_DIGITS (1 << SORT_DIGIT_BITS)
#define SORT_GROUP 64

#endif
