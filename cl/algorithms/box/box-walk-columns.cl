/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wide boxes along y or z for GPUs; see box.clh. A group walks down a strip of columns, RUN rows a step, so that a
 * row is read when the boxes' ends reach it and once more when their beginnings do. PARTS work-items, neighbours in
 * y, share a run: each has PART rows of it in registers, and those that follow a box further on; the next step's
 * are under way meanwhile. SEGMENT parts add up their sums first.
 *
 * With whole = count / RUN and rem = count % RUN, a core is made of whole - 1 sums of runs and the last rem of the
 * rows that came in a step before. Such a sum is complete when the run that came in is: these rem rows and, of
 * what follows, the first RUN - rem. The sums of the last whole - 1 runs stand in a ring, and are added up from the
 * oldest on, so that they do not depend on where a stretch begins.
 *
 * Macros: IN (type of a value), VEC (columns a work-item, 1 or 2, a divisor of the pitch), PARTS, PART, PARTIAL (see
 * box.clh), FAR (positions lie further beyond the image than it is long), MORE. Dimensions: columns within the
 * pitch / VEC, PARTS for each stretch of `steps` runs, slabs. count >= RUN. */
#include "box-columns.clh"
#include "box-walk-columns.clh"

kernel __attribute__ ((reqd_work_group_size (LANES, PARTS, 1))) void
box_walk_columns (global const IN *restrict in, global float *restrict out, global const float *restrict more,
                  ulong pitch, int steps, box_t b, local floats_t *ring)
{
  /* The next step's cores and tails are written while some still read this one's. */
  local floats_t shared[SUMS][LANES], cores[2][LANES], tails[2][LANES];
  int lane = get_local_id (0), part = get_local_id (1), begin = (int) get_group_id (1) * steps * RUN;
  int whole = b.count / RUN, split = RUN - b.count % RUN, cut = split / PART, end = b.first + b.n_result + b.count - 1;
  int at = b.first + begin + part * PART, rows = b.n_result - begin - part * PART;
  int skip = SKIP - begin - part * PART; /* outputs of the next step that are not wanted */
  ulong c = get_global_id (0) * VEC, slab = get_global_id (2);
  bool beyond = c >= pitch;
  floats_t top[PART], next[PART], top_ahead[PART], next_ahead[PART], extra = 0.0f;
  local floats_t *all = shared[0] + lane, *own = all + part * LANES;
  int oldest = 0; /* in the ring */

  c = beyond ? 0 : c;
  in += slab * b.n_source * pitch + c;
  out += ((long) (slab * (b.n_result - SKIP)) - skip) * (long) pitch + (long) c;
  steps = min (steps, (b.n_result - begin + RUN - 1) / RUN);
#ifdef MORE
  extra = *(global const floats_t *) (more + slab * pitch + c);
#endif
#pragma unroll
  for (int k = 0; k < PART; k++)
    top_ahead[k] = 0.0f;
  load_part (in, at - whole * RUN + b.count, end, pitch, b, false, next_ahead);

  for (int s = -whole; s < steps; s++, rows -= s > 0 ? RUN : 0)
    {
      int even = s & 1, segment = part / SEGMENT, first = segment * SEGMENT;
      floats_t sum = 0.0f, before = 0.0f;

#pragma unroll
      for (int k = 0; k < PART; k++)
        {
          top[k] = top_ahead[k];
          next[k] = next_ahead[k];
        }
      if (s + 1 < steps)
        load_part (in, at + (s + 1) * RUN + b.count, end, pitch, b, false, next_ahead);
      if (s + 1 < steps && s + 1 >= 0)
        load_part (in, at + (s + 1) * RUN, end, pitch, b, true, top_ahead);

#pragma unroll
      for (int k = PART - 1; k >= 0; k--)
        top[k] = sum = sum + b.scale * top[k];
      own[TOPS * LANES] = sum;
      sum = 0.0f;
#pragma unroll
      for (int k = 0; k < PART; k++)
        {
          if (part == cut && k == split % PART)
            {
              before = sum;
              sum = 0.0f;
            }
          sum += b.scale * next[k];
        }
      own[ENDS * LANES] = part == cut ? before : sum;
      if (part == cut)
        all[BEHIND * LANES] = sum;
      barrier (CLK_LOCAL_MEM_FENCE);

      sum = others (all + (ENDS + first) * LANES, all + (TOPS + first) * LANES, part - first, SEGMENT);
      if (cut < part && cut >= first)
        sum += all[BEHIND * LANES];
      add_segment (all, part, cut, sum);
      barrier (CLK_LOCAL_MEM_FENCE);

      sum += extra + others (all + LOWER * LANES, all + UPPER * LANES, segment, SEGMENTS);
      if (s >= 0)
        sum += cores[even][lane] + tails[even][lane];
      /* What the next step needs, by work-items of different warps. */
      if (part == PARTS - 1)
        tails[!even][lane] = add_segments (all + TAILS * LANES);
      if (part == 0)
        cores[!even][lane] = next_core (ring + lane, whole - 1, &oldest,
                                        add_segments (all + HEADS * LANES)
                                          + (s > -whole ? tails[even][lane] : 0.0f));
      if (s >= 0 && !beyond)
        {
          write_part (top, next, sum, out, skip, rows, pitch, b.scale);
          skip = 0;
          out += RUN * pitch;
        }
    }
}
