/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that end two processes at their first launch are set aside alone: the next process uses another variant, or
 * reports an error, and says how to lift that. A kernel that writes far outside its buffer takes the place of the
 * library's own. */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/label/label.h"
#include "tests/support/support-caches.h"
#include "tests/support/support-json.h"
#include "tests/support/support.h"

#define SIDE 9

/* The user's caches, and the kernels of a test. */
typedef struct {
  char *caches, *kernels;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer unused)
{
  fixture->caches = g_dir_make_tmp ("capra-caches-XXXXXX", NULL);
  fixture->kernels = g_dir_make_tmp ("capra-kernels-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", fixture->caches, TRUE);
  g_setenv ("CAPRA_DEVICE", capra_device_get_info (support_device (0))->id, TRUE);
  g_setenv ("CAPRA_QUARANTINE", "on", TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer unused)
{
  static const char *const variables[] = { "XDG_CACHE_HOME", "CAPRA_DEVICE", "CAPRA_TUNING", "G_RESOURCE_OVERLAYS" };
  g_autofree char *command = g_strdup_printf ("rm -rf '%s' '%s'", fixture->caches, fixture->kernels);

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_unsetenv (variables[i]);
  g_setenv ("CAPRA_QUARANTINE", "off", TRUE);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (fixture->caches);
  g_free (fixture->kernels);
}

/* What `capra devices` with @arguments prints about the devices. */
static char *
list_devices (const char *arguments)
{
  g_autofree char *command = g_strdup_printf ("%s devices %s", g_getenv ("CAPRA_PROGRAM"), arguments);
  char *output = NULL;
  int status = 0;

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  return output;
}

static void
assert_set_aside (const char *what)
{
  g_autofree char *output = list_devices ("");

  if (what && !strstr (output, what))
    g_error ("\"%s\" is not part of\n%s", what, output);
  if (!what)
    g_assert_null (strstr (output, "set aside"));
}

/* The number of markers of kernels in their first use. */
static guint
count_markers (const Fixture *fixture)
{
  g_autofree char *command = g_strdup_printf ("sh -c \"find '%s/capra/quarantine' -path '*/first/*' | wc -l\"",
                                              fixture->caches);
  g_autofree char *output = NULL;

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, NULL, NULL));
  return (guint) atoi (output);
}

/* Two regions: a bar of two pixels and one pixel. */
static CapraArray *
new_mask (void)
{
  float values[SIDE * SIDE] = { 0 };

  values[SIDE + 1] = values[SIDE + 2] = values[5 * SIDE + 7] = 1.0f;
  return support_array (support_device (0), SIDE, SIDE, 1, 1, values);
}

/* Labels the mask; NULL with @error set if that fails. */
static guint32 *
label (guint32 *count, GError **error)
{
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  g_autoptr (CapraArray) mask = new_mask ();
  g_autoptr (CapraArray) labels = capra_label (mask, &options, count, error);
  guint32 *values = g_new0 (guint32, SIDE * SIDE);

  if (labels && capra_array_download (labels, values, error))
    return values;
  g_free (values);
  return NULL;
}

static void
label_child (void)
{
  g_autoptr (GError) error = NULL;
  guint32 count = 0;
  g_autofree guint32 *values = NULL;

  g_log_set_always_fatal (G_LOG_FATAL_MASK); /* the quarantine is a message */
  values = label (&count, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count, ==, 2);
  for (guint i = 0; i < SIDE * SIDE; i++)
    g_assert_cmpuint (values[i], ==, i == SIDE + 1 || i == SIDE + 2 ? 1 : i == 5 * SIDE + 7 ? 2 : 0);
}

/* Kernels that have no other variant. */
static void
refused_child (void)
{
  g_autoptr (GError) error = NULL;
  guint32 count = 0;

  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_assert_null (label (&count, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "capra devices --lift"));
}

/* Makes the kernels of @file write outside memory at the beginning. */
static void
break_kernels (const Fixture *fixture, const char *file)
{
  g_autofree char *path = g_strconcat ("/capra/kernels/", file, NULL), *overlay = NULL, *broken = NULL, *copy = NULL;
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  const char *text = NULL, *body = NULL;

  g_assert_nonnull (bytes);
  text = g_bytes_get_data (bytes, NULL);
  body = strstr (strstr (text, "\nkernel "), "\n{\n");
  g_assert_nonnull (body);
  broken = g_strdup_printf ("%.*s\n{\n  *(volatile global int *) 8 = 1;\n%s", (int) (body - text), text, body + 3);
  copy = g_build_filename (fixture->kernels, file, NULL);
  g_assert_true (g_file_set_contents (copy, broken, -1, NULL));
  overlay = g_strdup_printf ("%s=%s", path, copy);
  g_setenv ("G_RESOURCE_OVERLAYS", overlay, TRUE);
}

static gboolean
run_child (const char *path)
{
  g_test_trap_subprocess (path, 0, G_TEST_SUBPROCESS_DEFAULT);
  return g_test_trap_has_passed ();
}

static void
test_variant (Fixture *fixture, gconstpointer unused)
{
  g_autofree char *output = NULL, *lifted = NULL, *why = NULL;
  g_autoptr (JsonNode) json = NULL;
  JsonArray *list = NULL;

  g_setenv ("CAPRA_KERNELS", "optimized", TRUE);
  break_kernels (fixture, "label-runs-join.cl");
  g_assert_false (run_child ("/quarantine/subprocess/label"));
  assert_set_aside (NULL);
  g_assert_false (run_child ("/quarantine/subprocess/label"));
  g_assert_true (run_child ("/quarantine/subprocess/label"));
  g_test_trap_assert_stderr ("*the kernel label-runs*two programs ended*capra devices --lift*");
  g_assert_true (run_child ("/quarantine/subprocess/label")); /* other kernels that ran are known */
  g_assert_cmpuint (count_markers (fixture), ==, 1);

  assert_set_aside ("  set aside         the kernel label-runs");
  why = list_devices ("--why");
  g_assert_nonnull (strstr (why, "label-runs.label_runs_"));
  g_assert_nonnull (strstr (why, "capra devices --lift"));
  output = list_devices ("--json");
  json = support_json_parse (output);
  list = json_object_get_array_member (
    json_array_get_object_element (json_node_get_array (json), capra_device_get_info (support_device (0))->index),
    "set_aside");
  g_assert_cmpuint (json_array_get_length (list), ==, 1);
  g_assert_true (
    g_str_has_prefix (json_object_get_string_member (json_array_get_object_element (list, 0), "kernel"), "label-runs"));

  /* The user lifts it: the kernel is used again. */
  lifted = list_devices ("--lift");
  g_assert_null (strstr (lifted, "set aside"));
  g_assert_cmpuint (count_markers (fixture), ==, 0);
  g_assert_false (run_child ("/quarantine/subprocess/label"));
  g_assert_false (run_child ("/quarantine/subprocess/label"));
  g_assert_true (run_child ("/quarantine/subprocess/label"));

  /* Another version of the kernels, here without the fault: they are used at once. */
  g_unsetenv ("G_RESOURCE_OVERLAYS");
  g_assert_true (run_child ("/quarantine/subprocess/label"));
  g_test_trap_assert_stderr_unmatched ("*is not used*");
}

/* Without another variant. */
static void
test_alone (Fixture *fixture, gconstpointer unused)
{
  break_kernels (fixture, "label-runs-join.cl");
  g_setenv ("CAPRA_TUNING", "label.variant=runs", TRUE);
  g_assert_false (run_child ("/quarantine/subprocess/label"));
  g_assert_false (run_child ("/quarantine/subprocess/label"));
  g_assert_true (run_child ("/quarantine/subprocess/refused"));
  g_setenv ("CAPRA_QUARANTINE", "read", TRUE);
  g_assert_true (run_child ("/quarantine/subprocess/refused"));
  g_setenv ("CAPRA_QUARANTINE", "off", TRUE);
  g_assert_false (run_child ("/quarantine/subprocess/refused")); /* ends again */
}

/* A message of the library about the build of a kernel, which is in its first use. */
static gboolean
is_build (const GLogField *fields, gsize n_fields)
{
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE") && fields[i].value && strstr (fields[i].value, " built "))
      return TRUE;
  return FALSE;
}

static GLogWriterOutput
interrupt (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer how)
{
  if (is_build (fields, n_fields) && how)
    exit (3);
  if (is_build (fields, n_fields))
    raise (SIGINT);
  return G_LOG_WRITER_HANDLED;
}

static void
interrupted_child (void)
{
  guint32 count = 0;

  g_log_set_writer_func (interrupt, NULL, NULL);
  g_free (label (&count, NULL));
}

static void
exiting_child (void)
{
  guint32 count = 0;

  g_log_set_writer_func (interrupt, GINT_TO_POINTER (1), NULL);
  g_free (label (&count, NULL));
}

/* A process that its user ends during the first use of a kernel does not set it aside, and one that exits leaves no
 * marker. */
static void
test_interrupted (Fixture *fixture, gconstpointer unused)
{
  g_setenv ("CAPRA_KERNELS", "optimized", TRUE);
  g_assert_false (run_child ("/quarantine/subprocess/exit"));
  g_assert_cmpuint (count_markers (fixture), ==, 0);
  g_assert_false (run_child ("/quarantine/subprocess/interrupted"));
  g_assert_cmpuint (count_markers (fixture), ==, 1);
  assert_set_aside (NULL);
  g_assert_true (run_child ("/quarantine/subprocess/label"));
  g_test_trap_assert_stderr_unmatched ("*is not used*");
  g_assert_cmpuint (count_markers (fixture), ==, 0);
  /* It ran in between: this is the first process again. */
  g_assert_true (run_child ("/quarantine/subprocess/label"));
  g_assert_cmpuint (count_markers (fixture), ==, 0);
}

/* A variant that a check found wrong. */
static void
added_child (void)
{
  CapraDevice *device = support_device (0);
  g_autoptr (GError) error = NULL;

  g_assert_true (capra_quarantine_add (device, "label.variant=runs", "label", &error));
  g_assert_no_error (error);
}

static void
blocks_child (void)
{
  g_assert_cmpstr (capra_tuning_get_word (support_device (0), "label.variant", NULL), ==, "blocks");
}

static void
test_added (Fixture *fixture, gconstpointer unused)
{
  g_autofree char *lifted = NULL;

  g_assert_true (run_child ("/quarantine/subprocess/added"));
  g_assert_true (run_child ("/quarantine/subprocess/blocks"));
  assert_set_aside ("the variant label.variant=runs is not used: with it, the check of label failed");
  lifted = list_devices ("--lift");
  g_assert_false (run_child ("/quarantine/subprocess/blocks"));
}

/* Replaces @before in the kernel file @file by @after. */
static void
change_kernel (const Fixture *fixture, const char *file, const char *before, const char *after)
{
  g_autofree char *path = g_strconcat ("/capra/kernels/", file, NULL), *overlay = NULL, *changed = NULL;
  g_autofree char *copy = g_build_filename (fixture->kernels, file, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_auto (GStrv) parts = NULL;

  g_assert_nonnull (bytes);
  parts = g_strsplit (g_bytes_get_data (bytes, NULL), before, -1);
  g_assert_cmpuint (g_strv_length (parts), >, 1);
  changed = g_strjoinv (after, parts);
  g_assert_true (g_file_set_contents (copy, changed, -1, NULL));
  overlay = g_strdup_printf ("%s=%s", path, copy);
  g_setenv ("G_RESOURCE_OVERLAYS", overlay, TRUE);
}

/* Runs a check of the labels, whose output has these parts. */
static void
check_label (const char *counts, const char *message)
{
  g_autofree char *command = g_strdup_printf ("%s check -s label", g_getenv ("CAPRA_PROGRAM")), *output = NULL;

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, NULL, NULL));
  g_test_message ("%s", output);
  g_assert_nonnull (strstr (output, counts));
  g_assert_true (!message || strstr (output, message));
}

/* A variant with wrong results, beside one that is right. */
static void
test_check (Fixture *fixture, gconstpointer unused)
{
  change_kernel (fixture, "label-runs-write.cl", "min (rest, 64u), line,", "min (rest, 64u), line ^ 1,");
  check_label ("0 passed, 1 differ, 0 failed",
               "with label.variant=blocks it passes, so that label.variant=runs is set aside");
  assert_set_aside ("the variant label.variant=runs is not used: with it, the check of label failed");
  check_label ("1 passed, 0 differ, 0 failed", NULL);
  g_assert_cmpuint (count_markers (fixture), ==, 0); /* none of processes that were ended */
}

int
main (int argc, char **argv)
{
  support_keep_driver_caches ();
  g_test_init (&argc, &argv, NULL);
  if (!g_test_subprocess ())
    support_devices ();
  g_test_add ("/quarantine/variant", Fixture, NULL, set_up, test_variant, tear_down);
  g_test_add ("/quarantine/alone", Fixture, NULL, set_up, test_alone, tear_down);
  g_test_add ("/quarantine/interrupted", Fixture, NULL, set_up, test_interrupted, tear_down);
  g_test_add ("/quarantine/added", Fixture, NULL, set_up, test_added, tear_down);
  g_test_add ("/quarantine/check", Fixture, NULL, set_up, test_check, tear_down);
  g_test_add_func ("/quarantine/subprocess/label", label_child);
  g_test_add_func ("/quarantine/subprocess/refused", refused_child);
  g_test_add_func ("/quarantine/subprocess/interrupted", interrupted_child);
  g_test_add_func ("/quarantine/subprocess/exit", exiting_child);
  g_test_add_func ("/quarantine/subprocess/added", added_child);
  g_test_add_func ("/quarantine/subprocess/blocks", blocks_child);
  return g_test_run ();
}
