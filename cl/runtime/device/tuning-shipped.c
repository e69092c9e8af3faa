/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Shipped tuning: data/tuning/{defaults,candidates}.ini in the library's resources. */
#include "runtime/device/tuning-shipped-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/base/resource.h"

/* A key file of the library's resources. */
static GKeyFile *
tuning_resource (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = capra_resource_lookup (path, &error);
  GKeyFile *loaded = g_key_file_new ();

  if (!bytes || !g_key_file_load_from_bytes (loaded, bytes, G_KEY_FILE_NONE, &error))
    g_warning (_ ("cannot read the tuning: %s"), error->message);
  return loaded;
}

static GKeyFile *
tuning_defaults (void)
{
  static GKeyFile *defaults;

  if (g_once_init_enter (&defaults))
    g_once_init_leave (&defaults, tuning_resource ("/capra/tuning/defaults.ini"));
  return defaults;
}

GKeyFile *
capra_tuning_candidates (void)
{
  static GKeyFile *candidates;

  if (g_once_init_enter (&candidates))
    g_once_init_leave (&candidates, tuning_resource ("/capra/tuning/candidates.ini"));
  return candidates;
}

const char *
capra_tuning_kind (CapraDevice *device)
{
  return capra_device_get_info (device)->type == CAPRA_DEVICE_CPU ? "cpu" : "gpu";
}

char *
capra_tuning_get_shipped (CapraDevice *device, const char *key)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  GKeyFile *defaults = tuning_defaults ();
  g_auto (GStrv) groups = g_key_file_get_groups (defaults, NULL);
  char *found = NULL;

  for (char **group = groups; *group && !found; group++)
    if (g_str_has_prefix (*group, "name:") && strstr (info->name, *group + strlen ("name:")))
      found = g_key_file_get_string (defaults, *group, key, NULL);
  return found ? found : g_key_file_get_string (defaults, capra_tuning_kind (device), key, NULL);
}
