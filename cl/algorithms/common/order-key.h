/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Order keys: unsigned integers that are ordered as the values that they stand for (order_key() in values.clh).
 * Private. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

double capra_order_key_to_value (CapraType type, guint32 key);
guint32 capra_order_key_from_value (CapraType type, double value);

/* What is added to an integer of @type to get its key, in wrapping 32-bit arithmetic; 0 for floats, which have a rule
 * of their own. */
guint32 capra_order_key_bias (CapraType type);

G_END_DECLS
