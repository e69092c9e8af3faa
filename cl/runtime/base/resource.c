/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resource: files that are compiled into the library. */
#include "runtime/base/resource.h"

#include "runtime/base/fork.h"

GBytes *
capra_resource_lookup (const char *path, GError **error)
{
  static GMutex lock;
  GBytes *bytes = NULL;

  capra_fork_lock (&lock);
  bytes = g_resources_lookup_data (path, 0, error);
  g_mutex_unlock (&lock);
  return bytes;
}

const char *
capra_resource_sum_kernels (void)
{
  static char *sum;

  if (g_once_init_enter (&sum))
    {
      g_auto (GStrv) names = g_resources_enumerate_children ("/capra/kernels", 0, NULL);
      g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);

      for (char **name = names; name && *name; name++)
        {
          g_autofree char *path = g_strconcat ("/capra/kernels/", *name, NULL);
          g_autoptr (GBytes) source = capra_resource_lookup (path, NULL);

          g_checksum_update (checksum, g_bytes_get_data (source, NULL), (gssize) g_bytes_get_size (source));
        }
      g_once_init_leave (&sum, g_strdup (g_checksum_get_string (checksum)));
    }
  return sum;
}
