/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The images that `capra bench` works on, generated from fixed seeds. */
#pragma once

#include <glib.h>

/* Fills @values with the image called @name ("noise", "blobs", "noise-50", "noise-59", "sparse", "full");
 * different values of @number give different images of the same kind. Returns FALSE for an unknown name. */
gboolean bench_input (const char *name, gsize width, gsize height, guint number, float *values);
