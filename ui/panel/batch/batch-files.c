/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-files: the files that the user chose, and the images in folders. */
#include "ui/panel/batch/batch-files.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ATTRIBUTES \
  G_FILE_ATTRIBUTE_STANDARD_NAME "," G_FILE_ATTRIBUTE_STANDARD_DISPLAY_NAME "," G_FILE_ATTRIBUTE_STANDARD_TYPE \
                                 "," G_FILE_ATTRIBUTE_STANDARD_CONTENT_TYPE "," G_FILE_ATTRIBUTE_STANDARD_IS_HIDDEN \
                                 "," G_FILE_ATTRIBUTE_STANDARD_SIZE

/* What the thread reads. The filter is asked in the thread, while nothing else uses it. */
typedef struct {
  GPtrArray *files; /* GFile */
  GtkFileFilter *filter;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_ptr_array_unref (search->files);
  g_object_unref (search->filter);
  g_free (search);
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Files without contents have a type of their own. One with the name of an image is a failure to be seen. */
static gboolean
is_image (const Search *search, GFileInfo *info)
{
  if (g_file_info_get_size (info) == 0)
    {
      g_autofree char *type = g_content_type_guess (g_file_info_get_name (info), NULL, 0, NULL);

      g_file_info_set_content_type (info, type);
    }
  return gtk_filter_match (GTK_FILTER (search->filter), info);
}

static void
search_folder (const Search *search, GFile *folder, GPtrArray *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFileEnumerator) list = g_file_enumerate_children (folder, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable,
                                                                error);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  GFileInfo *info = NULL;

  while (list && g_file_enumerator_iterate (list, &info, NULL, cancellable, error) && info)
    if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR && !g_file_info_get_is_hidden (info)
        && is_image (search, info))
      g_ptr_array_add (found, g_build_filename (g_file_peek_path (folder), g_file_info_get_name (info), NULL));
  g_ptr_array_sort (found, compare_paths);
  g_ptr_array_extend_and_steal (paths, g_steal_pointer (&found));
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Search *search = data;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  GError *error = NULL;

  for (guint i = 0; i < search->files->len && !error; i++)
    {
      GFile *file = search->files->pdata[i];
      const char *path = g_file_peek_path (file);

      if (!path)
        g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("Only files on this computer can be processed"));
      else if (g_file_test (path, G_FILE_TEST_IS_DIR))
        search_folder (search, file, paths, cancellable, &error);
      else
        g_ptr_array_add (paths, g_strdup (path));
    }
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&paths), (GDestroyNotify) g_ptr_array_unref);
}

void
capra_batch_files_find_async (GListModel *files, GtkFileFilter *filter, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Search *search = g_new0 (Search, 1);

  search->files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    g_ptr_array_add (search->files, g_list_model_get_item (files, i));
  search->filter = g_object_ref (filter);
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, run);
}

GPtrArray *
capra_batch_files_find_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
