/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Measured tuning: a key file with a group per device, which names the driver and the kernels that it is valid for. */
#include "runtime/device/tuning-measured.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/device/check-record-private.h"
#include "runtime/base/file.h"
#include "runtime/base/fork.h"
#include "runtime/base/resource.h"
#include "runtime/device/tuning-shipped.h"
#include "runtime/base/write-text.h"

static GMutex lock;
static GHashTable *devices; /* id -> key -> value; under the lock */

char *
capra_tuning_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "capra", "tuning.ini", NULL);
}

static gboolean
is_candidate (CapraDevice *device, const char *key, const char *value)
{
  g_auto (GStrv) values = g_key_file_get_string_list (capra_tuning_candidates (), key, capra_tuning_kind (device), NULL,
                                                      NULL);

  return values && g_strv_contains ((const char *const *) values, value);
}

/* Why the group of @device in @file is not valid; NULL if it is. */
static const char *
stale_reason (GKeyFile *file, const char *group, CapraDevice *device)
{
  g_autofree char *driver = g_key_file_get_string (file, group, "driver", NULL);
  g_autofree char *kernels = g_key_file_get_string (file, group, "kernels", NULL);

  if (!driver || !kernels)
    return _ ("it is damaged");
  if (!g_str_equal (driver, capra_device_get_info (device)->driver))
    return _ ("it was measured with another driver");
  if (!g_str_equal (kernels, capra_resource_sum_kernels ()))
    return _ ("it was measured with other kernels");
  return NULL;
}

/* Adds the group of @device in @file to @values; returns a message for the log if it is not valid. */
static char *
read_group (GKeyFile *file, CapraDevice *device, GHashTable *values)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  const char *reason = stale_reason (file, info->id, device);
  g_auto (GStrv) keys = g_key_file_get_keys (file, info->id, NULL, NULL);

  for (char **key = keys; key && *key && !reason; key++)
    {
      g_autofree char *value = g_key_file_get_string (file, info->id, *key, NULL);

      if (g_str_equal (*key, "name") || g_str_equal (*key, "driver") || g_str_equal (*key, "kernels"))
        continue;
      if (value && is_candidate (device, *key, value))
        g_hash_table_replace (values, g_strdup (*key), g_steal_pointer (&value));
      else
        reason = _ ("it is damaged");
    }
  if (!reason)
    return NULL;
  g_hash_table_remove_all (values);
  return g_strdup_printf (_ ("the tuning of \"%s\" is ignored: %s; run \"capra tune\" to measure it again"), info->name,
                          reason);
}

static gboolean
load_file (GKeyFile *file, const char *path, GKeyFileFlags flags, GError **error)
{
  gsize length = 0;
  g_autofree char *text = capra_file_read_settings (path, &length, error);

  /* An empty file counts as valid. */
  return text && (length == 0 || g_key_file_load_from_data (file, text, length, flags, error));
}

/* @complaint: (out): a message for the log. */
static GHashTable *
read_device (CapraDevice *device, char **complaint)
{
  GHashTable *values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = capra_tuning_path ();
  g_autoptr (GError) error = NULL;

  if (load_file (file, path, G_KEY_FILE_NONE, &error))
    {
      if (g_key_file_has_group (file, capra_device_get_info (device)->id))
        *complaint = read_group (file, device, values);
    }
  else if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    *complaint = g_strdup_printf (_ ("the tuning in %s is ignored: %s; run \"capra tune\" to measure it again"), path,
                                  error->message);
  return values;
}

/* Sets the values of @device; with NULL they are read again at the next use. The lock is held. */
static void
replace_values (CapraDevice *device, GHashTable *values)
{
  if (!devices)
    devices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_hash_table_unref);
  if (values)
    g_hash_table_replace (devices, g_strdup (capra_device_get_info (device)->id), values);
  else
    g_hash_table_remove (devices, capra_device_get_info (device)->id);
}

char *
capra_tuning_measured (CapraDevice *device, const char *key)
{
  g_autofree char *complaint = NULL;
  GHashTable *values = NULL;
  char *value = NULL;

  capra_fork_lock (&lock);
  values = devices ? g_hash_table_lookup (devices, capra_device_get_info (device)->id) : NULL;
  if (!values)
    {
      values = read_device (device, &complaint);
      replace_values (device, values);
    }
  value = g_strdup (g_hash_table_lookup (values, key));
  g_mutex_unlock (&lock);
  if (complaint)
    g_message ("%s", complaint); /* without the lock: a log handler may use devices */
  return value;
}

void
capra_tuning_ignore_measured (CapraDevice *device)
{
  capra_fork_lock (&lock);
  replace_values (device, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free));
  g_mutex_unlock (&lock);
}

gboolean
capra_tuning_save (CapraDevice *device, GHashTable *values, GError **error)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = capra_tuning_path ();
  g_autofree char *folder = g_path_get_dirname (path), *text = NULL;
  g_autoptr (GError) local = NULL;
  g_autoptr (GList) keys = g_list_sort (g_hash_table_get_keys (values), (GCompareFunc) strcmp);

  /* The values of other devices remain. A damaged file is replaced, but not one of another user. */
  if (!load_file (file, path, G_KEY_FILE_KEEP_COMMENTS, &local) && local->domain == G_FILE_ERROR
      && local->code != G_FILE_ERROR_NOENT)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  g_key_file_remove_group (file, info->id, NULL);
  g_key_file_set_string (file, info->id, "name", info->name);
  g_key_file_set_string (file, info->id, "driver", info->driver);
  g_key_file_set_string (file, info->id, "kernels", capra_resource_sum_kernels ());
  for (GList *key = keys; key; key = key->next)
    g_key_file_set_string (file, info->id, key->data, g_hash_table_lookup (values, key->data));

  text = g_key_file_to_data (file, NULL, NULL);
  capra_file_create_folder (folder);
  if (!capra_write_text (path, text, error))
    return FALSE;
  capra_check_record_remove (device); /* operations use other variants now */
  capra_fork_lock (&lock);
  replace_values (device, NULL);
  g_mutex_unlock (&lock);
  return TRUE;
}
