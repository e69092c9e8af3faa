/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Stream: whether kernels for CPUs should store a result around the caches (stream.clh). Private. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/* A larger result is not in a CPU's caches when it is read. A second-level cache has about 1 MiB for each core, a last
 * one 32 MiB for all of them, which hold the input, too. */
#define CAPRA_STREAM_BYTES (8 * 1024 * 1024)

static inline gboolean
capra_stream_pays (const CapraShape *result)
{
  return capra_shape_bytes (result) > CAPRA_STREAM_BYTES;
}

G_END_DECLS
