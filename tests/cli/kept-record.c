/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The record of a check, read from files that programs write which a test has started. */
#include "tests/cli/kept-record.h"

char *
kept_record_dup_path (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "capra", "checks", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_str_has_suffix (name, ".ini"))
      return g_build_filename (folder, name, NULL);
  return NULL;
}

GKeyFile *
kept_record_load (void)
{
  g_autofree char *path = kept_record_dup_path ();
  g_autoptr (GKeyFile) file = g_key_file_new ();

  if (!path || !g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return NULL;
  return g_steal_pointer (&file);
}

gboolean
kept_record_get_boolean (const char *key)
{
  g_autoptr (GKeyFile) file = kept_record_load ();

  return file && g_key_file_get_boolean (file, "check", key, NULL);
}

guint
kept_record_get_number (const char *key)
{
  g_autoptr (GKeyFile) file = kept_record_load ();

  return file ? (guint) g_key_file_get_integer (file, "check", key, NULL) : 0;
}

char *
kept_record_dup_names (const char *key)
{
  g_autoptr (GKeyFile) file = kept_record_load ();
  g_auto (GStrv) names = file ? g_key_file_get_string_list (file, "check", key, NULL, NULL) : NULL;

  return names ? g_strjoinv (",", names) : g_strdup ("");
}

pid_t
kept_record_get_checker (void)
{
  g_autofree char *path = g_build_filename (g_get_user_cache_dir (), "capra", "checks", "background.lock", NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) ? (pid_t) g_ascii_strtoll (text, NULL, 10) : 0;
}

void
kept_record_assert_names (const char *key, const char *expected)
{
  g_autofree char *names = kept_record_dup_names (key);

  g_assert_cmpstr (names, ==, expected);
}

void
kept_record_restart_system (void)
{
  g_autoptr (GKeyFile) file = kept_record_load ();
  g_autofree char *path = kept_record_dup_path ();
  g_autoptr (GError) error = NULL;

  g_key_file_set_string (file, "check", "boot", "another");
  g_key_file_save_to_file (file, path, &error);
  g_assert_no_error (error);
}
