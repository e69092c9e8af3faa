/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of `capra memory`, with processes that use a device. */
#include <sys/wait.h>

#include "tests/support/support-json.h"
#include "tests/support/support-monitor.h"
#include "tests/support/support.h"

/* Runs `capra memory` with @arguments in the folder of sockets of this test. Returns its exit status. */
static int
run (const char *arguments, char **output)
{
  g_autofree char *command = g_strdup_printf ("%s memory %s", g_getenv ("CAPRA_PROGRAM"), arguments), *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_clear_pointer (output, g_free);
  g_spawn_command_line_sync (command, output, &errors, &status, &error);
  g_assert_no_error (error);
  return WEXITSTATUS (status);
}

/* The memory of the worker's device; NULL if the worker has not been seen. Sets @freed (nullable). */
static JsonObject *
find_worker (const char *arguments, JsonNode **json, gint64 *freed)
{
  g_autofree char *output = NULL;
  JsonObject *root = NULL;
  JsonArray *processes = NULL;

  g_clear_pointer (json, json_node_unref);
  g_assert_cmpint (run (arguments, &output), ==, 0);
  *json = support_json_parse (output);
  root = json_node_get_object (*json);
  processes = json_object_get_array_member (root, "processes");
  if (freed)
    *freed = json_object_get_int_member (root, "freed");
  if (json_array_get_length (processes) == 0)
    return NULL;
  return json_array_get_object_element (
    json_object_get_array_member (support_json_find (processes, "program", "worker"), "devices"), 0);
}

static void
test_free (void)
{
  g_autoptr (GSubprocess) worker = support_worker_start ("--work");
  g_autoptr (JsonNode) json = NULL;
  g_autofree char *output = NULL;
  JsonObject *memory = NULL;
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT, unused = 0, freed = 0, all = 0;

  support_worker_send (worker, "3\n");
  SUPPORT_WAIT_FOR ((memory = find_worker ("--json", &json, NULL)));
  unused = json_object_get_int_member (memory, "unused");
  g_assert_cmpint (unused, >=, 256 * 64 * 4);
  g_assert_cmpint (json_object_get_int_member (memory, "peak"), >=, 256 * 64 * 4);
  g_assert_cmpint (json_object_get_int_member (memory, "budget"), >, unused);
  while (all < unused && g_get_monotonic_time () < end) /* the first answer may come late */
    if (find_worker ("--free --json", &json, &freed))
      all += freed;
  g_assert_cmpint (all, ==, unused);
  SUPPORT_WAIT_FOR ((memory = find_worker ("--json", &json, NULL)));
  g_assert_cmpint (json_object_get_int_member (memory, "unused"), ==, 0);
  g_assert_cmpint (run ("", &output), ==, 0);
  g_assert_nonnull (strstr (output, "worker"));
  support_worker_send (worker, "1\n"); /* it goes on */
  support_worker_finish (worker);
  g_assert_cmpint (run ("", &output), ==, 0);
  g_assert_nonnull (strstr (output, "No running process"));
}

static void
test_errors (void)
{
  g_autofree char *output = NULL;

  g_assert_cmpint (run ("everything", &output), ==, 2);
  g_assert_cmpint (run ("--nonsense", &output), ==, 2);
}

static void
add_tests (void)
{
  g_test_add_func ("/memory-command/free", test_free);
  g_test_add_func ("/memory-command/errors", test_errors);
}

int
main (int argc, char **argv)
{
  return support_monitor_main (argc, argv, add_tests);
}
