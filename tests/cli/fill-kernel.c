/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overlays of the resource fill.cl. */
#include "tests/cli/fill-kernel.h"

#include <gio/gio.h>

#include "tests/support/support.h"

char *
fill_kernel_replace (const char *statement)
{
  static const char path[] = "/capra/kernels/fill.cl";
  g_autofree char *folder = g_dir_make_tmp ("capra-check-XXXXXX", NULL), *overlays = NULL, *changed = NULL;
  g_autofree char *file = g_build_filename (folder, "fill.cl", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_auto (GStrv) parts = NULL;

  g_assert_nonnull (bytes);
  parts = g_strsplit (g_bytes_get_data (bytes, NULL), "out[i] = (uint4) (word);", -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  changed = g_strjoinv (statement, parts);
  g_assert_true (g_file_set_contents (file, changed, -1, NULL));
  overlays = g_strdup_printf ("%s=%s", path, file);
  g_setenv ("G_RESOURCE_OVERLAYS", overlays, TRUE);
  return g_steal_pointer (&folder);
}

void
fill_kernel_restore (char *folder)
{
  g_unsetenv ("G_RESOURCE_OVERLAYS");
  support_folder_remove (folder);
}
