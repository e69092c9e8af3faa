/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes folders of temporary files. Does not follow links. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* nftw beside gnu11 */
#endif
#include "ui/cli/remove-folder.h"

#include <ftw.h>
#include <stdio.h>

static int
remove_one (const char *path, const struct stat *found, int flag, struct FTW *at)
{
  return remove (path);
}

void
remove_folder (const char *folder)
{
  nftw (folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
