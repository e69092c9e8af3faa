/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Apply to Many: the names of results and tables, and the reports of `capra run`. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "ui/panel/batch/batch-files.h"
#include "ui/panel/batch/batch-item.h"
#include "ui/panel/batch/batch-outputs.h"
#include "ui/panel/batch/batch-report.h"

static GListModel *
make_items (const char *const *paths)
{
  GListStore *items = g_list_store_new (CAPRA_TYPE_BATCH_ITEM);

  for (guint i = 0; paths[i]; i++)
    {
      g_autoptr (CapraBatchItem) item = capra_batch_item_new (paths[i]);

      g_list_store_append (items, item);
    }
  return G_LIST_MODEL (items);
}

static void
assert_item (GListModel *items, guint position, CapraBatchState state, const char *message)
{
  g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, position);

  g_assert_cmpint (capra_batch_item_get_state (item), ==, state);
  g_assert_cmpstr (capra_batch_item_get_message (item), ==, message);
}

/* Successes, warnings, failures in a row, lines of libraries, and an end in between. */
static void
test_report (void)
{
  static const char *const paths[] = {
    "/a/1.png", "/a/2: x.png", "/a/3.png", "/a/4.png", "/a/5.png", "/a/6.png", NULL
  };
  static const char *const lines[] = {
    "(process:1): GEGL-WARNING **: something",
    "capra run: /a/1.png: its profile was ignored",
    "[1/6] /a/1.png -> /b/1.png, 12 ms",
    "[1/6] /a/1.png -> /b/1.png, 12 ms",
    "capra run: /a/2: x.png: cannot be read",
    "capra run: /a/3.png: no\xff memory",
    "[99/6] nonsense",
    "[4/6] /a/4.png -> /b/4.png, 12 ms",
    "capra run: 2 of 6 images failed",
  };
  g_autoptr (GListModel) items = make_items (paths);
  g_autoptr (CapraBatchReport) report = capra_batch_report_new (items);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    capra_batch_report_add_line (report, lines[i]);
  g_assert_cmpuint (capra_batch_report_count (report), ==, 4);
  capra_batch_report_add_line (report, "capra run: /a/5.png: the disk is full");
  g_assert_cmpuint (capra_batch_report_end (report), ==, 1);
  assert_item (items, 0, CAPRA_BATCH_DONE, "its profile was ignored");
  assert_item (items, 1, CAPRA_BATCH_FAILED, "cannot be read");
  assert_item (items, 2, CAPRA_BATCH_FAILED, "no\xef\xbf\xbd memory");
  assert_item (items, 3, CAPRA_BATCH_DONE, NULL);
  assert_item (items, 4, CAPRA_BATCH_FAILED, "the disk is full");
  assert_item (items, 5, CAPRA_BATCH_LEFT, NULL);
  g_assert_cmpstr (capra_batch_report_get_error (report), ==, "2 of 6 images failed");
}

static void
test_names (void)
{
  static const char *const paths[] = { "/a/x.png", "/a/y.tif", "/b/x.png", NULL };
  static const struct {
    const char *names, *error, *first;
    gboolean raw;
    const char *table;
  } cases[] = {
    { "{name}-{n}.png", NULL, "/c/x-1.png" },
    { "{n}.TIF", NULL, "/c/1.TIF" },
    { "{n}.b.png", NULL, "/c/1.b.png", FALSE, "/c/1.b.csv" },
    { "{name}.png", "more than once" },
    { "result.png", "need {name} or {n}" },
    { "{n}", "must end in one of .png" },
    { "{n}.npy", "must end in" },
    { "{n}.npy", NULL, "/c/1.npy", TRUE },
    { "", "Enter names" },
    { "d/{n}.png", "must not contain a folder" },
  };
  g_autoptr (GListModel) items = make_items (paths);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *pattern = capra_batch_outputs_set (items, "/c", cases[i].names, cases[i].raw,
                                                          cases[i].table != NULL, &error);
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, 0);

      g_test_message ("%s", cases[i].names);
      if (cases[i].error)
        {
          g_assert_null (pattern);
          g_assert_nonnull (error);
          g_assert_nonnull (strstr (error->message, cases[i].error));
        }
      else
        {
          g_assert_cmpstr (capra_batch_item_get_output (item), ==, cases[i].first);
          g_assert_cmpstr (capra_batch_item_get_table (item), ==, cases[i].table);
        }
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (capra_batch_outputs_set (items, "/a", "x.png", FALSE, FALSE, &error));
    g_clear_error (&error);
    g_assert_null (capra_batch_outputs_set (items, "/b", "{name}.png", FALSE, FALSE, &error));
    g_assert_nonnull (strstr (error->message, "would be overwritten"));
  }
}

/* What the rows and the window tell at the end. */
static void
test_summary (void)
{
  static const char *const paths[] = { "/a/x.png", "/a/y.png", "/a/z.png", NULL };
  g_autoptr (GListModel) items = make_items (paths);
  g_autofree char *pattern = capra_batch_outputs_set (items, "/c", "{name}-b.png", FALSE, TRUE, NULL);
  g_autoptr (CapraBatchItem) first = g_list_model_get_item (items, 0);
  gboolean failed = FALSE, has_table = FALSE;
  g_autofree char *text = NULL, *row = NULL;

  g_assert_nonnull (pattern);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (CapraBatchItem) item = g_list_model_get_item (items, i);

      g_object_get (item, "has-table", &has_table, NULL);
      g_assert_false (has_table);
      capra_batch_item_set_state (item, i == 1 ? CAPRA_BATCH_FAILED : CAPRA_BATCH_DONE, NULL);
      g_object_get (item, "has-table", &has_table, NULL);
      g_assert_cmpint (has_table, ==, i != 1);
    }
  text = capra_batch_items_summarize (items, &failed);
  g_assert_cmpstr (text, ==, "2 results, 2 tables, 1 file failed");
  g_assert_true (failed);
  g_object_get (first, "message", &row, NULL);
  g_assert_cmpstr (row, ==, "→ x-b.png, x-b.csv");
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer paths)
{
  *(GPtrArray **) paths = capra_batch_files_find_finish (result, NULL);
}

/* In a folder, images are found by their type; those without contents by their name. */
static void
test_folder (void)
{
  static const char *const names[] = { "a.pgm", "empty.tif", "empty.txt", "text.txt", NULL };
  g_autofree char *folder = g_dir_make_tmp ("capra-batch-XXXXXX", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_autoptr (GPtrArray) paths = NULL;

  for (guint i = 0; names[i]; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_true (g_file_set_contents (path, g_str_has_prefix (names[i], "empty") ? "" : "P5 1 1 255\n0", -1, NULL));
    }
  gtk_file_filter_add_mime_type (filter, "image/*");
  g_list_store_append (files, file);
  capra_batch_files_find_async (G_LIST_MODEL (files), filter, NULL, on_found, &paths);
  while (!paths)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (paths->len, ==, 2);
  g_assert_true (g_str_has_suffix (paths->pdata[0], "a.pgm"));
  g_assert_true (g_str_has_suffix (paths->pdata[1], "empty.tif"));
  for (guint i = 0; names[i]; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);

      g_assert_cmpint (g_remove (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/panel/batch/report", test_report);
  g_test_add_func ("/panel/batch/names", test_names);
  g_test_add_func ("/panel/batch/summary", test_summary);
  g_test_add_func ("/panel/batch/folder", test_folder);
  return g_test_run ();
}
