/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-outputs: the names of the results of a batch. */
#include "ui/panel/batch/batch-outputs.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/batch/name-pattern.h"
#include "ui/panel/batch/batch-item.h"
#include "ui/pipeline/write/save.h"

static gboolean
refuse (GError **error, const char *message)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, message);
  return FALSE;
}

static gboolean
check_suffix (const char *names, gboolean raw, GError **error)
{
  const char *const *suffixes = capra_save_get_suffixes (raw);
  g_autofree char *suffix = NULL, *stem = capra_name_split (names, &suffix), *message = NULL, *list = NULL;

  if (suffix && g_strv_contains (suffixes, suffix))
    return TRUE;
  list = g_strjoinv (", .", (char **) suffixes);
  message = g_strdup_printf (_ ("The names must end in one of .%s"), list);
  return refuse (error, message);
}

static gboolean
check_names (guint count, const char *names, gboolean raw, GError **error)
{
  if (!*names)
    return refuse (error, _ ("Enter names for the results, such as {name}-capra.png"));
  if (strchr (names, G_DIR_SEPARATOR))
    return refuse (error, _ ("The names must not contain a folder; choose it above"));
  if (count > 1 && !strstr (names, CAPRA_NAME_INPUT) && !strstr (names, CAPRA_NAME_NUMBER))
    return refuse (error, _ ("The names of several results need {name} or {n}"));
  return check_suffix (names, raw, error);
}

static gboolean
check_output (const char *output, GHashTable *inputs, GHashTable *outputs, GError **error)
{
  g_autofree char *name = g_filename_display_basename (output), *message = NULL;

  if (g_hash_table_contains (inputs, output))
    message = g_strdup_printf (_ ("“%s” is one of the files and would be overwritten; choose other names"), name);
  else if (!g_hash_table_add (outputs, (gpointer) output))
    message = g_strdup_printf (_ ("“%s” would be written more than once; use {n} in the names"), name);
  return !message || refuse (error, message);
}

char *
capra_batch_outputs_name_table (const char *output)
{
  g_autofree char *suffix = NULL, *stem = capra_name_split (output, &suffix), *folder = g_path_get_dirname (output);
  g_autofree char *name = g_strconcat (stem, ".csv", NULL);

  return g_build_filename (folder, name, NULL);
}

char *
capra_batch_outputs_set (GListModel *items, const char *folder, const char *names, gboolean raw, gboolean tables,
                         GError **error)
{
  g_autofree char *pattern = g_build_filename (folder, names, NULL);
  g_autoptr (GHashTable) inputs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) outputs = g_hash_table_new (g_str_hash, g_str_equal);
  guint count = g_list_model_get_n_items (items);

  if (!check_names (count, names, raw, error))
    return NULL;
  for (guint i = 0; i < count; i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);

      g_hash_table_add (inputs, g_strdup (capra_batch_item_get_path (item)));
    }
  for (guint i = 0; i < count; i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);
      CapraNameValues values = { .input = capra_batch_item_get_path (item), .number = i, .items = count };
      g_autofree char *output = capra_name_pattern_expand (pattern, &values);
      g_autofree char *table = tables ? capra_batch_outputs_name_table (output) : NULL;

      capra_batch_item_set_output (item, output, table);
      if (!check_output (capra_batch_item_get_output (item), inputs, outputs, error)
          || (table && !check_output (capra_batch_item_get_table (item), inputs, outputs, error)))
        return NULL;
    }
  return g_steal_pointer (&pattern);
}

static guint
exists (const char *path)
{
  return path && g_file_test (path, G_FILE_TEST_EXISTS);
}

guint
capra_batch_outputs_count_existing (GListModel *items)
{
  guint existing = 0;

  for (guint i = 0; i < g_list_model_get_n_items (items); i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);

      existing += exists (capra_batch_item_get_output (item)) + exists (capra_batch_item_get_table (item));
    }
  return existing;
}
