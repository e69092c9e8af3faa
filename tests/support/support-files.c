/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that tests write. */
#include "tests/support/support-files.h"

void
support_file_write (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL), *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}
