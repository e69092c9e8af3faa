/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of `capra check`: all families pass, a wrong kernel is found, reports, errors. `-m slow` adds the full check.
 */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/cli/fill-kernel.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-json.h"
#include "tests/support/support-files.h"
#include "tests/support/support.h"
#include "ui/cli/remove-folder.h"

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

static guint
get_index (guint device)
{
  return capra_device_get_info (support_device (device))->index;
}

/* (transfer full): @text with the indexes of the two devices instead of "@0" and "@1". */
static char *
insert_indexes (const char *text)
{
  g_autoptr (GString) result = g_string_new (text);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *from = g_strdup_printf ("@%u", i), *to = g_strdup_printf ("%u", get_index (i));

      g_string_replace (result, from, to, 0);
    }
  return g_strdup (result->str);
}

/* Runs `capra` with @arguments in a shell. Returns its exit status. */
static int
run_command (const char *command_name, const char *arguments, Text *text)
{
  g_autofree char *complete = insert_indexes (arguments);
  g_autofree char *line = g_strdup_printf ("exec \"$CAPRA_PROGRAM\" %s %s", command_name, complete);
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

static int
run (const char *arguments, Text *text)
{
  return run_command ("check", arguments, text);
}

/* What `capra devices --json` says of the check of device @index; NULL if it was not checked. */
static JsonObject *
load_check (guint index)
{
  g_auto (Text) text = { NULL, NULL };
  g_autoptr (JsonNode) json = NULL;
  JsonObject *device = NULL;

  g_assert_cmpint (run_command ("devices", "--json", &text), ==, 0);
  json = support_json_parse (text.output);
  device = json_array_get_object_element (json_node_get_array (json), get_index (index));
  if (json_object_get_null_member (device, "check"))
    return NULL;
  return json_object_ref (json_object_get_object_member (device, "check"));
}

/* Whether the line of device @index in `capra devices` is @expected, with today's date for DATE. */
static void
assert_line (guint index, const char *expected)
{
  g_autoptr (CapraCheckRecord) record = capra_check_record_load (support_device (index));
  g_autoptr (GDateTime) time = record ? g_date_time_new_from_unix_local (record->time) : NULL;
  g_autofree char *date = time ? g_date_time_format (time, "%Y-%m-%d") : g_strdup ("");
  g_auto (GStrv) parts = g_strsplit (expected, "DATE", -1), lines = NULL;
  g_autofree char *dated = g_strjoinv (date, parts), *wanted = insert_indexes (dated);
  g_auto (Text) text = { NULL, NULL };
  guint found = 0;

  g_assert_cmpint (run_command ("devices", "", &text), ==, 0);
  lines = g_strsplit (text.output, "\n", -1);
  for (char **line = lines; *line; line++)
    if (g_str_has_prefix (*line, "  check ") && found++ == get_index (index))
      g_assert_cmpstr (g_strstrip (*line + strlen ("  check")), ==, wanted);
  g_assert_cmpuint (found, ==, support_devices ()->len);
}

/* `capra devices` shows a warning with the driver's version for @count devices. */
static void
assert_warning (guint count)
{
  g_autofree char *remedy = insert_indexes ("capra check -d @0 --report FILE");
  g_autofree char *driver = g_strdup_printf ("the driver %s;", capra_device_get_info (support_device (0))->driver);
  g_auto (Text) text = { NULL, NULL };
  g_auto (GStrv) lines = NULL;
  guint found = 0;

  g_assert_cmpint (run_command ("devices", "", &text), ==, 0);
  lines = g_strsplit (text.output, "\n", -1);
  for (char **line = lines; *line; line++)
    if (g_str_has_prefix (*line, "  warning "))
      {
        g_assert_nonnull (strstr (*line, driver));
        g_assert_nonnull (strstr (*line, remedy));
        found++;
      }
  g_assert_cmpuint (found, ==, count);
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

/* The verdict is kept for this device alone. */
static void
test_quick (void)
{
  g_autoptr (JsonObject) kept = NULL;

  if (support_skip_alone ())
    return;
  g_assert_null (load_check (1));
  assert_line (1, "not checked");
  check_passes ("--json --device @1 --time-limit 3600");
  kept = load_check (1);
  g_assert_nonnull (kept);
  g_assert_true (json_object_get_boolean_member (kept, "ended"));
  g_assert_cmpstr (json_object_get_string_member (kept, "check"), ==, "quick");
  g_assert_cmpint (json_object_get_int_member (kept, "passed"), >, 20);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (kept, "differ")), ==, 0);
  g_assert_null (load_check (0));
}

/* The verdicts in `capra devices`: records of this test, one of a program that ended early, one in the background. */
static void
test_kept (void)
{
  CapraDevice *device = support_device (0);
  g_autoptr (CapraCheckRecord) record = capra_check_record_new (FALSE);
  g_autoptr (JsonObject) kept = NULL;
  g_auto (Text) text = { NULL, NULL };

  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_line (0, "a check that began DATE did not end; run capra check -d @0");
  record->count = 27;
  record->passed = 3;
  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_line (0, "3 of 27 checked in the background so far: 3 passed");
  g_strfreev (record->differ);
  record->differ = g_strsplit ("crop", ",", -1);
  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_line (0, "4 of 27 checked in the background so far: 1 of 4 differ: crop; "
                  "run capra check -d @0 --report FILE");
  g_clear_pointer (&record->differ[0], g_free);
  record->count = 0;
  record->ended = TRUE;
  record->passed = 27;
  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_line (0, "checked DATE: 27 passed");
  g_strfreev (record->differ);
  record->differ = g_strsplit ("median,label", ",", -1);
  record->passed = 25;
  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_line (0, "checked DATE: 2 of 27 differ: median, label; run capra check -d @0 --report FILE");
  g_strfreev (record->failed);
  record->failed = g_strsplit ("otsu", ",", -1);
  record->passed = 24;
  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_line (0, "checked DATE: 2 of 27 differ: median, label; 1 of 27 failed: otsu; "
                  "run capra check -d @0 --report FILE");
  kept = load_check (0);
  g_assert_nonnull (kept);
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (kept, "differ"), 1), ==, "label");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (kept, "failed"), 0), ==, "otsu");
  g_assert_false (json_object_get_boolean_member (kept, "unreliable"));
  assert_warning (0);
  record->unreliable = TRUE;
  g_assert_true (capra_check_record_save (device, record, NULL));
  assert_warning (1);
  /* A check of some families does not replace it. */
  g_assert_cmpint (run ("-d @0 -s crop --progress", &text), ==, 0);
  g_assert_cmpstr (text.errors, ==, "[1/1] crop\n");
  assert_line (0, "checked DATE: 2 of 27 differ: median, label; 1 of 27 failed: otsu; "
                  "run capra check -d @0 --report FILE");
}

static void
test_full (void)
{
  check_passes ("--json --device @0 --full --time-limit 7200");
}

static void
test_report (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-check-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "report.txt", NULL), *contents = NULL;
  g_autofree char *arguments = g_strdup_printf ("-d @0 --select 'fill,crop' --report '%s'", path);
  const CapraDeviceInfo *info = capra_device_get_info (support_device (0));
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
  char *folder = fill_kernel_replace ("out[i] = (uint4) (word ^ (i == 3));");
  g_auto (Text) text = { NULL, NULL }, json = { NULL, NULL };

  g_assert_cmpint (run ("-d @0 -s fill,crop", &text), ==, 1);
  /* A basic kernel: the report says so. */
  g_assert_cmpint (run ("-d @0 -s fill --json", &json), ==, 1);
  g_assert_nonnull (strstr (json.output, "\"unreliable\" : true"));
  fill_kernel_restore (folder);
  g_assert_nonnull (strstr (text.output, "DIFFERS"));
  g_assert_nonnull (strstr (text.output, "1 passed, 1 differ, 0 failed"));
  g_assert_nonnull (strstr (text.output, ": found "));
}

/* A kernel that ends the process, on CPUs at least: its family fails, and the others are checked. */
static void
test_crash (void)
{
  char *folder = fill_kernel_replace ("out[i + ((ulong) 1 << 44)] = (uint4) (word);");
  g_autofree char *before = g_strdup (g_getenv ("ASAN_OPTIONS"));
  g_autofree char *options = g_strconcat (before ? before : "", before ? ":" : "", "handle_segv=0", NULL);
  g_auto (Text) text = { NULL, NULL };

  g_setenv ("ASAN_OPTIONS", options, TRUE); /* otherwise AddressSanitizer ends the process with a status */
  g_assert_cmpint (run ("-d @0 -s fill,crop", &text), ==, 1);
  if (before)
    g_setenv ("ASAN_OPTIONS", before, TRUE);
  else
    g_unsetenv ("ASAN_OPTIONS");
  fill_kernel_restore (folder);
  g_test_message ("%s", text.output);
  g_assert_nonnull (strstr (text.output, "1 passed, 0 differ, 1 failed"));
  g_assert_nonnull (strstr (text.output, "FAILED"));
  if (capra_device_get_info (support_device (0))->type == CAPRA_DEVICE_CPU)
    g_assert_nonnull (strstr (text.output, "crashed: signal "));
}

/* A kernel that does not end. The time limit also ends a family whose kernels take that long to build. */
static void
test_hang (void)
{
  char *folder = NULL;
  g_auto (Text) text = { NULL, NULL };

  if (capra_device_get_info (support_device (0))->type != CAPRA_DEVICE_CPU)
    {
      g_test_skip ("it would keep the device from displaying");
      return;
    }
  folder = fill_kernel_replace ("for (volatile int k = 0; k == 0;) out[i] = (uint4) (word);");
  g_assert_cmpint (run ("-d @0 -s fill --time-limit 3", &text), ==, 1);
  fill_kernel_restore (folder);
  g_test_message ("%s", text.output);
  g_assert_nonnull (strstr (text.output, "hung: it took longer than 3 s"));
  g_assert_nonnull (strstr (text.output, "0 passed, 0 differ, 1 failed"));
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
    { "--select nonsense", 2, "\"nonsense\" matches none" },
    { "--select fill,nonsense", 2, "\"nonsense\" matches none" },
    { "--select 'large-*'", 2, "--full" },
    { "fill", 2, "--select" },
    { "--nonsense", 2, "nonsense" },
    { "--time-limit 0", 2, "time limit" },
    { "-d @0 -s crop --report /dev/null/report.txt", 1, "/dev/null/report.txt" },
    { "-d @0 -s crop --report /dev/full", 1, "/dev/full" },
    { "-d @0 -s crop >/dev/full", 1, "standard output" },
    /* The program that reads the progress has ended. */
    { "-d @0 -s crop --progress 2>/dev/full", 1, "" },
  };
  g_auto (Text) text = { NULL, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_assert_cmpint (run (cases[i].arguments, &text), ==, cases[i].status);
      if (!strstr (text.errors, cases[i].message))
        g_error ("capra check %s: \"%s\" lacks \"%s\"", cases[i].arguments, text.errors, cases[i].message);
    }
}

/* A process that works ahead writes nothing but kernels into the cache, those of the jobs up to its first one. */
static void
test_ahead (void)
{
  g_autofree char *before = g_strdup (g_getenv ("XDG_CACHE_HOME")), *own = g_build_filename (before, "ahead", NULL);
  g_autofree char *kernels = g_build_filename (own, "capra", "kernels", NULL);
  g_autofree char *checks = g_build_filename (own, "capra", "checks", NULL);
  g_auto (Text) text = { NULL, NULL };
  g_autoptr (GDir) dir = NULL;

  g_setenv ("XDG_CACHE_HOME", own, TRUE);
  g_setenv ("CAPRA_KERNELS", "optimized", TRUE);
  g_assert_cmpint (run ("-d @0 -s fill,crop --ahead 0", &text), ==, 0);
  g_setenv ("CAPRA_KERNELS", "prepare", TRUE);
  g_setenv ("XDG_CACHE_HOME", before, TRUE);
  g_assert_cmpstr (text.output, ==, "");
  g_assert_false (g_file_test (checks, G_FILE_TEST_EXISTS));
  dir = g_dir_open (kernels, 0, NULL);
  g_assert_nonnull (dir);
  g_assert_nonnull (g_dir_read_name (dir));
  g_assert_null (g_dir_read_name (dir)); /* fill has one program */
}

static void
set_or_unset (const char *name, const char *value)
{
  if (value)
    g_setenv (name, value, TRUE);
  else
    g_unsetenv (name);
}

/* Compilers in drivers may write into the standard error of their host. They find nothing to warn of. */
static void
test_no_warnings (void)
{
  static const char *const names[] = { "XDG_CACHE_HOME", "POCL_CACHE_DIR", "CAPRA_KERNELS" };
  char *folder = support_folder_make ("capra-check-XXXXXX"), *before[G_N_ELEMENTS (names)];
  g_auto (Text) text = { NULL, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      before[i] = g_strdup (g_getenv (names[i]));
      g_setenv (names[i], i < 2 ? folder : "quick", TRUE);
    }
  g_assert_cmpint (run ("-d @0 -s blur-converted", &text), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      set_or_unset (names[i], before[i]);
      g_free (before[i]);
    }
  support_folder_remove (folder);
  g_assert_null (strstr (text.errors, "warning"));
}

int
main (int argc, char **argv)
{
  g_autofree char *caches = g_dir_make_tmp ("capra-check-XXXXXX", NULL);
  int status = 0;

  /* The kept verdicts of this test, not of the user. */
  support_keep_driver_caches ();
  g_setenv ("XDG_CACHE_HOME", caches, TRUE);
  g_test_init (&argc, &argv, NULL);
  if (g_test_slow ())
    g_test_add_func ("/check/quick", test_quick); /* before others keep a verdict */
  g_test_add_func ("/check/kept", test_kept);
  g_test_add_func ("/check/report", test_report);
  g_test_add_func ("/check/wrong", test_wrong);
  g_test_add_func ("/check/crash", test_crash);
  g_test_add_func ("/check/hang", test_hang);
  g_test_add_func ("/check/errors", test_errors);
  if (g_test_slow ()) /* many kernels, with the optimizer */
    {
      g_test_add_func ("/check/ahead", test_ahead);
      g_test_add_func ("/check/no-warnings", test_no_warnings);
      g_test_add_func ("/check/full", test_full);
    }
  status = g_test_run ();
  remove_folder (caches);
  return status;
}
