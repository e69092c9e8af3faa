/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Reports the statistics of the timeline as text and JSON, and at exit if `CAPRA_TIMINGS` is set. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/base/fork.h"
#include "runtime/base/settings.h"
#include "runtime/trace/device-choice-private.h"
#include "runtime/trace/timeline-private.h"
#include "runtime/trace/timeline-scope.h"
#include "runtime/trace/write-json.h"
#include "runtime/base/write-text.h"

/* NaN for mappings, which copy nothing. */
static double
gigabytes_per_second (const CapraTiming *timing)
{
  if (capra_timeline_is_shared (timing->name, capra_device_get_info (timing->device)->unified))
    return NAN;
  return timing->total > 0 ? (double) timing->bytes / timing->total * 1e-6 : 0.0;
}

static void
append_timing (GString *text, const CapraTiming *timing)
{
  double rate = gigabytes_per_second (timing);
  g_autofree char *number = isnan (rate) ? g_strdup ("shared") : g_strdup_printf ("%.1f", rate);

  g_string_append_printf (text, "%-28s %7" G_GUINT64_FORMAT " %9.3f %9.3f %9.3f %9.3f %9.3f %10.3f %9.1f %7s\n",
                          timing->name, timing->count, timing->min, timing->median, timing->max, timing->mean,
                          timing->std, timing->total, timing->bytes * 1e-6, number);
}

char *
capra_timeline_to_text (void)
{
  g_autoptr (GArray) statistics = capra_timeline_statistics ();
  g_autofree char *choices = capra_device_choice_describe (NULL);
  GString *text = g_string_new (NULL);
  CapraDevice *device = NULL;
  double total = 0;

  for (guint i = 0; i < statistics->len; i++)
    {
      const CapraTiming *timing = &g_array_index (statistics, CapraTiming, i);

      if (timing->device != device)
        {
          device = timing->device;
          g_string_append_printf (text, "%s%s (%s), times in ms\n", i ? "\n" : "", capra_device_get_info (device)->name,
                                  capra_device_get_info (device)->id);
          g_string_append_printf (text, "%-28s %7s %9s %9s %9s %9s %9s %10s %9s %7s\n", "name", "count", "min",
                                  "median", "max", "mean", "std", "total", "MB", "GB/s");
        }
      append_timing (text, timing);
      total += timing->total;
    }
  g_string_append_printf (text, "total %.3f ms\n", total);
  if (choices)
    g_string_append_printf (text, "\nchoices of devices (device=auto)\n%s", choices);
  return g_string_free (text, FALSE);
}

static JsonObject *
timing_to_object (const CapraTiming *timing)
{
  const CapraDeviceInfo *info = capra_device_get_info (timing->device);
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "device", info->name);
  json_object_set_string_member (object, "id", info->id);
  json_object_set_string_member (object, "name", timing->name);
  json_object_set_int_member (object, "count", (gint64) timing->count);
  json_object_set_int_member (object, "bytes", (gint64) timing->bytes);
  capra_json_set_number (object, "min", timing->min);
  capra_json_set_number (object, "median", timing->median);
  capra_json_set_number (object, "max", timing->max);
  capra_json_set_number (object, "mean", timing->mean);
  capra_json_set_number (object, "std", timing->std);
  capra_json_set_number (object, "total", timing->total);
  capra_json_set_number (object, "gb_per_s", gigabytes_per_second (timing));
  return object;
}

gboolean
capra_timeline_is_transfer (const char *name)
{
  static const char *const names[] = { "upload", "download", "evict", "restore", "result", "numbers", "copy", NULL };

  return g_strv_contains (names, name);
}

gboolean
capra_timeline_is_shared (const char *name, gboolean unified)
{
  return unified && (g_str_equal (name, "upload") || g_str_equal (name, "download"));
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const CapraRecord *x = a, *y = b;

  if (x->device != y->device)
    return (x->device > y->device) - (x->device < y->device);
  return (x->start > y->start) - (x->start < y->start);
}

/* The milliseconds in which a device was busy. Those of several devices, whose clocks differ, are added. */
static double
get_busy_time (const GArray *records)
{
  g_autoptr (GArray) sorted = g_array_copy ((GArray *) records);
  const CapraDevice *device = NULL;
  guint64 reached = 0, busy = 0;

  g_array_sort (sorted, compare_starts);
  for (guint i = 0; i < sorted->len; i++)
    {
      const CapraRecord *record = &g_array_index (sorted, CapraRecord, i);

      if (record->device != device)
        reached = 0;
      device = record->device;
      if (record->end > MAX (record->start, reached))
        busy += record->end - MAX (record->start, reached);
      reached = MAX (reached, record->end);
    }
  return (double) busy * 1e-6;
}

void
capra_timeline_scope_get_parts (CapraTimelineScope *scope, double wall, CapraTimelineParts *parts)
{
  g_autoptr (GArray) records = capra_timeline_scope_records (scope);

  *parts = (CapraTimelineParts){ .wall = wall, .building = MIN (capra_timeline_scope_get_build_time (scope), wall) };
  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      *(capra_timeline_is_transfer (record->name) ? &parts->transfers : &parts->kernels) += (double) (record->end
                                                                                                      - record->start)
                                                                                            * 1e-6;
    }
  parts->host = MAX (wall - parts->building - get_busy_time (records), 0.0);
}

static JsonObject *
parts_to_object (const CapraTimelineParts *parts)
{
  JsonObject *object = json_object_new ();

  capra_json_set_number (object, "wall", parts->wall);
  capra_json_set_number (object, "host", parts->host);
  capra_json_set_number (object, "transfers", parts->transfers);
  capra_json_set_number (object, "kernels", parts->kernels);
  capra_json_set_number (object, "building", parts->building);
  return object;
}

/* @parts: (nullable) */
static char *
to_json (GArray *statistics, const CapraTimelineParts *parts)
{
  g_autoptr (JsonNode) root = capra_json_object_node ();
  JsonObject *object = json_node_get_object (root);
  JsonArray *timings = json_array_new (), *choices = capra_device_choice_to_array ();
  g_autofree char *text = NULL;
  double total = 0;

  json_object_set_string_member (object, "unit", "ms");
  json_object_set_array_member (object, "timings", timings);
  for (guint i = 0; i < statistics->len; i++)
    {
      const CapraTiming *timing = &g_array_index (statistics, CapraTiming, i);

      json_array_add_object_element (timings, timing_to_object (timing));
      total += timing->total;
    }
  capra_json_set_number (object, "total", total);
  if (choices)
    json_object_set_array_member (object, "choices", choices);
  if (parts)
    json_object_set_object_member (object, "parts", parts_to_object (parts));
  text = json_to_string (root, TRUE);
  return g_strconcat (text, "\n", NULL);
}

char *
capra_timeline_to_json (void)
{
  g_autoptr (GArray) statistics = capra_timeline_statistics ();

  return to_json (statistics, NULL);
}

char *
capra_timeline_scope_to_json (CapraTimelineScope *scope, double wall)
{
  g_autoptr (GArray) records = capra_timeline_scope_records (scope);
  g_autoptr (GArray) statistics = capra_timeline_statistics_of (records);
  CapraTimelineParts parts;

  capra_timeline_scope_get_parts (scope, wall, &parts);
  return to_json (statistics, &parts);
}

gboolean
capra_timeline_save (const char *path, GError **error)
{
  gboolean json = g_str_has_suffix (path, ".json");
  g_autofree char *text = json ? capra_timeline_to_json () : capra_timeline_to_text ();

  return capra_write_text (path, text, error);
}

/* A forked child has inherited the times of its parent, which reports them itself. */
static void
save_at_exit (void)
{
  g_autofree char *path = capra_settings_get ("timings");
  g_autoptr (GError) error = NULL;

  if (path && !capra_fork_is_child () && !capra_timeline_save (path, &error))
    {
      /* Translators: %s is the reason. */
      g_printerr (_ ("Capra cannot write the timings: %s\n"), error->message);
      capra_error_exit_if_fatal ();
    }
}

void
capra_timeline_watch_exit (void)
{
  g_autofree char *path = capra_settings_get ("timings");

  if (path)
    atexit (save_at_exit);
}
