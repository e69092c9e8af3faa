/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check records: saving and loading, what they are valid for, damaged files and files that others can write to. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/check-record-private.h"
#include "tests/support/support-caches.h"
#include "tests/support/support.h"

#define TIME G_GINT64_CONSTANT (1795400000)

/* Saves a record with wrong results. */
static void
save (CapraDevice *device, guint passed)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (TRUE);
  g_autoptr (GError) error = NULL;
  gboolean saved = FALSE;

  g_strfreev (record->differ);
  g_strfreev (record->failed);
  record->differ = g_strsplit ("median,label (label.block=64,x=1;y)", ",label", 2);
  record->failed = g_strsplit ("otsu", ",", -1);
  record->time = TIME;
  record->ended = TRUE;
  record->unreliable = TRUE;
  record->passed = passed;
  saved = capra_check_record_save (device, record, &error);
  g_assert_no_error (error);
  g_assert_true (saved);
}

static void
assert_passed (CapraDevice *device, guint passed)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_load (device);

  g_assert_nonnull (record);
  g_assert_cmpuint (record->passed, ==, passed);
}

static void
assert_none (CapraDevice *device)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_load (device);

  g_assert_null (record);
}

static void
test_save (void)
{
  CapraDevice *device = support_device (0), *other = support_device (1);
  g_autoptr (CapraCheckRecord) begun = capra_check_record_new (FALSE), loaded = NULL, unfinished = NULL;
  g_autofree char *path = capra_check_record_path (device);
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  struct stat found;

  if (support_skip_alone ())
    return;
  assert_none (device);
  save (device, 25);
  assert_none (other);
  save (other, 13);
  assert_passed (other, 13);
  loaded = capra_check_record_load (device);
  g_assert_nonnull (loaded);
  g_assert_cmpint (loaded->time, ==, TIME);
  g_assert_true (loaded->ended);
  g_assert_true (loaded->full);
  g_assert_true (loaded->unreliable);
  g_assert_cmpuint (loaded->passed, ==, 25);
  g_assert_cmpuint (g_strv_length (loaded->differ), ==, 2);
  g_assert_cmpstr (loaded->differ[0], ==, "median");
  g_assert_cmpstr (loaded->differ[1], ==, " (label.block=64,x=1;y)");
  g_assert_cmpuint (g_strv_length (loaded->failed), ==, 1);
  g_assert_cmpstr (loaded->failed[0], ==, "otsu");
  g_assert_cmpint (g_stat (path, &found), ==, 0);
  g_assert_cmpint (found.st_mode & 0777, ==, 0600);

  capra_check_record_remove (device);
  g_assert_true (capra_check_record_save (device, begun, NULL));
  unfinished = capra_check_record_load (device);
  g_assert_nonnull (unfinished);
  g_assert_false (unfinished->ended);
  g_assert_false (unfinished->full);
  g_assert_false (unfinished->unreliable);
  g_assert_cmpuint (unfinished->passed, ==, 0);
  g_assert_cmpuint (g_strv_length (unfinished->differ) + g_strv_length (unfinished->failed), ==, 0);
  g_assert_cmpint (ABS (unfinished->time - now), <, 600);
}

/* A check in the background that has not ended. */
static void
test_background (void)
{
  CapraDevice *device = support_device (0);
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (FALSE), loaded = NULL, copy = NULL;

  g_strfreev (record->done);
  g_strfreev (record->running);
  record->done = g_strsplit ("fill,crop", ",", -1);
  record->running = g_strsplit ("convert,convert", ",", -1);
  record->count = 27;
  capra_check_record_remove (device);
  g_assert_true (capra_check_record_save (device, record, NULL));
  loaded = capra_check_record_load (device);
  g_assert_nonnull (loaded);
  copy = capra_check_record_copy (loaded);
  g_assert_false (copy->ended);
  g_assert_cmpuint (copy->count, ==, 27);
  g_assert_true (g_strv_equal ((const char *const *) copy->done, (const char *const *) record->done));
  g_assert_true (g_strv_equal ((const char *const *) copy->running, (const char *const *) record->running));
}

/* A check that has begun leaves the verdict before it, until it ends. */
static void
test_begun (void)
{
  CapraDevice *device = support_device (0);
  g_autoptr (CapraCheckRecord) begun = capra_check_record_new (FALSE), loaded = NULL, again = NULL;

  save (device, 25);
  begun->time = TIME + 7;
  g_assert_true (capra_check_record_save (device, begun, NULL));
  begun->time = TIME + 9;
  g_assert_true (capra_check_record_save (device, begun, NULL));
  loaded = capra_check_record_load (device);
  g_assert_nonnull (loaded);
  g_assert_true (loaded->ended && loaded->full && loaded->unreliable);
  g_assert_cmpuint (loaded->passed, ==, 25);
  g_assert_cmpint (loaded->time, ==, TIME);
  g_assert_cmpint (loaded->begun, ==, TIME + 9);
  g_assert_cmpstr (loaded->failed[0], ==, "otsu");
  save (device, 26);
  again = capra_check_record_load (device);
  g_assert_nonnull (again);
  g_assert_cmpuint (again->passed, ==, 26);
  g_assert_cmpint (again->begun, ==, 0);
}

/* Saves a record, and replaces @from by @to in its file. */
static void
spoil (CapraDevice *device, const char *from, const char *to)
{
  g_autofree char *path = capra_check_record_path (device), *text = NULL, *spoilt = NULL;
  g_auto (GStrv) parts = NULL;

  save (device, 7);
  assert_passed (device, 7);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  parts = g_strsplit (text, from, -1);
  if (g_strv_length (parts) < 2)
    g_error ("\"%s\" is not in %s", from, text);
  spoilt = g_strjoinv (to, parts);
  g_assert_true (g_file_set_contents (path, spoilt, -1, NULL));
}

/* Other drivers, other kernels, and files that are damaged. */
static void
test_ignored (void)
{
  static const char *const cases[][2] = {
    { "device=", "device=x" },
    { "driver=", "driver=x" },
    { "version=", "version=x" },
    { "capra=", "capra=x" },
    { "kernels=", "kernels=x" },
    { "tuning=", "tuning=x" },
    { "kernels=", "kern=" },
    { "[check]", "[checks]" },
    { "[check]", "check]" },
    { "passed=7", "passed=-7" },
    { "passed=7", "passed=" },
    { "passed=7", "" },
    { "passed=7", "passed=99999999999" },
    { "count=0", "count=-1" },
    { "count=0", "" },
    { "done=", "finished=" },
    { "running=", "running=;" },
    { "time=", "time=x" },
    { "time=", "when=" },
    { "time=17", "time=-17" },
    { "time=17", "begun=x\ntime=17" },
    { "ended=true", "ended=7" },
    { "ended=true", "" },
    { "full=true", "" },
    { "unreliable=true", "" },
    { "differ=", "differs=" },
    { "failed=", "fail=" },
    { "failed=otsu", "failed=o\033[7mtsu" },
    { "differ=median", "differ=;" },
    { "failed=otsu", "failed=o\xfftsu" },
  };
  CapraDevice *device = support_device (0);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      spoil (device, cases[i][0], cases[i][1]);
      g_test_message ("case %u: another %s", i, cases[i][0]);
      assert_none (device);
    }
  save (device, 27);
  assert_passed (device, 27);
}

/* Every shorter file is ignored. */
static void
test_truncated (void)
{
  CapraDevice *device = support_device (0);
  g_autofree char *path = capra_check_record_path (device), *text = NULL;
  gsize length = 0;

  save (device, 25);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_cmpint (text[length - 1], ==, '\n');
  for (gsize size = 0; size < length - 1; size++)
    {
      g_assert_true (g_file_set_contents (path, text, (gssize) size, NULL));
      assert_none (device);
    }
}

static void
test_tuning (void)
{
  CapraDevice *device = support_device (0);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);

  save (device, 27);
  g_setenv ("CAPRA_TUNING", "threshold.vector=2", TRUE);
  assert_none (device);
  g_unsetenv ("CAPRA_TUNING");
  assert_passed (device, 27);

  /* Other variants, as measured by capra tune. */
  if (support_devices ()->len > 1)
    save (support_device (1), 26);
  g_assert_true (capra_tuning_save (device, values, NULL));
  assert_none (device);
  if (support_devices ()->len > 1)
    assert_passed (support_device (1), 26);
  capra_tuning_ignore_measured (device);
}

/* Links, files that others can write to, other things than files, and large ones are ignored, and replaced. */
static void
test_foreign (void)
{
  CapraDevice *device = support_device (0);
  g_autofree char *path = capra_check_record_path (device), *folder = g_path_get_dirname (path);
  g_autofree char *target = g_build_filename (folder, "target", NULL), *many = g_strnfill (1 << 17, '#');
  g_autofree char *text = NULL, *large = NULL;

  save (device, 1);
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  assert_none (device);
  save (device, 2);
  assert_passed (device, 2);

  g_assert_cmpint (g_rename (path, target), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
  assert_none (device);
  save (device, 3);
  assert_passed (device, 3);

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  large = g_strconcat (text, many, "\n", NULL);
  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  assert_none (device);

  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_none (device);
  save (device, 4);
  assert_passed (device, 4);
  g_assert_cmpint (g_unlink (target), ==, 0);
}

/* A folder that cannot be created is an error that names it. */
static void
test_unwritable (void)
{
  CapraDevice *device = support_device (0);
  g_autofree char *path = capra_check_record_path (device), *folder = g_path_get_dirname (path);
  g_autofree char *moved = g_strconcat (folder, "-moved", NULL);
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (FALSE);
  g_autoptr (GError) error = NULL;

  save (device, 5);
  g_assert_cmpint (g_rename (folder, moved), ==, 0);
  g_assert_true (g_file_set_contents (folder, "a file", -1, NULL));
  assert_none (device);
  g_assert_false (capra_check_record_save (device, record, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
  g_assert_nonnull (strstr (error->message, folder));
  g_assert_cmpint (g_unlink (folder), ==, 0);
  g_assert_cmpint (g_rename (moved, folder), ==, 0);
  assert_passed (device, 5);
}

int
main (int argc, char **argv)
{
  /* PoCL has no device where it cannot create its cache folder, as in isolated folders. */
  support_keep_driver_caches ();
  support_devices ();
  umask (022);
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_unsetenv ("CAPRA_TUNING");
  g_test_add_func ("/check-record/save", test_save);
  g_test_add_func ("/check-record/background", test_background);
  g_test_add_func ("/check-record/begun", test_begun);
  g_test_add_func ("/check-record/ignored", test_ignored);
  g_test_add_func ("/check-record/truncated", test_truncated);
  g_test_add_func ("/check-record/tuning", test_tuning);
  g_test_add_func ("/check-record/foreign", test_foreign);
  g_test_add_func ("/check-record/unwritable", test_unwritable);
  return g_test_run ();
}
