/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The timeline's statistics as text and JSON, and at exit where `CAPRA_TIMINGS` asks for it. */
#include <gio/gio.h>
#include <stdlib.h>

#include "runtime/device/fork.h"
#include "runtime/device/settings.h"
#include "runtime/trace/timeline-private.h"
#include "runtime/trace/write-text.h"

static double
gigabytes_per_second (const CapraTiming *timing)
{
  return timing->total > 0 ? (double) timing->bytes / timing->total * 1e-6 : 0.0;
}

char *
capra_timeline_to_text (void)
{
  g_autoptr (GArray) statistics = capra_timeline_statistics ();
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
      g_string_append_printf (text, "%-28s %7" G_GUINT64_FORMAT " %9.3f %9.3f %9.3f %9.3f %9.3f %10.3f %9.1f %7.1f\n",
                              timing->name, timing->count, timing->min, timing->median, timing->max, timing->mean,
                              timing->std, timing->total, timing->bytes * 1e-6, gigabytes_per_second (timing));
      total += timing->total;
    }
  g_string_append_printf (text, "total %.3f ms\n", total);
  return g_string_free (text, FALSE);
}

static void
append_json_string (GString *text, const char *string)
{
  g_string_append_c (text, '"');
  for (const char *c = string; *c; c++)
    if (*c == '"' || *c == '\\')
      g_string_append_printf (text, "\\%c", *c);
    else if ((guchar) *c < 0x20)
      g_string_append_printf (text, "\\u%04x", *c);
    else
      g_string_append_c (text, *c);
  g_string_append_c (text, '"');
}

static void
append_json_number (GString *text, const char *key, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, ", \"%s\": %s", key, g_ascii_formatd (buffer, sizeof buffer, "%.6f", value));
}

char *
capra_timeline_to_json (void)
{
  g_autoptr (GArray) statistics = capra_timeline_statistics ();
  GString *text = g_string_new ("{\"unit\": \"ms\", \"timings\": [");
  double total = 0;

  for (guint i = 0; i < statistics->len; i++)
    {
      const CapraTiming *timing = &g_array_index (statistics, CapraTiming, i);

      g_string_append_printf (text, "%s\n  {\"device\": ", i ? "," : "");
      append_json_string (text, capra_device_get_info (timing->device)->name);
      g_string_append (text, ", \"id\": ");
      append_json_string (text, capra_device_get_info (timing->device)->id);
      g_string_append (text, ", \"name\": ");
      append_json_string (text, timing->name);
      g_string_append_printf (text, ", \"count\": %" G_GUINT64_FORMAT ", \"bytes\": %" G_GUINT64_FORMAT, timing->count,
                              timing->bytes);
      append_json_number (text, "min", timing->min);
      append_json_number (text, "median", timing->median);
      append_json_number (text, "max", timing->max);
      append_json_number (text, "mean", timing->mean);
      append_json_number (text, "std", timing->std);
      append_json_number (text, "total", timing->total);
      append_json_number (text, "gb_per_s", gigabytes_per_second (timing));
      g_string_append_c (text, '}');
      total += timing->total;
    }
  g_string_append (text, "\n]");
  append_json_number (text, "total", total);
  g_string_append (text, "}\n");
  return g_string_free (text, FALSE);
}

gboolean
capra_timeline_save (const char *path, GError **error)
{
  gboolean json = g_str_has_suffix (path, ".json");
  g_autofree char *text = json ? capra_timeline_to_json () : capra_timeline_to_text ();

  return capra_write_text (path, text, error);
}

/* A forked child has no times of its own, and leaves the parent's to the parent. */
static void
save_at_exit (void)
{
  g_autofree char *path = capra_settings_get ("timings");
  g_autoptr (GError) error = NULL;

  if (path && !capra_fork_is_child () && !capra_timeline_save (path, &error))
    {
      g_printerr ("Capra cannot write the timings: %s\n", error->message);
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
