/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The images that `capra bench` works on, made anew from fixed seeds. */
#pragma once

#include <glib.h>

/* Fills @values with the image called @name ("noise", "blobs", "noise-50", "noise-59", "sparse", "full");
 * @number makes several that differ where that matters. FALSE if there is none of that name. */
gboolean bench_input (const char *name, gsize width, gsize height, guint number, float *values);
