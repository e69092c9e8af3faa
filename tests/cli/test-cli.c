/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the program `capra`. */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support/support-json.h"
#include "tests/support/support.h"

/* Runs `capra` (the path in CAPRA_PROGRAM) with @arguments. Returns its exit status and output. */
static int
run (const char *arguments, char **output, char **errors)
{
  g_autofree char *command = g_strdup_printf ("%s %s", g_getenv ("CAPRA_PROGRAM"), arguments);
  g_autoptr (GError) error = NULL;
  int status = 0;

  g_clear_pointer (output, g_free);
  g_clear_pointer (errors, g_free);
  g_spawn_command_line_sync (command, output, errors, &status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static guint
occurrences (const char *text, const char *part)
{
  guint n = 0;

  for (const char *at = strstr (text, part); at; at = strstr (at + 1, part))
    n++;
  return n;
}

static void
test_devices (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  const GPtrArray *devices = support_devices ();

  g_assert_cmpint (run ("devices", &output, &errors), ==, 0);
  g_assert_cmpuint (occurrences (output, "(default)"), ==, 1);
  for (guint i = 0; i < devices->len; i++)
    g_assert_nonnull (strstr (output, capra_device_get_info (devices->pdata[i])->id));
}

static void
test_devices_json (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  g_autoptr (JsonNode) json = NULL;
  JsonArray *devices = NULL;
  guint chosen = 0;

  g_assert_cmpint (run ("devices --json --bandwidth", &output, &errors), ==, 0);
  json = support_json_parse (output);
  devices = json_node_get_array (json);
  g_assert_cmpuint (json_array_get_length (devices), ==, support_devices ()->len);
  for (guint i = 0; i < json_array_get_length (devices); i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (support_devices ()->pdata[i]);
      JsonObject *device = json_array_get_object_element (devices, i);

      g_assert_cmpint (json_object_get_int_member (device, "index"), ==, i);
      g_assert_cmpstr (json_object_get_string_member (device, "id"), ==, info->id);
      g_assert_cmpuint ((guint64) json_object_get_int_member (device, "memory"), ==, info->memory);
      g_assert_cmpint (json_object_get_boolean_member (device, "unified"), ==, info->unified);
      g_assert_cmpint (json_object_get_int_member (device, "copy_bytes_per_s"), >, 0);
      chosen += json_object_get_boolean_member (device, "chosen");
    }
  g_assert_cmpuint (chosen, ==, 1);
}

static void
test_chosen (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  const char *second = NULL;

  if (support_skip_alone ())
    return;
  g_setenv ("CAPRA_DEVICE", "1", TRUE);
  g_assert_cmpint (run ("devices", &output, &errors), ==, 0);
  second = strstr (output, "\n1: ");
  g_assert_nonnull (second);
  g_assert_nonnull (strstr (second, "(default)"));

  g_setenv ("CAPRA_DEVICE", "nonsense", TRUE);
  g_assert_cmpint (run ("devices", &output, &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "nonsense"));
  g_assert_nonnull (strstr (errors, "set by CAPRA_DEVICE"));
  g_unsetenv ("CAPRA_DEVICE");
}

/* If the settings name a missing device, the list is printed with a warning, which contains the file and the line. */
static void
test_missing_default (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  g_autofree char *home = g_dir_make_tmp ("capra-cli-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (home, "capra", NULL);
  g_autofree char *path = g_build_filename (folder, "settings.ini", NULL);
  g_autofree char *before = g_strdup (g_getenv ("XDG_CONFIG_HOME"));

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, "# mine\n[capra]\nmonitor=off\ndevice = elsewhere\n", -1, NULL));
  g_setenv ("XDG_CONFIG_HOME", home, TRUE);
  g_assert_cmpint (run ("devices", &output, &errors), ==, 0);
  g_assert_cmpuint (occurrences (output, "(default)"), ==, 1);
  g_assert_nonnull (strstr (errors, "\"elsewhere\""));
  g_assert_nonnull (strstr (errors, "settings.ini, line 4"));
  if (before)
    g_setenv ("XDG_CONFIG_HOME", before, TRUE);
  else
    g_unsetenv ("XDG_CONFIG_HOME");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpint (g_rmdir (home), ==, 0);
}

/* A workload of the first table of `capra bench --json`. */
static JsonObject *
get_workload (JsonNode *json, const char *name)
{
  JsonArray *runs = json_object_get_array_member (json_node_get_object (json), "runs");
  JsonObject *table = json_array_get_object_element (runs, 0);

  return support_json_find (json_object_get_array_member (table, "workloads"), "name", name);
}

static void
test_bench (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  g_autoptr (JsonNode) json = NULL;
  JsonArray *kernels;

  g_assert_cmpint (
    run ("bench --size 128 --repeats 3 --select 'gaussian-1,gaussian-5,label-blobs,otsu'", &output, &errors), ==, 0);
  g_assert_nonnull (strstr (output, "gaussian-5"));
  g_assert_nonnull (strstr (output, "label-blobs"));
  g_assert_null (strstr (output, "median-"));
  g_setenv ("CAPRA_TUNING", "histogram.variant=vector,threshold.search=host", TRUE);
  g_assert_cmpint (run ("bench --size 64 --repeats 3 --kernels --select otsu", &output, &errors), ==, 0);
  g_assert_nonnull (strstr (output, "\n  threshold")); /* on GPUs threshold_planned */
  g_assert_nonnull (strstr (output, "\n  between them "));
  g_unsetenv ("CAPRA_TUNING");
  g_assert_cmpint (run ("bench --size 64 --repeats 3 --kernels --json --select otsu", &output, &errors), ==, 0);
  json = support_json_parse (output);
  kernels = json_object_get_array_member (get_workload (json, "otsu"), "kernels");
  g_assert_cmpuint (json_array_get_length (kernels), >, 1); /* GPUs have other kernels than CPUs */
  g_assert_nonnull (json_object_get_string_member (json_array_get_object_element (kernels, 0), "name"));
  g_assert_cmpint (run ("bench --size 0", &output, &errors), ==, 2);
  g_assert_cmpint (run ("bench --size 128,,64", &output, &errors), ==, 2);
  g_assert_cmpint (run ("bench --repeats 0", &output, &errors), ==, 2);
  g_assert_cmpint (run ("bench otsu", &output, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "otsu"));
  g_assert_cmpint (run ("bench --device nonsense", &output, &errors), ==, 1);
  g_assert_cmpint (run ("bench --select nonsense", &output, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "nonsense"));
  g_assert_cmpint (run ("bench --list --select 'label-b*'", &output, &errors), ==, 0);
  g_assert_true (g_str_has_prefix (output, "label-blobs\n"));
}

/* Several devices and sizes; a workload that fails has an error in its row, and the others run. */
static void
test_bench_json (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  g_autoptr (JsonNode) json = NULL, failed = NULL;
  JsonArray *runs = NULL;

  if (support_skip_alone ())
    return;
  g_assert_cmpint (run ("bench --json -n 65,300 -d 0 -d 1 -r 2 -s threshold,label-full", &output, &errors), ==, 0);
  json = support_json_parse (output);
  runs = json_object_get_array_member (json_node_get_object (json), "runs");
  g_assert_cmpuint (json_array_get_length (runs), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      JsonObject *table = json_array_get_object_element (runs, i);
      JsonArray *workloads = json_object_get_array_member (table, "workloads");
      JsonObject *threshold = support_json_find (workloads, "name", "threshold");

      g_assert_cmpuint (json_array_get_length (workloads), ==, 2);
      g_assert_cmpint (json_object_get_int_member (table, "size"), ==, i % 2 ? 300 : 65);
      g_assert_cmpint (json_object_get_int_member (table, "copy_bytes_per_s"), >, 0);
      g_assert_cmpint (json_object_get_int_member (threshold, "width"), ==, i % 2 ? 300 : 65);
      g_assert_cmpfloat (json_object_get_double_member (threshold, "whole"), >, 0);
      g_assert_cmpfloat (json_object_get_double_member (threshold, "upload"), >, 0);
    }

  g_setenv ("CAPRA_MEMORY_BUDGET", "600M", TRUE);
  g_assert_cmpint (run ("bench --json -n 4096 -r 1 -s gaussian-100-rgba,convolve-15-line", &output, &errors), ==, 1);
  g_setenv ("CAPRA_MEMORY_BUDGET", "4G", TRUE);
  failed = support_json_parse (output);
  g_assert_true (json_object_has_member (get_workload (failed, "gaussian-100-rgba"), "error"));
  g_assert_false (json_object_has_member (get_workload (failed, "gaussian-100-rgba"), "whole"));
  g_assert_true (json_object_has_member (get_workload (failed, "convolve-15-line"), "whole"));
}

/* Each device, all at the same time, and one volume split over them, whose result is that of one device. */
static void
test_bench_devices (void)
{
  g_autofree char *output = NULL, *errors = NULL;
  g_autoptr (JsonNode) json = NULL;
  JsonObject *root = NULL;
  JsonArray *cases = NULL;

  if (support_skip_alone ())
    return;
  g_assert_cmpint (run ("bench --devices 0,1 -n 150 -r 1 --json", &output, &errors), ==, 0);
  json = support_json_parse (output);
  root = json_node_get_object (json);
  cases = json_object_get_array_member (root, "cases");
  g_assert_cmpuint (json_array_get_length (cases), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      JsonArray *times = json_object_get_array_member (json_array_get_object_element (cases, i), "times");

      g_assert_cmpuint (json_array_get_length (times), ==, 5);
      g_assert_cmpfloat (json_object_get_double_member (json_array_get_object_element (times, 4), "median"), >, 0.0);
    }
  g_assert_cmpint (json_object_get_int_member (root, "parts"), >=, 1);
  g_assert_cmpfloat (json_object_get_double_member (root, "difference"), ==, 0.0);
  g_assert_cmpint (run ("bench --devices 0,0", &output, &errors), ==, 1);
  g_assert_nonnull (strstr (errors, "--devices needs two different devices"));
  g_assert_cmpint (run ("bench --devices 0,nonsense", &output, &errors), ==, 1);
  g_assert_cmpint (run ("bench --devices 0,1 --select otsu", &output, &errors), ==, 2);
}

/* Inputs and results can be saved, so that other libraries can be compared. */
static void
test_bench_save (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *noise = g_build_filename (folder, "noise.f32", NULL);
  g_autofree char *result = g_build_filename (folder, "threshold.f32", NULL);
  g_autofree char *inputs = g_strdup_printf ("bench -n 40 --save-inputs %s", folder);
  g_autofree char *results = g_strdup_printf ("bench -n 40 -r 1 -s threshold --save-results %s", folder);
  g_autofree char *remove = g_strdup_printf ("rm -r %s", folder);
  g_autofree char *output = NULL, *errors = NULL;
  g_autofree float *in = NULL, *out = NULL;
  gsize length = 0;

  g_assert_cmpint (run (inputs, &output, &errors), ==, 0);
  g_assert_cmpint (run (results, &output, &errors), ==, 0);
  g_assert_true (g_file_get_contents (noise, (char **) &in, &length, NULL));
  g_assert_cmpuint (length, ==, 4 * 40 * 40 * sizeof (float));
  g_assert_true (g_file_get_contents (result, (char **) &out, &length, NULL));
  g_assert_cmpuint (length, ==, 40 * 40 * sizeof (float));
  for (gsize i = 0; i < 40 * 40; i++)
    g_assert_cmpfloat (out[i], ==, in[i] >= 0.5f ? 1.0f : 0.0f);
  g_assert_cmpint (system (remove), ==, 0);
}

static void
test_tune (void)
{
  g_autofree char *tune = g_strdup_printf ("tune --device '%s' --select 'threshold.vector' --dry-run",
                                           support_device_name ("1"));
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_cmpint (run (tune, &output, &errors), ==, 0);
  g_assert_nonnull (strstr (output, "threshold.vector"));
  g_assert_nonnull (strstr (output, "Nothing was stored"));
  g_assert_null (strstr (output, "label.variant"));
  g_assert_cmpint (run ("tune --select 'nonsense' --dry-run", &output, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "nonsense"));
  g_assert_cmpint (run ("tune label.block", &output, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "label.block"));
  g_assert_cmpint (run ("tune --time=-1", &output, &errors), ==, 2);
  g_assert_cmpint (run ("tune --device nonsense", &output, &errors), ==, 1);
}

static void
test_usage (void)
{
  g_autofree char *output = NULL, *errors = NULL;

  g_assert_cmpint (run ("", &output, &errors), ==, 2);
  g_assert_cmpint (run ("nonsense", &output, &errors), ==, 2);
  g_assert_nonnull (strstr (errors, "nonsense"));
  g_assert_cmpint (run ("--help", &output, &errors), ==, 0);
  g_assert_nonnull (strstr (output, "devices"));
  g_assert_cmpint (run ("--version", &output, &errors), ==, 0);
  g_assert_true (g_str_has_prefix (output, "capra "));
  g_assert_cmpint (run ("devices --help", &output, &errors), ==, 0);
  g_assert_nonnull (strstr (output, "capra devices ["));
  g_assert_cmpint (run ("devices --nonsense", &output, &errors), ==, 2);
  g_assert_cmpint (run ("devices nonsense", &output, &errors), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/devices", test_devices);
  g_test_add_func ("/cli/devices-json", test_devices_json);
  g_test_add_func ("/cli/chosen", test_chosen);
  g_test_add_func ("/cli/missing-default", test_missing_default);
  if (g_test_slow ()) /* many kernels */
    {
      g_test_add_func ("/cli/bench", test_bench);
      g_test_add_func ("/cli/bench-json", test_bench_json);
      g_test_add_func ("/cli/bench-devices", test_bench_devices);
    }
  g_test_add_func ("/cli/bench-save", test_bench_save);
  g_test_add_func ("/cli/tune", test_tune);
  g_test_add_func ("/cli/usage", test_usage);
  return g_test_run ();
}
