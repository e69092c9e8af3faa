/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tuning: the order of the sources, saved values, and outdated and damaged files. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support-caches.h"
#include "tests/support/support.h"

static void
assert_value (CapraDevice *device, const char *key, const char *expected)
{
  g_autofree char *value = capra_tuning_get (device, key);

  g_assert_cmpstr (value, ==, expected);
}

/* Every tuned key is shipped with a value for each kind of device, which is one of the candidates, so that `capra tune`
 * can return to it. */
static void
test_candidates (void)
{
  GKeyFile *candidates = capra_tuning_candidates ();
  g_autoptr (GKeyFile) shipped = g_key_file_new ();
  g_autoptr (GBytes) bytes = g_resources_lookup_data ("/capra/tuning/defaults.ini", 0, NULL);
  g_auto (GStrv) keys = g_key_file_get_groups (candidates, NULL);
  static const char *const kinds[] = { "cpu", "gpu" };

  g_assert_true (g_key_file_load_from_bytes (shipped, bytes, G_KEY_FILE_NONE, NULL));
  g_assert_cmpuint (g_strv_length (keys), >, 0);
  for (char **key = keys; *key; key++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      {
        g_autofree char *value = g_key_file_get_string (shipped, kinds[k], *key, NULL);
        g_auto (GStrv) values = g_key_file_get_string_list (candidates, *key, kinds[k], NULL, NULL);

        g_test_message ("[%s] %s=%s", kinds[k], *key, value);
        if (!values)
          continue; /* not used, or only one value there */
        g_assert_nonnull (value);
        g_assert_true (g_strv_contains ((const char *const *) values, value));
      }
}

/* The candidates for threshold.vector on @device but the shipped one: @n of them, interned. */
static void
other_candidates (CapraDevice *device, const char *shipped, guint n, const char **others)
{
  g_auto (GStrv) values = g_key_file_get_string_list (capra_tuning_candidates (), "threshold.vector",
                                                      capra_tuning_kind (device), NULL, NULL);

  for (char **value = values; *value && n > 0; value++)
    if (!g_str_equal (*value, shipped))
      others[--n] = g_intern_string (*value);
  g_assert_cmpuint (n, ==, 0);
}

static void
test_order (void)
{
  CapraDevice *device = support_device (0), *other = support_device (1);
  g_autofree char *shipped = capra_tuning_get (device, "threshold.vector");
  g_autofree char *of_other = capra_tuning_get (other, "threshold.vector");
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  const char *saved = NULL, *saved_other = NULL;

  if (support_skip_alone ())
    return;
  other_candidates (device, shipped, 1, &saved);
  other_candidates (other, of_other, 1, &saved_other);
  g_hash_table_insert (values, (gpointer) "threshold.vector", (gpointer) saved);
  g_assert_true (capra_tuning_save (device, values, &error));
  assert_value (device, "threshold.vector", saved);
  assert_value (other, "threshold.vector", of_other);
  g_assert_cmpint (capra_tuning_get_int (device, "threshold.vector", 1), ==, atoi (saved));

  /* The values of another device remain. */
  g_hash_table_insert (values, (gpointer) "threshold.vector", (gpointer) saved_other);
  g_assert_true (capra_tuning_save (other, values, &error));
  assert_value (device, "threshold.vector", saved);
  assert_value (other, "threshold.vector", saved_other);

  capra_tuning_try ("threshold.vector", "1");
  assert_value (device, "threshold.vector", "1");
  g_setenv ("CAPRA_TUNING", "label.block=64,threshold.vector=2", TRUE);
  assert_value (device, "threshold.vector", "2");
  g_unsetenv ("CAPRA_TUNING");
  capra_tuning_try ("threshold.vector", NULL);
  assert_value (device, "threshold.vector", saved);
}

/* The measured file, with @from replaced by @to. */
static void
spoil (const char *from, const char *to)
{
  g_autofree char *path = capra_tuning_path (), *text = NULL, *spoilt = NULL;
  g_auto (GStrv) parts = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  parts = g_strsplit (text, from, -1);
  g_assert_cmpuint (g_strv_length (parts), >, 1);
  spoilt = g_strjoinv (to, parts);
  g_assert_true (g_file_set_contents (path, spoilt, -1, NULL));
}

/* In a separate process, since the file is read once. @from: a part of a file that is valid for this device. */
static void
assert_ignored (const char *from, const char *to, const char *message)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
      g_autofree char *shipped = capra_tuning_get (support_device (0), "threshold.vector");
      const char *saved = NULL;

      other_candidates (support_device (0), shipped, 1, &saved);
      g_hash_table_insert (values, (gpointer) "threshold.vector", (gpointer) saved);
      g_assert_true (capra_tuning_save (support_device (0), values, NULL));
      spoil (from, to);
      g_test_expect_message ("Capra", G_LOG_LEVEL_MESSAGE, message);
      assert_value (support_device (0), "threshold.vector", shipped);
      g_test_assert_expected_messages ();
      assert_value (support_device (0), "threshold.vector", shipped); /* one message */
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
test_driver (void)
{
  assert_ignored ("driver=", "driver=older ", "*another driver*");
}

static void
test_kernels (void)
{
  assert_ignored ("kernels=", "kernels=0", "*other kernels*");
}

static void
test_damaged_value (void)
{
  assert_ignored ("vector=", "vector=nonsense", "*damaged*");
}

static void
test_damaged_group (void)
{
  assert_ignored ("driver=", "drivel=", "*damaged*");
}

static void
test_damaged_file (void)
{
  assert_ignored ("[", "(", "*tuning.ini*");
}

/* Not a regular file: neither read nor replaced. In a separate process, since the file is read once. */
static void
assert_refused (GFunc make)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
      g_autofree char *path = capra_tuning_path (), *folder = g_path_get_dirname (path), *value = NULL;
      g_autoptr (GError) error = NULL;

      g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
      make (path, NULL);
      g_test_expect_message ("Capra", G_LOG_LEVEL_MESSAGE, "*tuning.ini*");
      value = capra_tuning_get (support_device (0), "threshold.vector");
      g_test_assert_expected_messages ();
      g_assert_nonnull (value);
      g_assert_false (capra_tuning_save (support_device (0), values, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
make_fifo (gpointer path, gpointer data)
{
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
}

static void
test_fifo (void)
{
  assert_refused (make_fifo);
}

static void
make_endless (gpointer path, gpointer data)
{
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
}

static void
test_endless (void)
{
  assert_refused (make_endless);
}

static void
make_foreign (gpointer path, gpointer data)
{
  g_assert_true (g_file_set_contents (path, "[x]\n", -1, NULL));
  g_assert_cmpint (chown (path, 65534, 65534), ==, 0);
}

static void
test_foreign (void)
{
  if (geteuid () == 0)
    assert_refused (make_foreign);
  else
    g_test_skip ("only root can give a file away");
}

static void
test_unwritable (void)
{
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = capra_tuning_path ();

  g_unlink (path);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_false (capra_tuning_save (support_device (0), values, &error));
  g_assert_nonnull (error);
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

int
main (int argc, char **argv)
{
  /* PoCL has no device where it cannot create its cache folder, as in isolated folders, also those of children. */
  support_keep_driver_caches ();
  support_devices ();
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/tuning/candidates", test_candidates);
  g_test_add_func ("/tuning/order", test_order);
  g_test_add_func ("/tuning/driver", test_driver);
  g_test_add_func ("/tuning/kernels", test_kernels);
  g_test_add_func ("/tuning/damaged-value", test_damaged_value);
  g_test_add_func ("/tuning/damaged-group", test_damaged_group);
  g_test_add_func ("/tuning/damaged-file", test_damaged_file);
  g_test_add_func ("/tuning/fifo", test_fifo);
  g_test_add_func ("/tuning/endless", test_endless);
  g_test_add_func ("/tuning/foreign", test_foreign);
  g_test_add_func ("/tuning/unwritable", test_unwritable);
  return g_test_run ();
}
