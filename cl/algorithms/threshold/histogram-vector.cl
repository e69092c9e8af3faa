/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: a histogram, the variant `vector`: a group is one work-item, which counts in private memory. Macros: those
 * of histogram-layout.clh. */
#include "histogram-layout.clh"

/* Copies of the counts, so that equal neighbors do not depend on each other. */
#define COPIES 4

kernel __attribute__ ((reqd_work_group_size (1, 1, 1))) void
histogram (global const IN *restrict in, ulong count, ulong chunk, ulong groups_per_histogram,
           constant histogram_layout_t *layout, global uint *restrict counts)
{
  READ_LAYOUT;
  uint own[COPIES * (HISTOGRAM_BINS + 1)];

  for (uint i = 0; i < COPIES * (HISTOGRAM_BINS + 1); i++)
    own[i] = 0;

  for (ulong i = VECTORS_BEGIN; i < VECTORS_END; i++)
    {
      values_t v = ((global const values_t *) in)[i];
      floats_t x = POSITIONS (v);
      ints_t bins = min (CONVERT_INTS (x), HISTOGRAM_BINS - 1);
      floats_t past = x - CONVERT_FLOATS (bins);
      ints_t unsure = ((past < near) | (past > 1 - near)) & (x > margin) & (x < HISTOGRAM_BINS - margin);
      int bin[VEC];

#ifdef REAL
      bins = COUNTS (v) ? bins : (ints_t) (HISTOGRAM_BINS);
#endif
      VSTORE (bins, 0, bin);
      if (any_lane (unsure))
        {
          for (uint j = 0; j < VEC; j++)
            own[bin_of (in[i * VEC + j], least, pre, scale, edges)]++;
          continue;
        }
      for (uint j = 0; j < VEC; j++)
        own[j % COPIES * (HISTOGRAM_BINS + 1) + bin[j]]++;
    }
  for (ulong i = TAIL_BEGIN; i < count; i++)
    own[bin_of (in[i], least, pre, scale, edges)]++;

  counts += get_group_id (0) / groups_per_histogram * HISTOGRAM_BINS;
  for (uint i = 0; i < HISTOGRAM_BINS; i++)
    {
      uint n = 0;

      for (uint j = 0; j < COPIES; j++)
        n += own[j * (HISTOGRAM_BINS + 1) + i];
      if (n)
        atomic_add (counts + i, n);
    }
}
