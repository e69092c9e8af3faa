/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Recent host: waits until the program has an image, and time. */
#include "plugin/recent-host.h"

#include <gegl.h>

#include "runtime/device/device-start.h"
#include "runtime/device/recent-device.h"

/* GEGL has no signal for this, so the main loop asks once a second, until there is an image. */
#define INTERVAL 1
/* The size of all tiles from which a program has an image, and not only icons and brushes. */
#define MIN_BYTES ((guint64) 256 << 10)

static gboolean
start_with_image (gpointer device)
{
  guint64 bytes = 0;

  g_object_get (gegl_stats (), "tile-cache-total", &bytes, NULL);
  if (bytes < MIN_BYTES)
    return G_SOURCE_CONTINUE;
  capra_device_start (device);
  return G_SOURCE_REMOVE;
}

void
capra_recent_host_watch (void)
{
  static gsize watched;

  if (g_once_init_enter (&watched))
    {
      g_autofree char *device = capra_recent_device_dup ();

      if (device)
        g_timeout_add_seconds_full (G_PRIORITY_LOW, INTERVAL, start_with_image, g_steal_pointer (&device), g_free);
      g_once_init_leave (&watched, 1);
    }
}
