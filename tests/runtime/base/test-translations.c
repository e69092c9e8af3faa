/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translations: the library binds its text domain when it is loaded, and its errors are translated. */
#include <glib/gstdio.h>
#include <libintl.h>
#include <locale.h>
#include <unistd.h>

#include "tests/support/support.h"

#define LOCALE "de_DE.UTF-8"
#define NEUTRAL "/usr/lib/locale/C.utf8" /* glibc's files of C.UTF-8 */

static char *
get_unknown_device_message (const char *language)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("LANGUAGE", language, TRUE);
  g_assert_nonnull (setlocale (LC_ALL, LOCALE)); /* gettext reads LANGUAGE again */
  g_assert_null (capra_device_select ("nonsense", &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE);
  return g_strdup (error->message);
}

static void
test_bound (void)
{
  g_assert_cmpstr (bindtextdomain (GETTEXT_PACKAGE, NULL), ==, CAPRA_LOCALEDIR);
}

static void
make_link (const char *target, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_cmpint (symlink (target, path), ==, 0);
}

/* gettext translates nothing in the locale C, and newer versions nothing in C.UTF-8. No other locale needs to be
 * installed: the test makes one that is C.UTF-8 by another name. */
static void
test_error (void)
{
  g_autofree char *folder = NULL, *messages = NULL, *remove = NULL, *english = NULL, *german = NULL;

  if (!g_file_test (NEUTRAL, G_FILE_TEST_IS_DIR))
    {
      g_test_skip (NEUTRAL " does not exist");
      return;
    }
  folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  messages = g_build_filename (folder, "de", "LC_MESSAGES", NULL);
  remove = g_strdup_printf ("rm -rf '%s'", folder);
  make_link (NEUTRAL, folder, LOCALE);
  make_link (g_getenv ("CAPRA_TEST_CATALOG"), messages, GETTEXT_PACKAGE ".mo");
  g_setenv ("LOCPATH", folder, TRUE);
  bindtextdomain (GETTEXT_PACKAGE, folder);

  english = get_unknown_device_message ("en");
  german = get_unknown_device_message ("de");
  g_assert_true (g_str_has_prefix (english, "unknown device \"nonsense\"; the devices are: "));
  g_assert_true (g_str_has_prefix (german, "unbekanntes Gerät „nonsense“; "));

  g_assert_true (g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/translations/bound", test_bound);
  g_test_add_func ("/translations/error", test_error);
  return g_test_run ();
}
