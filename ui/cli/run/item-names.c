/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Item-names: the files that a batch writes, from a pattern. */
#include "ui/cli/run/items.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "formats/curves/curves-file.h"
#include "ui/batch/name-pattern.h"
#include "ui/pipeline/read/frames.h"

char *
run_item_expand (const char *pattern, const RunItem *item, guint number, guint items, guint values)
{
  CapraNameValues numbers = { .input = item->input,
                              .number = number,
                              .items = items,
                              .frame = (guint64) MAX (item->frame, 0),
                              .frames = (guint64) MAX (item->frames, 0),
                              .value = (guint64) (item->value + 1),
                              .values = values };

  return capra_name_pattern_expand (pattern, &numbers);
}

/* The ending of results of an image whose format cannot be written. Numbers keep their range. */
static const char *
choose_suffix (const char *input, const char *const *suffixes)
{
  return input && capra_frames_has (input) ? "tif" : suffixes[0];
}

/* The name of the item in the folder @output. */
static char *
name_in_folder (const char *output, const RunItem *item, guint values, const char *const *suffixes)
{
  g_autofree char *suffix = NULL, *expanded = NULL;
  g_autofree char *name = capra_name_split (item->input ? item->input : "image.png", &suffix);
  const char *last = suffix && g_strv_contains (suffixes, suffix) ? suffix : choose_suffix (item->input, suffixes);
  g_autofree char *pattern = g_strdup_printf (CAPRA_NAME_INPUT "%s%s.%s", item->frame >= 0 ? "-" CAPRA_NAME_FRAME : "",
                                              item->value >= 0 ? "-" CAPRA_NAME_VALUE : "", last);

  expanded = run_item_expand (pattern, item, 0, 1, values);
  return g_build_filename (output, expanded, NULL);
}

static gboolean
make_folder (const char *path, GError **error)
{
  if (g_mkdir_with_parents (path, 0777) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), "cannot create the folder \"%s\": %s", path,
               g_strerror (errno));
  return FALSE;
}

/* The folder of a result of a batch. One that is written alone must be there: its name may be a mistake. */
static gboolean
make_parent (const char *output, const char *path, GError **error)
{
  g_autofree char *parent = g_path_get_dirname (path);

  return !capra_name_pattern_varies (output) || make_folder (parent, error);
}

gboolean
run_items_set_outputs (GArray *items, const char *output, guint values, const char *const *suffixes, GError **error)
{
  gboolean folder = g_str_has_suffix (output, G_DIR_SEPARATOR_S) || g_file_test (output, G_FILE_TEST_IS_DIR);
  g_autoptr (GHashTable) taken = g_hash_table_new (g_str_hash, g_str_equal);

  if (folder && !make_folder (output, error))
    return FALSE;
  for (guint i = 0; i < items->len; i++)
    {
      RunItem *item = &g_array_index (items, RunItem, i);

      item->output = folder ? name_in_folder (output, item, values, suffixes)
                            : run_item_expand (output, item, i, items->len, values);
      if (!folder && !make_parent (output, item->output, error))
        return FALSE;
      if (g_hash_table_add (taken, item->output))
        continue;
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                   "%s would be written more than once; name a folder, or use " CAPRA_NAME_INPUT ", " CAPRA_NAME_NUMBER
                   ", " CAPRA_NAME_FRAME " (the frame) or " CAPRA_NAME_VALUE
                   " (the number of the value) in the name of the output",
                   item->output);
      return FALSE;
    }
  return TRUE;
}

gboolean
run_items_check_tables (const char *path, gboolean several, GError **error)
{
  static const char *const suffixes[] = { "csv", "json", "npy", NULL };
  g_autofree char *suffix = NULL, *name = capra_name_split (path, &suffix);

  if (strcmp (path, "-") == 0)
    return TRUE;
  if (suffix && !g_strv_contains (suffixes, suffix) && !capra_curves_file_knows (path))
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                   "%s: tables are written as .csv, .json or .npy files, integrated curves also as .dat, .txt or .h5",
                   path);
      return FALSE;
    }
  if (!several || capra_name_pattern_varies (path))
    return TRUE;
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
                       "the tables of several images need {name}, {n}, {frame} or {value} in the argument of --tables");
  return FALSE;
}
