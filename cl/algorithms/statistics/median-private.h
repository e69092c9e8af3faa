/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median: the methods. Private. */
#pragma once

#include "algorithms/common/band-source.h"
#include "algorithms/common/order-key.h"

G_BEGIN_DECLS

/* Whether the tuning and the size of @input allow the bracket. */
gboolean capra_median_bracket_fits (CapraArray *input);

/* Fails without an error if the sample or the list does not suffice. */
gboolean capra_median_bracket (CapraArray *input, guint64 *count, double *median, GError **error);

gboolean capra_median_radix (const CapraBandSource *input, guint64 *count, double *median, GError **error);

/* The mean of the two middle values, given by their order keys. */
static inline double
capra_median_of_keys (CapraType type, const guint32 keys[2])
{
  return 0.5 * (capra_order_key_to_value (type, keys[0]) + capra_order_key_to_value (type, keys[1]));
}

G_END_DECLS
