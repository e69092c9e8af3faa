/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scopes of the timeline: each has the commands of its own threads, their parts, and the time for building programs. */
#include <math.h>
#include <string.h>

#include "tests/support/support-json.h"
#include "tests/support/support.h"

#define REPEATS 9

/* Uploads, fills and downloads; in the scope of the calling thread. */
static void
work (guint device, guint repeats)
{
  CapraShape shape = CAPRA_SHAPE_2D (317, 63, CAPRA_F32);
  g_autofree float *data = support_noise (317 * 63, 0, 1, 1);

  for (guint i = 0; i < repeats; i++)
    {
      g_autoptr (CapraArray) array = capra_array_new_from_data (support_device (device), &shape, data, NULL);

      capra_array_fill (array, i, NULL);
      capra_array_download (array, data, NULL);
    }
}

typedef struct {
  CapraTimelineScope *scope;
  guint device, repeats;
} Job;

static gpointer
run (gpointer data)
{
  Job *job = data;

  g_assert_null (capra_timeline_scope_enter (job->scope));
  work (job->device, job->repeats);
  g_assert_true (capra_timeline_scope_enter (NULL) == job->scope);
  work (job->device, 2); /* belongs to none */
  return NULL;
}

static guint
count (const GArray *records, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < records->len; i++)
    n += g_str_equal (g_array_index (records, CapraRecord, i).name, name);
  return n;
}

/* Threads that work at the same time, on two devices. */
static void
test_threads (void)
{
  Job jobs[4] = { { NULL } };
  GThread *threads[4] = { NULL };

  for (guint i = 0; i < 4; i++)
    {
      jobs[i] = (Job){ capra_timeline_scope_new (), i % 2, REPEATS + i };
      threads[i] = g_thread_new ("scope", run, &jobs[i]);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (GArray) records = NULL;

      g_thread_join (threads[i]);
      records = capra_timeline_scope_records (jobs[i].scope);
      g_assert_cmpuint (records->len, ==, 3 * jobs[i].repeats);
      for (guint k = 0; k < records->len; k++)
        g_assert_true (g_array_index (records, CapraRecord, k).device == support_device (jobs[i].device));
      g_assert_cmpuint (count (records, "upload"), ==, jobs[i].repeats);
      g_assert_cmpuint (count (records, "fill"), ==, jobs[i].repeats);
      g_assert_cmpuint (count (records, "download"), ==, jobs[i].repeats);
      capra_timeline_scope_unref (jobs[i].scope);
    }
}

/* Records of a separate scope are neither in the timeline nor in its statistics. */
static void
test_separate (void)
{
  g_autoptr (CapraTimelineScope) scope = capra_timeline_scope_new_separate ();
  g_autoptr (GArray) records = NULL, all = NULL;
  guint64 uploads = 0;

  capra_timeline_reset ();
  capra_timeline_scope_enter (scope);
  work (0, REPEATS);
  capra_timeline_scope_enter (NULL);
  work (0, 2);
  records = capra_timeline_scope_records (scope);
  all = capra_timeline_records (0);
  capra_timeline_total (support_device (0), "upload", &uploads, NULL);
  g_assert_cmpuint (count (records, "upload"), ==, REPEATS);
  g_assert_cmpuint (count (all, "upload"), ==, 2);
  g_assert_cmpuint (uploads, ==, 2);
}

/* The sums of the records, computed here; what is left of the time is the host's and that of building. */
static void
test_parts (void)
{
  g_autoptr (CapraTimelineScope) scope = capra_timeline_scope_new ();
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GArray) records = NULL;
  g_autofree char *json = NULL;
  g_autoptr (JsonNode) report = NULL;
  JsonObject *object = NULL;
  CapraTimelineParts parts;
  double wall, transfers = 0, kernels = 0;

  work (0, 1); /* in no scope */
  start = g_get_monotonic_time ();
  capra_timeline_scope_enter (scope);
  work (0, REPEATS);
  capra_timeline_scope_enter (NULL);
  wall = (double) (g_get_monotonic_time () - start) * 1e-3;
  records = capra_timeline_scope_records (scope);
  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      *(g_str_equal (record->name, "fill") ? &kernels : &transfers) += (double) (record->end - record->start) * 1e-6;
    }
  capra_timeline_scope_get_parts (scope, wall, &parts);
  g_assert_cmpfloat_with_epsilon (parts.kernels, kernels, 1e-9);
  g_assert_cmpfloat_with_epsilon (parts.transfers, transfers, 1e-9);
  g_assert_cmpfloat (parts.building, ==, capra_timeline_scope_get_build_time (scope));
  g_assert_cmpfloat (parts.host, >=, wall - parts.building - kernels - transfers - 1e-6);
  g_assert_cmpfloat (parts.host, <=, wall);

  json = capra_timeline_scope_to_json (scope, wall);
  report = json_from_string (json, NULL);
  g_assert_nonnull (report);
  object = json_node_get_object (report);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "timings")), ==, 3);
  g_assert_cmpint (json_object_get_int_member (
                     support_json_find (json_object_get_array_member (object, "timings"), "name", "fill"), "count"),
                   ==, REPEATS);
  g_assert_cmpfloat_with_epsilon (
    json_object_get_double_member (json_object_get_object_member (object, "parts"), "kernels"), kernels, 1e-3);
}

/* The longest time for which the device did nothing before a kernel started. */
static double
longest_pause (const GArray *records)
{
  guint64 end = 0, longest = 0;

  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);
      guint64 idle = MAX (record->queued, end);

      if (g_str_has_prefix (record->name, "gaussian") && record->start > idle)
        longest = MAX (longest, record->start - idle);
      end = MAX (end, record->end);
    }
  return (double) longest * 1e-6;
}

/* A program is built in the scope of its first use, and not again in the next one. PoCL compiles a kernel after its
 * first launch, before it starts. */
static void
test_building (void)
{
  g_autofree float *data = support_noise (64 * 64, 0, 1, 1);
  g_autoptr (CapraArray) image = support_array (support_device (0), 64, 64, 1, 1, data);
  const double sigma[3] = { 1.37, 1.37, 0 };
  g_autoptr (GArray) before = capra_timeline_records (0); /* waits for the upload */
  double built[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (CapraTimelineScope) scope = capra_timeline_scope_new ();
      g_autoptr (CapraArray) blurred = NULL;
      g_autoptr (GArray) records = NULL;

      capra_timeline_scope_enter (scope);
      blurred = capra_gaussian_blur (image, sigma, CAPRA_GAUSSIAN_AUTO, CAPRA_GAUSSIAN_TRUNCATE, CAPRA_BORDER_CLAMP,
                                     NULL, NULL);
      capra_timeline_scope_enter (NULL);
      g_assert_nonnull (blurred);
      built[i] = capra_timeline_scope_get_build_time (scope);
      records = capra_timeline_scope_records (scope);
      g_test_message ("built for %.3f ms, longest pause %.3f ms", built[i], longest_pause (records));
      if (i == 0)
        g_assert_cmpfloat (built[i], >=, longest_pause (records) - 0.002); /* whole microseconds */
    }
  g_assert_cmpfloat (built[0], >, 0.0);
  g_assert_cmpfloat (built[1], ==, 0.0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timeline-scope/threads", test_threads);
  g_test_add_func ("/timeline-scope/separate", test_separate);
  g_test_add_func ("/timeline-scope/parts", test_parts);
  g_test_add_func ("/timeline-scope/building", test_building);
  return g_test_run ();
}
