/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The built-in functions that the decoder's kernels use, for a group of one work-item, as functions of this machine. */
uint shim_group (void);

size_t __attribute__ ((overloadable)) get_group_id (uint dimension) { return dimension == 0 ? shim_group () : 0; }
size_t __attribute__ ((overloadable, const)) get_local_id (uint dimension) { return 0; }
void __attribute__ ((overloadable)) barrier (cl_mem_fence_flags flags) {}
uint __attribute__ ((overloadable, const)) min (uint a, uint b) { return a < b ? a : b; }
ulong __attribute__ ((overloadable, const)) min (ulong a, ulong b) { return a < b ? a : b; }

uint __attribute__ ((overloadable))
atomic_min (volatile global uint *p, uint value)
{
  uint old = *p;

  *p = old < value ? old : value;
  return old;
}

/* Byte by byte, so that each access is checked. */
uchar16 __attribute__ ((overloadable, pure))
vload16 (size_t i, const global uchar *p)
{
  uchar16 v;

  for (uint k = 0; k < 16; k++)
    ((uchar *) &v)[k] = p[16 * i + k];
  return v;
}

#define STORE(T)                                                           \
  void __attribute__ ((overloadable)) vstore16 (T##16 v, size_t i, global T *p) \
  {                                                                        \
    for (uint k = 0; k < 16; k++)                                          \
      p[16 * i + k] = ((T *) &v)[k];                                       \
  }
#define CONVERT(T)                                                       \
  T##16 __attribute__ ((overloadable, const)) convert_##T##16 (uchar16 v) \
  {                                                                      \
    T##16 to;                                                            \
    for (uint k = 0; k < 16; k++)                                        \
      ((T *) &to)[k] = ((uchar *) &v)[k];                                \
    return to;                                                           \
  }
STORE (uchar)
STORE (ushort)
STORE (uint)
STORE (ulong)
CONVERT (uchar)
CONVERT (ushort)
CONVERT (uint)
CONVERT (ulong)
