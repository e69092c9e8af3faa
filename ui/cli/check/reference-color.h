/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colors by the formulas of sRGB. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

/* The value of @type that stands for 1: f32, u8 or u16. */
double reference_color_unit (CapraType type);

/* Pixels with usual and unusual values. Colors with an alpha near 0 are positive. Free with g_free(). */
float *reference_pixels (CapraColor color, gsize count);

/* Converts a pixel by way of linear values with straight alpha, without shortcuts. */
void reference_convert (const float *in, double *out, CapraEncoding from, CapraEncoding to, const double weights[3]);

/* The conversion that makes associated colors straight, and leaves other encodings as they are. */
CapraConversion reference_straight (CapraEncoding from);

/* Converts @count pixels in place, between encodings of as many channels. */
void reference_convert_pixels (double *values, gsize count, const CapraConversion *conversion);

/* How far a converted value may be from @wanted. */
double reference_convert_tolerance (const float *in, CapraEncoding from, double wanted);

/* The luminance of a pixel of colors between 0 and 1; @alpha is set to its alpha. */
double reference_luminance (const double *pixel, CapraEncoding encoding, gboolean perceptual, const double weights[3],
                            double *alpha);

G_END_DECLS
