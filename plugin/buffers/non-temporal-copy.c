/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Stream: copies past the host's caches, for what is larger than they are. */
#include "plugin/buffers/non-temporal-copy.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

#define UNIT sizeof (__m128i)
/* What a line of the cache has; written at once it need not be read. */
#define LINE 4

static void
copy_line (__m128i *to, const __m128i *from)
{
  __m128i values[LINE];

  for (int i = 0; i < LINE; i++)
    values[i] = _mm_loadu_si128 (from + i);
  for (int i = 0; i < LINE; i++)
    _mm_stream_si128 (to + i, values[i]);
}

void
capra_non_temporal_copy (gpointer to, gconstpointer from, gsize bytes)
{
  gsize begin = MIN ((LINE * UNIT - (gsize) to % (LINE * UNIT)) % (LINE * UNIT), bytes);
  gsize end = begin + (bytes - begin) / (LINE * UNIT) * (LINE * UNIT);

  memcpy (to, from, begin);
  for (gsize i = begin; i < end; i += LINE * UNIT)
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
