/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Constants: a cache of small read-only buffers such as filter weights, by their contents. Not installed. */
#pragma once

#include "runtime/device/context.h"

G_BEGIN_DECLS

/* A buffer with a copy of @data; the caller owns a reference (clReleaseMemObject). */
cl_mem capra_constants_get (CapraContext *context, gconstpointer data, gsize bytes, GError **error);

G_END_DECLS
