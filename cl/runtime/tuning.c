/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuning: looks keys up in the environment, then in the shipped defaults. */
#include <gio/gio.h>
#include <string.h>

#include "tuning.h"

#define DEFAULTS "/capra/tuning/defaults.ini"

static GKeyFile *
tuning_defaults (void)
{
  static GKeyFile *defaults;

  if (g_once_init_enter (&defaults))
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GBytes) bytes = g_resources_lookup_data (DEFAULTS, 0, &error);
      GKeyFile *loaded = g_key_file_new ();

      if (!bytes || !g_key_file_load_from_bytes (loaded, bytes, G_KEY_FILE_NONE, &error))
        g_warning ("Capra runs untuned: %s", error->message);
      g_once_init_leave (&defaults, loaded);
    }
  return defaults;
}

/* The value that CAPRA_TUNING="key=value,…" gives @key. */
static char *
tuning_forced (const char *key)
{
  const char *text = g_getenv ("CAPRA_TUNING");
  g_auto(GStrv) pairs = text ? g_strsplit (text, ",", -1) : NULL;
  gsize length = strlen (key);

  for (char **pair = pairs; pair && *pair; pair++)
    {
      g_strstrip (*pair);
      if (g_str_has_prefix (*pair, key) && (*pair)[length] == '=')
        return g_strdup (*pair + length + 1);
    }
  return NULL;
}

static char *
tuning_lookup (CapraDevice *device, const char *key)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  GKeyFile *defaults = tuning_defaults ();
  char *found = tuning_forced (key);
  g_auto(GStrv) groups = g_key_file_get_groups (defaults, NULL);

  for (char **group = groups; *group && !found; group++)
    if (g_str_has_prefix (*group, "name:") && strstr (info->name, *group + strlen ("name:")))
      found = g_key_file_get_string (defaults, *group, key, NULL);

  if (!found)
    found = g_key_file_get_string (defaults, info->type == CAPRA_DEVICE_CPU ? "cpu" : "gpu", key,
                                   NULL);
  return found;
}

const char *
capra_tuning_get_word (CapraDevice *device, const char *key, const char *fallback)
{
  g_autofree char *found = tuning_lookup (device, key);

  return found ? g_intern_string (found) : fallback;
}

int
capra_tuning_get_int (CapraDevice *device, const char *key, int fallback)
{
  g_autofree char *found = tuning_lookup (device, key);
  gint64 value = 0;

  if (found && g_ascii_string_to_signed (found, 10, G_MININT, G_MAXINT, &value, NULL))
    return (int) value;
  return fallback;
}
