/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Constants: small read-only buffers such as filter weights, kept on the device by content. Private. */
#pragma once

#include "runtime/device/context.h"

G_BEGIN_DECLS

/* A buffer that holds @data, with a reference for the caller (clReleaseMemObject). */
cl_mem capra_constants_get (CapraContext *context, gconstpointer data, gsize bytes, GError **error);

G_END_DECLS
