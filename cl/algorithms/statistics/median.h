/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median: of all values of an image. Not installed. */
#pragma once

#include "algorithms/common/band-source.h"

G_BEGIN_DECLS

/* The median of all values except NaN, and their number. */
gboolean capra_median (const CapraBandSource *input, guint64 *count, double *median, GError **error);

G_END_DECLS
