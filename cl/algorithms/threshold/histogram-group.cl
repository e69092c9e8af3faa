/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: a histogram, the variant `group`: groups of many work-items, which count in local memory. Macros: those of
 * histogram-layout.clh. */
#include "histogram-layout.clh"
#include "histogram-group.clh"

kernel __attribute__ ((reqd_work_group_size (GROUP, 1, 1))) void
histogram (global const IN *restrict in, ulong count, ulong chunk, ulong groups_per_histogram,
           constant histogram_layout_t *layout, global uint *restrict counts)
{
  READ_LAYOUT;
  bins_t bins = bins_from (least, pre, scale, near, edges);
  local uint own[OWN_WORDS];
  local uint *mine = begin_counts (own);

  count_vectors (in, (ulong) get_group_id (0) * chunk, VECTORS_END, bins, mine);
  for (ulong t = TAIL_BEGIN; t < count; t += GROUP)
    count_value (in[t], bins, mine);
  end_counts (own, counts + get_group_id (0) / groups_per_histogram * HISTOGRAM_BINS);
}
