/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalar references in double precision, which `capra check` and the tests share: values, noise, borders. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* Value @i of @data, which are values of @type. */
double reference_value (CapraType type, gconstpointer data, gsize i);

/* Uniform noise over the range of the type of @shape, or in [-1, 1) for floats; @values gets the same as doubles. It
 * depends only on @seed. */
void reference_noise (const CapraShape *shape, guint32 seed, gpointer data, double *values);

/* The index at which a border rule reads @i on an axis of @n samples, or -1 for zero. */
gint64 reference_border (gint64 i, gint64 n, CapraBorder border);

/* Compares two doubles, for qsort(). */
int reference_compare (gconstpointer a, gconstpointer b);

G_END_DECLS
