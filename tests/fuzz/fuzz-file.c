/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz file: inputs of fuzz targets as files. */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/fuzz-file.h"

#include <sys/mman.h>
#include <unistd.h>

char *
fuzz_write_file (const guint8 *data, gsize size)
{
  static int fd = -1;

  if (fd < 0)
    fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  g_assert_cmpint (pwrite (fd, data, size, 0), ==, (gssize) size);
  return g_strdup_printf ("/proc/self/fd/%d", fd);
}
