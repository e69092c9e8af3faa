/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measures the arithmetic rate of a device: x = x * factor + term in float. A work-item computes 128 * `turns`
 * multiply-adds in 64 independent chains, which fill the pipelines. It writes their sum so that the compiler cannot
 * remove them; `factor` and `term` are arguments so that it cannot evaluate them. */
#define STEP(x) x = x * factor + term

kernel void
arithmetic (global float *out, int turns, float factor, float term)
{
  int i = get_global_id (0);
  float16 a = (float16) (i), b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;
  float16 sum = (float16) (0.0f);

  for (int turn = 0; turn < turns; turn++)
    {
      STEP (a);
      STEP (b);
      STEP (c);
      STEP (d);
      STEP (a);
      STEP (b);
      STEP (c);
      STEP (d);
    }
  sum = a + b + c + d;
  out[i] = dot (sum.s0123, sum.s4567) + dot (sum.s89ab, sum.scdef);
}
