/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Settings: choices of this process, the environment, and the user's key file, which is loaded again when its time
 * stamp changes. */
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "runtime/base/file.h"
#include "runtime/base/fork.h"
#include "runtime/base/settings.h"
#include "runtime/base/write-text.h"

#define GROUP "capra"

static GMutex lock;
static GKeyFile *file;
static GStatBuf seen;
static char *refused;       /* why the existing file was not read */
static char *complaint;     /* a message for the log, not yet written */
static GHashTable *choices; /* of this process */

static char *
settings_path (void)
{
  return g_build_filename (g_get_user_config_dir (), "capra", "settings.ini", NULL);
}

/* Whether an error is about the file itself, not about a temporary lack of descriptors or memory. */
static gboolean
is_lasting (const GError *error)
{
  return g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM)
         || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES)
         || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NXIO);
}

static void G_GNUC_PRINTF (1, 2) complain (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_free (complaint);
  complaint = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

/* Unlocks, then writes to the log, whose handler may read settings. */
static void
unlock_and_warn (void)
{
  g_autofree char *text = g_steal_pointer (&complaint);

  g_mutex_unlock (&lock);
  if (text)
    g_warning ("%s", text);
}

/* Replaces the key file by @text, or by an empty one if @error is set. */
static void
replace_file (const char *path, const char *text, gsize length, const GError *error)
{
  g_autoptr (GError) damage = NULL;

  g_clear_pointer (&file, g_key_file_unref);
  g_clear_pointer (&refused, g_free);
  file = g_key_file_new ();
  if (error && is_lasting (error))
    {
      refused = g_strdup (error->message);
      complain (_ ("the settings are ignored: %s"), refused);
    }
  else if (length > 0 && !g_key_file_load_from_data (file, text, length, G_KEY_FILE_KEEP_COMMENTS, &damage))
    complain (_ ("the settings in %s are ignored: %s"), path, damage->message);
}

/* The key file as it is on disk now; empty if it does not exist. The lock is held. */
static GKeyFile *
settings_load (void)
{
  g_autofree char *path = settings_path (), *text = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf now = { 0 };
  gsize length = 0;

  if (g_stat (path, &now) != 0)
    now.st_size = -1;

  if (file && now.st_mtim.tv_sec == seen.st_mtim.tv_sec && now.st_size == seen.st_size
      && now.st_mtim.tv_nsec == seen.st_mtim.tv_nsec && now.st_ino == seen.st_ino)
    return file;

  if (now.st_size != -1)
    text = capra_file_read_settings (path, &length, &error);
  if (file && error && !is_lasting (error) && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return file; /* the next call tries again */
  replace_file (path, text, length, error);
  seen = now;
  return file;
}

char *
capra_settings_get (const char *key)
{
  char *chosen = NULL;

  capra_fork_lock (&lock);
  if (choices)
    chosen = g_strdup (g_hash_table_lookup (choices, key));
  g_mutex_unlock (&lock);
  return chosen ? chosen : capra_settings_get_common (key);
}

void
capra_settings_choose (const char *key, const char *value)
{
  capra_fork_lock (&lock);
  if (!choices)
    choices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (value && *value)
    g_hash_table_replace (choices, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (choices, key);
  g_mutex_unlock (&lock);
}

static char *
settings_variable (const char *key)
{
  g_autofree char *name = g_strdup_printf ("CAPRA_%s", key);

  return g_strdelimit (g_ascii_strup (name, -1), "-", '_');
}

char *
capra_settings_get_common (const char *key)
{
  g_autofree char *variable = settings_variable (key), *stored = NULL;
  const char *value = g_getenv (variable);

  if (value && *value)
    return g_strdup (value);

  capra_fork_lock (&lock);
  stored = g_key_file_get_string (settings_load (), GROUP, key, NULL);
  unlock_and_warn ();

  return stored && *stored ? g_steal_pointer (&stored) : NULL;
}

/* The last line of the file's group that sets @key, from 1; 0 if none does. */
static guint
find_line (const char *text, const char *key)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean inside = FALSE;
  guint found = 0;

  for (guint i = 0; lines[i]; i++)
    {
      const char *line = g_strstrip (lines[i]);

      if (line[0] == '[')
        inside = g_str_equal (line, "[" GROUP "]");
      else if (inside && g_str_has_prefix (line, key) && g_strchug ((char *) line + strlen (key))[0] == '=')
        found = i + 1;
    }
  return found;
}

CapraSettingsSource
capra_settings_get_source (const char *key, char **where)
{
  g_autofree char *path = settings_path (), *value = NULL, *text = NULL;
  g_autofree char *variable = settings_variable (key);
  const char *forced = g_getenv (variable);
  CapraSettingsSource source = CAPRA_SETTINGS_FILE;
  gsize length = 0;
  guint line = 0;

  capra_fork_lock (&lock);
  if (choices && g_hash_table_contains (choices, key))
    source = CAPRA_SETTINGS_PROCESS;
  g_mutex_unlock (&lock);
  if (source != CAPRA_SETTINGS_PROCESS && forced && *forced)
    source = CAPRA_SETTINGS_VARIABLE;
  else if (source != CAPRA_SETTINGS_PROCESS && !(value = capra_settings_get_common (key)))
    source = CAPRA_SETTINGS_UNSET;
  if (!where)
    return source;

  *where = NULL;
  if (source == CAPRA_SETTINGS_VARIABLE)
    *where = g_steal_pointer (&variable);
  else if (source == CAPRA_SETTINGS_FILE)
    {
      text = capra_file_read_settings (path, &length, NULL);
      line = text ? find_line (text, key) : 0;
      *where = line > 0 ? g_strdup_printf (_ ("%s, line %u"), path, line) : g_steal_pointer (&path);
    }
  return source;
}

gboolean
capra_settings_set (const char *key, const char *value, GError **error)
{
  g_autofree char *path = settings_path ();
  g_autofree char *folder = g_path_get_dirname (path), *text = NULL;
  gboolean saved = FALSE;

  if (!capra_file_create_folder (folder))
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("cannot create the folder %s: %s"), folder,
                   g_strerror (errno));
      return FALSE;
    }

  capra_fork_lock (&lock);
  settings_load ();
  if (refused)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM, _ ("cannot write the settings: %s"), refused);
  else
    {
      if (value)
        g_key_file_set_string (file, GROUP, key, value);
      else
        g_key_file_remove_key (file, GROUP, key, NULL);
      text = g_key_file_to_data (file, NULL, NULL);
      saved = capra_write_text (path, text, error);
    }
  unlock_and_warn ();

  return saved;
}
