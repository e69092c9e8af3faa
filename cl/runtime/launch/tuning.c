/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tuning: finds the value of a key. */
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/device/fork.h"
#include "runtime/launch/tuning.h"

static GMutex lock;
static GHashTable *tried; /* key -> value; under the lock */

/* A key file of the library's resources. */
static GKeyFile *
tuning_resource (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, &error);
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

/* The value that CAPRA_TUNING="key=value,…" gives @key. */
static char *
tuning_forced (const char *key)
{
  const char *text = g_getenv ("CAPRA_TUNING");
  g_auto (GStrv) pairs = text ? g_strsplit (text, ",", -1) : NULL;
  gsize length = strlen (key);

  for (char **pair = pairs; pair && *pair; pair++)
    {
      g_strstrip (*pair);
      if (g_str_has_prefix (*pair, key) && (*pair)[length] == '=')
        return g_strdup (*pair + length + 1);
    }
  return NULL;
}

gboolean
capra_tuning_is_forced (const char *key)
{
  g_autofree char *value = tuning_forced (key);

  return value != NULL;
}

static char *
tuning_tried (const char *key)
{
  char *value = NULL;

  capra_fork_lock (&lock);
  value = tried ? g_strdup (g_hash_table_lookup (tried, key)) : NULL;
  g_mutex_unlock (&lock);
  return value;
}

void
capra_tuning_try (const char *key, const char *value)
{
  capra_fork_lock (&lock);
  if (!tried)
    tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (value)
    g_hash_table_replace (tried, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (tried, key);
  g_mutex_unlock (&lock);
}

static char *
tuning_shipped (CapraDevice *device, const char *key)
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

char *
capra_tuning_get (CapraDevice *device, const char *key)
{
  char *found = tuning_forced (key);

  if (!found)
    found = tuning_tried (key);
  if (!found)
    found = capra_tuning_measured (device, key);
  return found ? found : tuning_shipped (device, key);
}

const char *
capra_tuning_get_word (CapraDevice *device, const char *key, const char *fallback)
{
  g_autofree char *found = capra_tuning_get (device, key);

  return found ? g_intern_string (found) : fallback;
}

int
capra_tuning_get_int (CapraDevice *device, const char *key, int fallback)
{
  g_autofree char *found = capra_tuning_get (device, key);
  gint64 value = 0;

  if (found && g_ascii_string_to_signed (found, 10, G_MININT, G_MAXINT, &value, NULL))
    return (int) value;
  return fallback;
}
