/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Resource: files that are compiled into the library. */
#include "runtime/device/resource.h"

#include "runtime/device/fork.h"

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
