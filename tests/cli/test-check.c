/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of `capra check`: all families pass, a wrong kernel is found, reports, errors. `-m slow` adds the full check.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support/support-json.h"
#include "tests/support/support.h"

typedef struct {
  char *output, *errors;
} Text;

static void
text_clear (Text *text)
{
  g_free (text->output);
  g_free (text->errors);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Text, text_clear)

/* Runs `capra check` with @arguments in a shell. Returns its exit status. */
static int
run (const char *arguments, Text *text)
{
  g_autofree char *line = g_strdup_printf ("exec \"$CAPRA_PROGRAM\" check %s", arguments);
  const char *command[] = { "sh", "-c", line, NULL };
  g_autoptr (GError) error = NULL;
  int status = 0;

  text_clear (text);
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text->output, &text->errors, &status,
                &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

/* All kernels of a device agree with the references; the report names each. */
static void
check_passes (const char *arguments)
{
  g_auto (Text) text = { NULL, NULL }, names = { NULL, NULL };
  g_autoptr (JsonNode) json = NULL;
  JsonObject *report = NULL;
  JsonArray *results = NULL;
  g_auto (GStrv) lines = NULL;
  int status = run (arguments, &text);

  if (status != 0)
    g_error ("capra check %s: %s%s", arguments, text.output, text.errors);
  json = support_json_parse (text.output);
  report = json_node_get_object (json);
  results = json_object_get_array_member (report, "results");
  g_assert_true (json_object_get_boolean_member (report, "passed"));
  g_assert_cmpint (run (strstr (arguments, "--full") ? "--list --full" : "--list", &names), ==, 0);
  lines = g_strsplit (g_strstrip (names.output), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 20);
  for (char **line = lines; *line; line++)
    {
      JsonObject *result = support_json_find (results, "family", *line);

      g_assert_cmpint (json_object_get_int_member (result, "cases"), >, 0);
      if (!g_str_has_prefix (*line, "large-"))
        g_assert_cmpstr (json_object_get_string_member (result, "verdict"), ==, "passed");
    }
}

static void
test_quick (void)
{
  check_passes ("--json --device 1");
}

static void
test_full (void)
{
  check_passes ("--json --device 0 --full");
}

static void
test_report (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-check-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "report.txt", NULL), *contents = NULL;
  g_autofree char *arguments = g_strdup_printf ("-d 0 --select 'fill,crop' --report '%s'", path);
  const CapraDeviceInfo *info = capra_device_get_info (support_devices ()->pdata[0]);
  g_auto (Text) text = { NULL, NULL };

  g_assert_cmpint (run (arguments, &text), ==, 0);
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  g_assert_cmpstr (contents, ==, text.output);
  g_assert_nonnull (strstr (contents, info->name));
  g_assert_nonnull (strstr (contents, info->driver));
  g_assert_nonnull (strstr (contents, "\nfill "));
  g_assert_nonnull (strstr (contents, "\ncrop "));
  g_assert_null (strstr (contents, "\nmedian "));
  g_assert_nonnull (strstr (contents, "2 passed, 0 differ, 0 failed, 0 not run"));
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* A kernel that writes one wrong value: the report says where the first wrong value is. */
static void
test_wrong (void)
{
  static const char path[] = "/capra/kernels/fill.cl";
  g_autofree char *folder = g_dir_make_tmp ("capra-check-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "fill.cl", NULL), *overlays = NULL, *wrong = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_auto (GStrv) parts = NULL;
  g_auto (Text) text = { NULL, NULL };

  g_assert_nonnull (bytes);
  parts = g_strsplit (g_bytes_get_data (bytes, NULL), "= (uint4) (word);", -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  wrong = g_strjoinv ("= (uint4) (word ^ (i == 3));", parts);
  g_assert_true (g_file_set_contents (file, wrong, -1, NULL));
  overlays = g_strdup_printf ("%s=%s", path, file);
  g_setenv ("G_RESOURCE_OVERLAYS", overlays, TRUE);
  g_assert_cmpint (run ("-d 0 -s fill,crop", &text), ==, 1);
  g_unsetenv ("G_RESOURCE_OVERLAYS");
  g_assert_nonnull (strstr (text.output, "DIFFERS"));
  g_assert_nonnull (strstr (text.output, "1 passed, 1 differ, 0 failed"));
  g_assert_nonnull (strstr (text.output, ": found "));
  g_assert_cmpint (g_unlink (file), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_errors (void)
{
  static const struct {
    const char *arguments;
    int status;
    const char *message;
  } cases[] = {
    { "--device nonsense", 1, "nonsense" },
    { "--select nonsense", 2, "nonsense" },
    { "--select 'large-*'", 2, "--full" },
    { "fill", 2, "--select" },
    { "--nonsense", 2, "nonsense" },
    { "-d 0 -s crop --report /dev/null/report.txt", 1, "/dev/null/report.txt" },
    { "-d 0 -s crop --report /dev/full", 1, "/dev/full" },
    { "-d 0 -s crop >/dev/full", 1, "standard output" },
  };
  g_auto (Text) text = { NULL, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (run (cases[i].arguments, &text), ==, cases[i].status);
      if (!strstr (text.errors, cases[i].message))
        g_error ("capra check %s: \"%s\" lacks \"%s\"", cases[i].arguments, text.errors, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/check/quick", test_quick);
  g_test_add_func ("/check/report", test_report);
  g_test_add_func ("/check/wrong", test_wrong);
  g_test_add_func ("/check/errors", test_errors);
  if (g_test_slow ())
    g_test_add_func ("/check/full", test_full);
  return g_test_run ();
}
