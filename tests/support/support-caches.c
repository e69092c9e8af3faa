/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The drivers' caches of kernels, for tests with cache folders of their own. */
#include <glib/gstdio.h>

#include "tests/support/support-caches.h"

void
support_keep_driver_caches (void)
{
  /* Not g_get_user_cache_dir(), which stores the folder: GLib's isolation of tests would leak it. */
  const char *caches = g_getenv ("XDG_CACHE_HOME");
  g_autofree char *all = caches ? g_strdup (caches) : g_build_filename (g_getenv ("HOME"), ".cache", NULL);
  g_autofree char *folder = g_build_filename (all, "pocl", "kcache", NULL);

  g_setenv ("MESA_SHADER_CACHE_DIR", all, FALSE);
  if (g_getenv ("POCL_CACHE_DIR"))
    return;
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_setenv ("POCL_CACHE_DIR", folder, TRUE);
}
