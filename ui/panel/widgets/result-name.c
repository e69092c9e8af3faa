/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result-name: names for the files of results. */
#include "ui/panel/widgets/result-name.h"

#include <string.h>

static char *
dup_stem (GFile *source)
{
  char *name = source ? g_file_get_basename (source) : g_strdup ("image");
  char *dot = strrchr (name, '.');

  if (dot && dot > name)
    *dot = '\0';
  return name;
}

char *
capra_result_name_suggest_table (GFile *source, const char *what, const char *suffix)
{
  g_autofree char *stem = dup_stem (source);

  return g_strdup_printf ("%s-%s.%s", stem, what, suffix);
}

char *
capra_result_name_suggest (GFile *source, const char *suffix)
{
  return capra_result_name_suggest_table (source, "capra", suffix);
}

static GFile *
get_user_folder (void)
{
  const char *pictures = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);
  const char *documents = g_get_user_special_dir (G_USER_DIRECTORY_DOCUMENTS);

  return g_file_new_for_path (pictures ? pictures : documents ? documents : g_get_home_dir ());
}

GFile *
capra_result_name_suggest_folder (GFile *source)
{
  g_autoptr (GFile) cache = g_file_new_for_path (g_get_user_cache_dir ());

  return g_file_has_prefix (source, cache) ? get_user_folder () : g_file_get_parent (source);
}

char *
capra_result_name_find_free (GFile *source, const char *suffix)
{
  g_autoptr (GFile) suggested = capra_result_name_suggest_folder (source);
  g_autofree char *folder = g_file_get_path (suggested), *stem = dup_stem (source);
  g_autofree char *first = capra_result_name_suggest (source, suffix);
  char *result = g_build_filename (folder, first, NULL);

  for (guint i = 2; g_file_test (result, G_FILE_TEST_EXISTS); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-capra-%u.%s", stem, i, suffix);

      g_free (result);
      result = g_build_filename (folder, name, NULL);
    }
  return result;
}
