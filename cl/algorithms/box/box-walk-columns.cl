/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Wide boxes along y or z for GPUs; formula, layout and border: box.clh. A work-group walks down a strip of columns,
 * RUN rows in each step, so that a row is read twice: when the ends of the boxes reach it, and when their beginnings
 * do. PARTS work-items, neighbors in y, share a run: each holds PART rows of it in registers, and the PART rows that
 * follow their boxes, while it loads those of the next step. Sums are combined within segments of parts first.
 *
 * With whole = count / RUN and rem = count % RUN, a core consists of whole - 1 sums of runs and the last rem of the
 * rows read in the previous step. Such a sum is complete when the next run has been read: it consists of these rem rows
 * and the first RUN - rem of the following ones. `ring` holds the sums of the last whole - 1 runs, which are added up
 * from the oldest on, so that results do not depend on where a strip begins.
 *
 * Dimensions: columns within the pitch / VEC, PARTS for each strip of `steps` runs, slabs. Assumptions: count >= RUN;
 * VEC divides the pitch.
 * Macros: IN (type of a value), VEC (1 or 2), PARTS, PART, OFFSETS, PARTIAL, FAR (positions may be further outside the
 * image than it is long). */
#include "box-walk-load.clh"
#include "box-walk-columns.clh"

kernel __attribute__ ((reqd_work_group_size (WIDTH, PARTS, 1))) void
box_walk_columns (global const IN *restrict in, global float *restrict out, global const float *restrict offsets,
                  ulong pitch, int steps, CapraBox b, local floats_t *ring)
{
  /* Two of each: those of the next step are written while others still read those of this step. */
  local floats_t shared[SUMS][WIDTH], cores[2][WIDTH], tails[2][WIDTH];
  int lane = get_local_id (0), part = get_local_id (1), begin = (int) get_group_id (1) * steps * RUN;
  int whole = b.count / RUN, split = RUN - b.count % RUN, cut = split / PART, end = b.first + b.n_result + b.count - 1;
  int at = b.first + begin + part * PART, rows = b.n_result - begin - part * PART;
  int skip = SKIP - begin - part * PART; /* outputs of the next step that are not stored */
  ulong c = get_global_id (0) * VEC, slab = get_global_id (2);
  bool outside = c >= pitch;
  floats_t top[PART], next[PART], top_ahead[PART], next_ahead[PART], extra = 0.0f;
  local floats_t *all = shared[0] + lane, *own = all + part * WIDTH;
  int oldest = 0; /* index in the ring */

  c = outside ? 0 : c;
  in += slab * b.n_source * pitch + c;
  out += ((long) (slab * (b.n_result - SKIP)) - skip) * (long) pitch + (long) c;
  steps = min (steps, (b.n_result - begin + RUN - 1) / RUN);
#ifdef OFFSETS
  extra = *(global const floats_t *) (offsets + slab * pitch + c);
#endif
  UNROLL for (int k = 0; k < PART; k++)
    top_ahead[k] = 0.0f;
  load_part (in, at - whole * RUN + b.count, end, pitch, b, false, next_ahead);

  for (int s = -whole; s < steps; s++, rows -= s > 0 ? RUN : 0)
    {
      int even = s & 1, segment = part / SEGMENT, first = segment * SEGMENT;
      floats_t sum = 0.0f, before = 0.0f;

      UNROLL for (int k = 0; k < PART; k++)
        {
          top[k] = top_ahead[k];
          next[k] = next_ahead[k];
        }
      if (s + 1 < steps)
        load_part (in, at + (s + 1) * RUN + b.count, end, pitch, b, false, next_ahead);
      if (s + 1 < steps && s + 1 >= 0)
        load_part (in, at + (s + 1) * RUN, end, pitch, b, true, top_ahead);

      UNROLL for (int k = PART - 1; k >= 0; k--)
        top[k] = sum = sum + b.scale * top[k];
      own[TOPS * WIDTH] = sum;
      sum = 0.0f;
      UNROLL for (int k = 0; k < PART; k++)
        {
          if (part == cut && k == split % PART)
            {
              before = sum;
              sum = 0.0f;
            }
          sum += b.scale * next[k];
        }
      own[ENDS * WIDTH] = part == cut ? before : sum;
      if (part == cut)
        all[AFTER_CUT * WIDTH] = sum;
      barrier (CLK_LOCAL_MEM_FENCE);

      sum = sum_others (all + (ENDS + first) * WIDTH, all + (TOPS + first) * WIDTH, part - first, SEGMENT);
      if (cut < part && cut >= first)
        sum += all[AFTER_CUT * WIDTH];
      add_segment (all, part, cut, sum);
      barrier (CLK_LOCAL_MEM_FENCE);

      sum += extra + sum_others (all + LOWER * WIDTH, all + UPPER * WIDTH, segment, SEGMENTS);
      if (s >= 0)
        sum += cores[even][lane] + tails[even][lane];
      /* For the next step, by work-items of different warps. */
      if (part == PARTS - 1)
        tails[!even][lane] = sum_segments (all + TAILS * WIDTH);
      if (part == 0)
        cores[!even][lane] = next_core (ring + lane, whole - 1, &oldest,
                                        sum_segments (all + HEADS * WIDTH)
                                          + (s > -whole ? tails[even][lane] : 0.0f));
      if (s >= 0 && !outside)
        {
          write_part (top, next, sum, out, skip, rows, pitch, b.scale);
          skip = 0;
          out += RUN * pitch;
        }
    }
}
