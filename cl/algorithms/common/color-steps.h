/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Color steps: what a conversion between color layouts does, for the kernels that include color.clh. Not installed. */
#pragma once

#include "algorithms/common/color.h"
#include "runtime/launch/launch.h"

G_BEGIN_DECLS

/* The value of @type that stands for 1; 0 for types that the kernels do not support. */
int capra_color_largest (CapraType type);

/* The steps of convert-params.h from one encoding to another. */
int capra_color_get_steps (CapraEncoding from, CapraEncoding to);

#define CAPRA_COLOR_CURVE_VALUES 512

/* The color of each 8-bit value, linear if @steps decode, and then the alpha of each. */
const float *capra_color_get_curve (int steps);

/* Whether kernels for CPUs that include color-rows.clh can carry out @conversion of an array of @shape while they load
 * its rows: the channels stay the same. */
gboolean capra_color_fuses (const CapraShape *shape, const CapraConversion *conversion);

/* Whether kernels for CPUs that include straight.clh can carry out @conversion, if there is one, of results with
 * @channels while they store them: colors are divided by alpha. */
gboolean capra_color_straightens (guint channels, const CapraConversion *conversion);

/* The option that color-rows.clh requires for arrays of @type, and its last arguments. @conversion: (nullable): for
 * which capra_color_fuses() is true */
const char *capra_color_rows_option (CapraType type);
void capra_color_rows_pass (CapraLaunch *launch, CapraType type, const CapraConversion *conversion);

/* Sets an error and returns FALSE if colors in @input, encoded as @from, cannot be converted to @to and @type.
 * @luminance: (nullable): as for capra_convert() */
gboolean capra_color_check (CapraArray *input, CapraEncoding from, CapraEncoding to, const double *luminance,
                            CapraType type, GError **error);

G_END_DECLS
