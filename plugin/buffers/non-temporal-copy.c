/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Non-temporal copy: copies past the CPU's caches, for images that are larger than these. */
#include "plugin/buffers/non-temporal-copy.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

/* A cache line, in vectors and in bytes. A line that is written whole is not read first. */
#define LINE_VECTORS 4
#define LINE_BYTES (LINE_VECTORS * sizeof (__m128i))

static void
copy_line (__m128i *to, const __m128i *from)
{
  __m128i values[LINE_VECTORS];

  for (int i = 0; i < LINE_VECTORS; i++)
    values[i] = _mm_loadu_si128 (from + i);
  for (int i = 0; i < LINE_VECTORS; i++)
    _mm_stream_si128 (to + i, values[i]);
}

void
capra_non_temporal_copy (gpointer to, gconstpointer from, gsize bytes)
{
  gsize begin = MIN ((LINE_BYTES - (gsize) to % LINE_BYTES) % LINE_BYTES, bytes);
  gsize end = begin + (bytes - begin) / LINE_BYTES * LINE_BYTES;

  memcpy (to, from, begin);
  for (gsize i = begin; i < end; i += LINE_BYTES)
    copy_line ((__m128i *) ((char *) to + i), (const __m128i *) ((const char *) from + i));
  memcpy ((char *) to + end, (const char *) from + end, bytes - end);
}

void
capra_non_temporal_fence (void)
{
  _mm_sfence ();
}

#else

void
capra_non_temporal_copy (gpointer to, gconstpointer from, gsize bytes)
{
  memcpy (to, from, bytes);
}

void
capra_non_temporal_fence (void)
{
}

#endif
