/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The timeline: each transfer and kernel is there once, its statistics agree with the records. */
#include <math.h>
#include <string.h>

#include "tests/support/support-json.h"
#include "tests/support/support.h"

static void
work (guint repeats)
{
  CapraShape shape = CAPRA_SHAPE_2D (512, 64, CAPRA_F32);
  g_autofree float *data = support_noise (512 * 64, 0, 1, 1);

  for (guint i = 0; i < repeats; i++)
    {
      g_autoptr (CapraArray) array = capra_array_new_from_data (support_device (0), &shape, data, NULL);

      capra_array_fill (array, i, NULL);
      capra_array_download (array, data, NULL);
    }
}

static const CapraTiming *
find (const GArray *statistics, const char *name)
{
  for (guint i = 0; i < statistics->len; i++)
    if (g_str_equal (g_array_index (statistics, CapraTiming, i).name, name))
      return &g_array_index (statistics, CapraTiming, i);
  g_error ("%s was not recorded", name);
}

static void
test_counts (void)
{
  g_autoptr (GArray) statistics = NULL;
  const char *names[] = { "upload", "fill", "download" };

  capra_timeline_reset ();
  work (7);
  statistics = capra_timeline_statistics ();
  g_assert_cmpuint (statistics->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      const CapraTiming *timing = find (statistics, names[i]);

      g_assert_cmpuint (timing->count, ==, 7);
      g_assert_cmpuint (timing->bytes, ==, 7 * 512 * 64 * 4);
      g_assert_true (timing->device == support_device (0));
    }
}

/* An independent computation from the records. */
static void
test_statistics (void)
{
  g_autoptr (GArray) statistics = NULL, records = NULL;
  const CapraTiming *timing = NULL;
  double sum = 0, squares = 0, low = INFINITY, high = 0;
  guint n = 0, below = 0;

  capra_timeline_reset ();
  work (21);
  statistics = capra_timeline_statistics ();
  records = capra_timeline_records (0);
  timing = find (statistics, "fill");
  g_assert_cmpuint (records->len, ==, 63);
  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);
      double time = (record->end - record->start) * 1e-6;

      g_assert_cmpuint (record->queued, <=, record->start);
      if (!g_str_equal (record->name, "fill"))
        continue;
      n++;
      sum += time;
      squares += time * time;
      low = fmin (low, time);
      high = fmax (high, time);
      below += time <= timing->median * (1 + 1e-6);
    }
  g_assert_cmpuint (n, ==, 21);
  g_assert_cmpfloat_with_epsilon (timing->total, sum, 1e-9);
  g_assert_cmpfloat_with_epsilon (timing->mean, sum / n, 1e-9);
  g_assert_cmpfloat_with_epsilon (timing->min, low, 1e-12);
  g_assert_cmpfloat_with_epsilon (timing->max, high, 1e-12);
  g_assert_cmpfloat_with_epsilon (timing->std, sqrt (fmax (squares / n - sum / n * sum / n, 0)), 1e-6);
  g_assert_cmpuint (below, >=, 11);
}

/* Of one time, all are that time; the median is kept with fewer digits. */
static void
test_median (void)
{
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GArray) statistics = NULL;
      const CapraTiming *timing = NULL;

      capra_timeline_reset ();
      work (1);
      statistics = capra_timeline_statistics ();
      timing = find (statistics, "fill");
      g_assert_cmpfloat (timing->min, <=, timing->median);
      g_assert_cmpfloat (timing->median, <=, timing->max);
    }
}

static void
test_reset (void)
{
  g_autoptr (GArray) statistics = NULL;
  guint64 count = 1;

  work (1);
  capra_timeline_reset ();
  statistics = capra_timeline_statistics ();
  g_assert_cmpuint (statistics->len, ==, 0);
  capra_timeline_total (NULL, NULL, &count, NULL);
  g_assert_cmpuint (count, ==, 0);
}

/* The statistics of the name @name, from the report @json. */
static JsonObject *
find_in_report (JsonNode *json, const char *name)
{
  JsonObject *report = json_node_get_object (json);

  g_assert_cmpstr (json_object_get_string_member (report, "unit"), ==, "ms");
  return support_json_find (json_object_get_array_member (report, "timings"), "name", name);
}

static void
test_reports (void)
{
  const char *times[] = { "min", "median", "max", "mean", "std", "total" };
  g_autofree char *text = NULL, *json = NULL;
  g_autoptr (JsonNode) report = NULL;
  JsonObject *upload = NULL;

  capra_timeline_reset ();
  work (2);
  text = capra_timeline_to_text ();
  json = capra_timeline_to_json ();
  g_assert_nonnull (strstr (text, "fill"));
  g_assert_nonnull (strstr (text, "median"));
  g_assert_nonnull (strstr (text, "total"));
  report = support_json_parse (json);
  upload = find_in_report (report, "upload");
  g_assert_cmpint (json_object_get_int_member (upload, "count"), ==, 2);
  g_assert_cmpint (json_object_get_int_member (upload, "bytes"), >, 0);
  g_assert_cmpstr (json_object_get_string_member (upload, "id"), ==, capra_device_get_info (support_device (0))->id);
  g_assert_cmpstr (json_object_get_string_member (upload, "device"), ==,
                   capra_device_get_info (support_device (0))->name);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    g_assert_cmpfloat (json_object_get_double_member (upload, times[i]), >=, 0);
  g_assert_cmpfloat (json_object_get_double_member (json_node_get_object (report), "total"), >=,
                     json_object_get_double_member (upload, "total"));
}

/* Where host and device share memory, transfers copy nothing: they have no rate. Kernels have one. */
static void
test_shared (void)
{
  gboolean unified = capra_device_get_info (support_device (0))->unified;
  g_autofree char *text = NULL, *json = NULL;
  g_autoptr (JsonNode) report = NULL;

  capra_timeline_reset ();
  work (2);
  text = capra_timeline_to_text ();
  g_assert_true (
    g_regex_match_simple (unified ? "\nupload +2 .* shared\n" : "\nupload +2 .* \\d+\\.\\d\n", text, 0, 0));
  g_assert_true (g_regex_match_simple ("\nfill +2 .* \\d+\\.\\d\n", text, 0, 0));
  json = capra_timeline_to_json ();
  report = support_json_parse (json);
  g_assert_true (json_object_get_null_member (find_in_report (report, "upload"), "gb_per_s") == unified);
  g_assert_true (json_object_get_null_member (find_in_report (report, "download"), "gb_per_s") == unified);
  g_assert_cmpfloat (json_object_get_double_member (find_in_report (report, "fill"), "gb_per_s"), >, 0);
}

static void
test_exit (void)
{
  if (g_test_subprocess ())
    {
      work (3);
      return;
    }
  g_setenv ("CAPRA_TIMINGS", "-", TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stdout ("*fill * 3 *total*");
  g_unsetenv ("CAPRA_TIMINGS");
}

static void
test_exit_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("capra-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "timings.json", NULL);
  g_autofree char *contents = NULL;
  g_autoptr (JsonNode) report = NULL;

  if (g_test_subprocess ())
    {
      work (3);
      return;
    }
  g_setenv ("CAPRA_TIMINGS", path, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_assert_true (g_file_get_contents (path, &contents, NULL, NULL));
  report = support_json_parse (contents);
  g_assert_cmpint (json_object_get_int_member (find_in_report (report, "fill"), "count"), ==, 3);

  g_setenv ("CAPRA_TIMINGS", "/nowhere/at/all.json", TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*cannot write the timings*/nowhere/at/all.json*");
  g_unsetenv ("CAPRA_TIMINGS");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline/counts", test_counts);
  g_test_add_func ("/timeline/statistics", test_statistics);
  g_test_add_func ("/timeline/median", test_median);
  g_test_add_func ("/timeline/reset", test_reset);
  g_test_add_func ("/timeline/reports", test_reports);
  g_test_add_func ("/timeline/shared", test_shared);
  g_test_add_func ("/timeline/exit", test_exit);
  g_test_add_func ("/timeline/exit-file", test_exit_file);
  return g_test_run ();
}
