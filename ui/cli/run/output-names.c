/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of the files that a batch writes, from a pattern. */
#include "ui/cli/run/output-names.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define NAME "{name}"
#define NUMBER "{n}"

gboolean
run_name_varies (const char *pattern)
{
  return strstr (pattern, NAME) || strstr (pattern, NUMBER);
}

/* "frames/a.b.png": "a.b" and "png". */
static char *
split_name (const char *path, char **suffix)
{
  char *name = g_path_get_basename (path);
  char *dot = strrchr (name, '.');

  *suffix = dot && dot > name ? g_ascii_strdown (dot + 1, -1) : NULL;
  if (*suffix)
    *dot = '\0';
  return name;
}

char *
run_name_expand (const char *pattern, const char *input, guint number, guint count)
{
  g_autoptr (GString) text = g_string_new (pattern);
  g_autofree char *suffix = NULL;
  g_autofree char *name = input ? split_name (input, &suffix) : g_strdup ("image");
  g_autofree char *whole = g_strdup_printf ("%u", count);
  g_autofree char *digits = g_strdup_printf ("%0*u", (int) strlen (whole), number);

  g_string_replace (text, NUMBER, digits, 0); /* before the name, which may contain a pattern */
  g_string_replace (text, NAME, name, 0);
  return g_strdup (text->str);
}

/* The name of @input in the folder @output. A format that cannot be written is replaced by the first of @suffixes. */
static char *
name_in_folder (const char *output, const char *input, const char *const *suffixes)
{
  g_autofree char *suffix = NULL;
  g_autofree char *name = split_name (input ? input : "image.png", &suffix);
  g_autofree char *file = g_strdup_printf ("%s.%s", name,
                                           suffix && g_strv_contains (suffixes, suffix) ? suffix : suffixes[0]);

  return g_build_filename (output, file, NULL);
}

GStrv
run_names_outputs (const char *output, char **inputs, const char *const *suffixes, GError **error)
{
  guint count = MAX (g_strv_length (inputs), 1);
  gboolean folder = g_str_has_suffix (output, G_DIR_SEPARATOR_S) || g_file_test (output, G_FILE_TEST_IS_DIR);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto (GStrv) names = g_new0 (char *, count + 1);

  if (folder && g_mkdir_with_parents (output, 0777) != 0)
    {
      g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot create the folder \"%s\": %s", output,
                   g_strerror (errno));
      return NULL;
    }
  for (guint i = 0; i < count; i++)
    {
      names[i] = folder ? name_in_folder (output, inputs[i], suffixes)
                        : run_name_expand (output, inputs[i], i + 1, count);
      if (!g_hash_table_add (taken, names[i]))
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       "%s would be written more than once; name a folder, or use " NAME " or " NUMBER
                       " in the name of the output",
                       names[i]);
          return NULL;
        }
    }
  return g_steal_pointer (&names);
}
