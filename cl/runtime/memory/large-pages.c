/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Large pages: mappings aligned to large pages, for which the system is advised to use them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* madvise */
#endif
#include "runtime/memory/large-pages.h"

#include <sys/mman.h>
#include <unistd.h>

gpointer
capra_large_pages_map (gsize bytes)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE), rounded = (bytes + page - 1) / page * page, before = 0;
  char *all = mmap (NULL, rounded + CAPRA_LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (all == MAP_FAILED)
    return NULL;
  before = (CAPRA_LARGE_PAGE - (gsize) all % CAPRA_LARGE_PAGE) % CAPRA_LARGE_PAGE;
  if (before > 0)
    munmap (all, before);
  munmap (all + before + rounded, CAPRA_LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE
  madvise (all + before, bytes, MADV_HUGEPAGE);
#endif
  return all + before;
}

void
capra_large_pages_unmap (gpointer begin, gsize bytes)
{
  munmap (begin, bytes);
}
