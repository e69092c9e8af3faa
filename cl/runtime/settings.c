/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings: choices of this process, then the environment, then the user's key file, reloaded when its time
 * stamp changes. */
#include <errno.h>
#include <glib/gstdio.h>

#include "settings.h"

#define GROUP "capra"

static GMutex lock;
static GKeyFile *file;
static GStatBuf seen;
static GHashTable *choices; /* made in this process */

static char *
settings_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "capra", "settings.ini", NULL);
}

/* The key file as it now stands on disk; empty if there is none. Called with the lock held. */
static GKeyFile *
settings_load (void)
{
  g_autofree char *path = settings_path ();
  GStatBuf now = { 0 };

  if (g_stat (path, &now) != 0)
    now.st_size = -1;

  if (file && now.st_mtim.tv_sec == seen.st_mtim.tv_sec && now.st_size == seen.st_size
      && now.st_mtim.tv_nsec == seen.st_mtim.tv_nsec && now.st_ino == seen.st_ino)
    return file;

  g_clear_pointer (&file, g_key_file_unref);
  file = g_key_file_new ();
  seen = now;
  if (now.st_size > 0)
    {
      g_autoptr(GError) error = NULL;

      if (!g_key_file_load_from_file (file, path, G_KEY_FILE_KEEP_COMMENTS, &error))
        g_warning ("Capra ignores %s: %s", path, error->message);
    }
  return file;
}

char *
capra_settings_get (const char *key)
{
  char *chosen = NULL;

  g_mutex_lock (&lock);
  if (choices)
    chosen = g_strdup (g_hash_table_lookup (choices, key));
  g_mutex_unlock (&lock);
  return chosen ? chosen : capra_settings_get_common (key);
}

void
capra_settings_choose (const char *key, const char *value)
{
  g_mutex_lock (&lock);
  if (!choices)
    choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (value && *value)
    g_hash_table_replace (choices, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (choices, key);
  g_mutex_unlock (&lock);
}

char *
capra_settings_get_common (const char *key)
{
  g_autofree char *name = g_strdup_printf ("CAPRA_%s", key);
  g_autofree char *upper = g_ascii_strup (name, -1);
  const char *value = g_getenv (g_strdelimit (upper, "-", '_'));
  g_autofree char *stored = NULL;

  if (value && *value)
    return g_strdup (value);

  g_mutex_lock (&lock);
  stored = g_key_file_get_string (settings_load (), GROUP, key, NULL);
  g_mutex_unlock (&lock);

  return stored && *stored ? g_steal_pointer (&stored) : NULL;
}

gboolean
capra_settings_set (const char *key, const char *value, GError **error)
{
  g_autofree char *path = settings_path ();
  g_autofree char *folder = g_path_get_dirname (path);
  gboolean saved = FALSE;

  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno),
                   "cannot make the folder %s: %s", folder, g_strerror (errno));
      return FALSE;
    }

  g_mutex_lock (&lock);
  if (value)
    g_key_file_set_string (settings_load (), GROUP, key, value);
  else
    g_key_file_remove_key (settings_load (), GROUP, key, NULL);
  saved = g_key_file_save_to_file (file, path, error); /* to a temporary, then renamed */
  g_mutex_unlock (&lock);

  return saved;
}
