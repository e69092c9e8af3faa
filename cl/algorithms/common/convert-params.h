/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The steps of a color conversion, as bits, in the order in which convert.cl carries them out, and its constant. */
#ifndef CAPRA_CONVERT_PARAMS_H
#define CAPRA_CONVERT_PARAMS_H

#define CONVERT_DIVIDE 1   /* associated colors are divided by alpha */
#define CONVERT_DECODE 2   /* perceptual values become linear */
#define CONVERT_ENCODE 4   /* linear values become perceptual */
#define CONVERT_MULTIPLY 8 /* colors are multiplied by alpha */

/* The magnitude of alpha by which colors are at least divided, so that they can be recovered. */
#define CONVERT_ALPHA_FLOOR (1.0f / 65536)

#endif
