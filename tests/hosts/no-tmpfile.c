/* SPDX-License-Identifier: GPL-3.0-or-later */
/* To be preloaded: makes open() fail with O_TMPFILE, as on file systems without unnamed files. */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* so that open() and open64() are different functions */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>

typedef int (*Open) (const char *path, int flags, ...);

static int
open_named (const char *name, const char *path, int flags, mode_t mode)
{
  Open real = (Open) dlsym (RTLD_NEXT, name);

  if ((flags & O_TMPFILE) == O_TMPFILE)
    {
      errno = EOPNOTSUPP;
      return -1;
    }
  return real (path, flags, mode);
}

int
open (const char *path, int flags, ...)
{
  va_list list;
  mode_t mode;

  va_start (list, flags);
  mode = va_arg (list, mode_t);
  va_end (list);
  return open_named ("open", path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  va_list list;
  mode_t mode;

  va_start (list, flags);
  mode = va_arg (list, mode_t);
  va_end (list);
  return open_named ("open64", path, flags, mode);
}
