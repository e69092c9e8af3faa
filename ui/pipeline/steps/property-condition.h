/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Property-condition: evaluates the keys "visible" and "sensitive" of an operation's properties. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * capra_property_condition_holds:
 * @condition: (nullable): an expression in GIMP's syntax, such as "method {manual, otsu} & ! perceptual": names of
 *   boolean properties, names with values in braces, the operators !, & and |, parentheses, 0 and 1
 *
 * Returns: whether the values of @step fulfill @condition; %TRUE if it is %NULL or cannot be parsed
 */
gboolean capra_property_condition_holds (CapraStep *step, const char *condition);

G_END_DECLS
