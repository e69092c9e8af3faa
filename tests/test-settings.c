/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings: variables go before the file, and a changed file is seen without a restart. */
#include <glib/gstdio.h>

#include "support.h"

static void
test_order (void)
{
  g_autoptr(GError) error = NULL;
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

/* What this process chooses goes before all, and is nobody else's. */
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

  capra_settings_choose ("device", "1");
  g_assert_true (capra_device_select (NULL, NULL) == support_device (1));
  g_assert_true (capra_device_select ("0", NULL) == support_device (0));
  g_assert_false (capra_device_is_default (NULL));
  capra_settings_choose ("device", NULL);
}

/* The file's name, its folder made. */
static char *
settings_path (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "capra", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  return g_build_filename (folder, "settings.ini", NULL);
}

/* Another process writes the file. */
static void
test_watched (void)
{
  g_autofree char *path = settings_path ();
  g_autofree char *found = NULL;

  g_assert_true (g_file_set_contents (path, "[capra]\ndevice=1\n", -1, NULL));
  g_assert_true (capra_device_select (NULL, NULL) == support_device (1));
  g_assert_true (g_file_set_contents (path, "[capra]\ndevice=0\n", -1, NULL));
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

int
main (int argc, char **argv)
{
  support_devices (); /* PoCL has none where its cache folder cannot be made, as in isolated ones */
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/settings/order", test_order);
  g_test_add_func ("/settings/choice", test_choice);
  g_test_add_func ("/settings/watched", test_watched);
  g_test_add_func ("/settings/broken", test_broken);
  return g_test_run ();
}
