/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings: variables override the file, and a changed file is read without a restart. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"

static void
test_order (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *stored = NULL, *forced = NULL, *gone = NULL;

  g_assert_null (capra_settings_get ("some-key"));
  g_assert_true (capra_settings_set ("some-key", "one", &error));
  stored = capra_settings_get ("some-key");
  g_assert_cmpstr (stored, ==, "one");

  g_setenv ("CAPRA_SOME_KEY", "two", TRUE);
  forced = capra_settings_get ("some-key");
  g_assert_cmpstr (forced, ==, "two");
  g_unsetenv ("CAPRA_SOME_KEY");

  g_assert_true (capra_settings_set ("some-key", NULL, &error));
  gone = capra_settings_get ("some-key");
  g_assert_null (gone);
}

/* A choice of this process overrides all others, and affects no other process. */
static void
test_choice (void)
{
  g_autofree char *chosen = NULL, *common = NULL, *gone = NULL;

  g_setenv ("CAPRA_SOME_KEY", "two", TRUE);
  capra_settings_choose ("some-key", "three");
  chosen = capra_settings_get ("some-key");
  g_assert_cmpstr (chosen, ==, "three");
  common = capra_settings_get_common ("some-key");
  g_assert_cmpstr (common, ==, "two");
  g_unsetenv ("CAPRA_SOME_KEY");
  capra_settings_choose ("some-key", NULL);
  gone = capra_settings_get ("some-key");
  g_assert_null (gone);

  capra_settings_choose ("device", support_device_name ("1"));
  g_assert_true (capra_device_select (NULL, NULL) == support_device (1));
  g_assert_true (capra_device_select (support_device_name ("0"), NULL) == support_device (0));
  g_assert_false (capra_device_is_default (NULL));
  capra_settings_choose ("device", NULL);
}

/* The path of the file; creates its folder. */
static char *
settings_path (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "capra", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  return g_build_filename (folder, "settings.ini", NULL);
}

/* Another process makes support_device (@index) the default. */
static void
write_device (const char *path, guint index)
{
  g_autofree char *text = g_strdup_printf ("[capra]\ndevice=%u\n",
                                           capra_device_get_info (support_device (index))->index);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
test_watched (void)
{
  g_autofree char *path = settings_path ();
  g_autofree char *found = NULL;

  write_device (path, 1);
  g_assert_true (capra_device_select (NULL, NULL) == support_device (1));
  write_device (path, 0);
  g_assert_true (capra_device_select (NULL, NULL) == support_device (0));
  g_assert_cmpint (g_unlink (path), ==, 0);
  found = capra_settings_get ("device");
  g_assert_null (found);
}

static void
test_broken (void)
{
  g_autofree char *path = settings_path ();
  g_autofree char *found = NULL;

  g_assert_true (g_file_set_contents (path, "no key file\n", -1, NULL));
  g_test_expect_message ("Capra", G_LOG_LEVEL_WARNING, "*settings.ini*");
  found = capra_settings_get ("device");
  g_test_assert_expected_messages ();
  g_assert_null (found);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* Anything else than a regular file of this user is neither read nor replaced. */
static void
assert_refused (const char *path)
{
  g_autofree char *found = NULL;
  g_autoptr (GError) error = NULL;

  g_test_expect_message ("Capra", G_LOG_LEVEL_WARNING, "*settings.ini*");
  found = capra_settings_get ("device");
  g_test_assert_expected_messages ();
  g_assert_null (found);
  g_assert_false (capra_settings_set ("device", "0", &error));
  g_assert_nonnull (strstr (error->message, "settings.ini"));
  g_assert_cmpint (g_remove (path), ==, 0);
  found = capra_settings_get ("device");
  g_assert_null (found);
}

static void
test_no_file (void)
{
  g_autofree char *path = settings_path ();
  g_autofree char *elsewhere = g_strconcat (path, ".elsewhere", NULL);
  g_autofree char *found = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_refused (path);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  assert_refused (path);
  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  assert_refused (path);
  g_assert_true (g_file_set_contents (path, "[capra]\ndevice=1\n", -1, NULL));
  g_assert_cmpint (truncate (path, (off_t) 1 << 40), ==, 0);
  assert_refused (path);
  g_assert_true (g_file_set_contents (path, "[capra]\ndevice=1\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  assert_refused (path);
  if (geteuid () == 0)
    {
      g_assert_true (g_file_set_contents (path, "[capra]\ndevice=1\n", -1, NULL));
      g_assert_cmpint (chown (path, 65534, 65534), ==, 0);
      assert_refused (path);
    }

  /* A link to another file of this user is followed. */
  g_assert_true (g_file_set_contents (elsewhere, "[capra]\ndevice=1\n", -1, NULL));
  g_assert_cmpint (symlink (elsewhere, path), ==, 0);
  found = capra_settings_get ("device");
  g_assert_cmpstr (found, ==, "1");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_unlink (elsewhere), ==, 0);
}

/* The source of a value. */
static void
test_source (void)
{
  g_autofree char *path = settings_path ();
  g_autofree char *where = NULL, *expected = g_strconcat (path, ", line 5", NULL);

  g_assert_cmpint (capra_settings_get_source ("some-key", &where), ==, CAPRA_SETTINGS_UNSET);
  g_assert_null (where);
  g_assert_true (
    g_file_set_contents (path, "[other]\nsome-key=0\n\n[capra]\n some-key =one\nsome-key-too=3\n", -1, NULL));
  g_assert_cmpint (capra_settings_get_source ("some-key", &where), ==, CAPRA_SETTINGS_FILE);
  g_assert_cmpstr (where, ==, expected);
  g_clear_pointer (&where, g_free);
  g_setenv ("CAPRA_SOME_KEY", "two", TRUE);
  g_assert_cmpint (capra_settings_get_source ("some-key", &where), ==, CAPRA_SETTINGS_VARIABLE);
  g_assert_cmpstr (where, ==, "CAPRA_SOME_KEY");
  g_clear_pointer (&where, g_free);
  capra_settings_choose ("some-key", "three");
  g_assert_cmpint (capra_settings_get_source ("some-key", &where), ==, CAPRA_SETTINGS_PROCESS);
  g_assert_null (where);
  capra_settings_choose ("some-key", NULL);
  g_unsetenv ("CAPRA_SOME_KEY");
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* The default of the settings is not in this machine: the best device is selected, with one warning. A missing device
 * that is named elsewhere is an error, which says where. */
static void
test_missing_device (void)
{
  g_autofree char *path = settings_path ();
  g_autofree char *missing = NULL, *where = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_device_dup_missing_default (&where));
  g_assert_null (where);
  g_assert_true (g_file_set_contents (path, "[capra]\ndevice=elsewhere\n", -1, NULL));
  missing = capra_device_dup_missing_default (&where);
  g_assert_cmpstr (missing, ==, "elsewhere");
  g_assert_true (g_str_has_suffix (where, "settings.ini, line 2"));
  g_test_expect_message ("Capra", G_LOG_LEVEL_WARNING, "*\"elsewhere\" (*settings.ini, line 2)*");
  g_assert_true (capra_device_select (NULL, NULL) == capra_device_get_best (NULL));
  g_test_assert_expected_messages ();
  g_assert_true (capra_device_select ("", NULL) == capra_device_get_best (NULL)); /* without another warning */
  g_assert_true (capra_device_is_default (NULL));

  g_assert_null (capra_device_select ("elsewhere", &error));
  g_assert_null (strstr (error->message, "settings.ini"));
  g_clear_error (&error);
  g_setenv ("CAPRA_DEVICE", "elsewhere", TRUE);
  g_assert_null (capra_device_dup_missing_default (NULL));
  g_assert_false (capra_device_is_default (NULL));
  g_assert_null (capra_device_select (NULL, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE);
  g_assert_nonnull (strstr (error->message, "CAPRA_DEVICE"));
  g_clear_error (&error);
  g_unsetenv ("CAPRA_DEVICE");
  capra_settings_choose ("device", "elsewhere");
  g_assert_null (capra_device_select (NULL, &error));
  g_assert_nonnull (strstr (error->message, "selected in this program"));
  capra_settings_choose ("device", NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

int
main (int argc, char **argv)
{
  support_devices (); /* PoCL has no device where it cannot create its cache folder, as in isolated folders */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/settings/order", test_order);
  g_test_add_func ("/settings/choice", test_choice);
  g_test_add_func ("/settings/watched", test_watched);
  g_test_add_func ("/settings/broken", test_broken);
  g_test_add_func ("/settings/no-file", test_no_file);
  g_test_add_func ("/settings/source", test_source);
  g_test_add_func ("/settings/missing-device", test_missing_device);
  return g_test_run ();
}
