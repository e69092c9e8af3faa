/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result-name: names for the files of results. */
#include "ui/panel/window/result-name.h"

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
capra_result_name_suggest (GFile *source, const char *suffix)
{
  g_autofree char *stem = dup_stem (source);

  return g_strdup_printf ("%s-capra.%s", stem, suffix);
}

char *
capra_result_name_find_free (GFile *source, const char *suffix)
{
  g_autofree char *path = g_file_get_path (source), *folder = g_path_get_dirname (path), *stem = dup_stem (source);
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
