/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timing row: formats and compares cells, and writes rows as CSV. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/panel/monitor/processes.h"
#include "ui/panel/monitor/timing-row.h"
#include "ui/panel/widgets/units.h"

struct _CapraTimingRow {
  GObject parent_instance;
  gint64 pid;
  char *process, *device_id, *device, *name;
  CapraMonitorTiming timing; /* its name is not used */
  gboolean shared;           /* it copied nothing */
  gint64 end;                /* when the process ended, or 0 */
};

enum { CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

static const struct {
  const char *title, *hint, *csv;
} columns[CAPRA_N_COLUMNS] = {
  [CAPRA_COLUMN_PROCESS] = { N_ ("Program"), N_ ("The process"), "process" },
  [CAPRA_COLUMN_DEVICE] = { N_ ("Device"), N_ ("The device"), "device" },
  [CAPRA_COLUMN_NAME] = { N_ ("Command"), N_ ("The transfer or the kernel"), "name" },
  [CAPRA_COLUMN_COUNT] = { N_ ("Count"), N_ ("Number of runs"), "count" },
  [CAPRA_COLUMN_MIN] = { N_ ("Min"), N_ ("The shortest time"), "min_ms" },
  [CAPRA_COLUMN_MEDIAN] = { N_ ("Median"), N_ ("The median of the last 4096 times"), "median_ms" },
  [CAPRA_COLUMN_MAX] = { N_ ("Max"), N_ ("The longest time"), "max_ms" },
  [CAPRA_COLUMN_MEAN] = { N_ ("Mean"), N_ ("The mean time"), "mean_ms" },
  [CAPRA_COLUMN_STD] = { N_ ("Std"), N_ ("The standard deviation of the times"), "std_ms" },
  [CAPRA_COLUMN_RATE] = { N_ ("GB/s"), N_ ("Bytes read and written per second"), "gb_per_s" },
  [CAPRA_COLUMN_TOTAL] = { N_ ("Total"), N_ ("Sum of all times"), "total_ms" },
};

G_DEFINE_FINAL_TYPE (CapraTimingRow, capra_timing_row, G_TYPE_OBJECT)

static void
capra_timing_row_finalize (GObject *object)
{
  CapraTimingRow *row = CAPRA_TIMING_ROW (object);

  g_free (row->process);
  g_free (row->device_id);
  g_free (row->device);
  g_free (row->name);
  G_OBJECT_CLASS (capra_timing_row_parent_class)->finalize (object);
}

static void
capra_timing_row_class_init (CapraTimingRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = capra_timing_row_finalize;
  signals[CHANGED] = g_signal_new ("changed", CAPRA_TYPE_TIMING_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
capra_timing_row_init (CapraTimingRow *row)
{
}

static const CapraMonitorDevice *
device_of (const CapraMonitorProcess *process, const CapraMonitorTiming *timing)
{
  return timing->device < process->devices->len ? process->devices->pdata[timing->device] : NULL;
}

CapraTimingRow *
capra_timing_row_new (const CapraMonitorProcess *process, const CapraMonitorTiming *timing)
{
  CapraTimingRow *row = g_object_new (CAPRA_TYPE_TIMING_ROW, NULL);
  const CapraMonitorDevice *device = device_of (process, timing);

  row->pid = process->pid;
  row->process = capra_process_title (process);
  row->device_id = g_strdup (device ? device->id : "");
  row->device = capra_process_device_title (process, timing->device);
  row->name = g_strdup (timing->name);
  row->timing = *timing;
  row->shared = capra_timeline_is_shared (row->name, capra_process_is_unified (process, timing->device));
  return row;
}

gint64
capra_timing_row_get_pid (CapraTimingRow *row)
{
  return row->pid;
}

gint64
capra_timing_row_get_end (CapraTimingRow *row)
{
  return row->end;
}

void
capra_timing_row_end (CapraTimingRow *row)
{
  /* Translators: %s is the name of a program */
  g_autofree char *process = g_strdup_printf (_ ("%s (ended)"), row->process);

  if (row->end)
    return;
  row->end = g_get_monotonic_time ();
  g_free (row->process);
  row->process = g_steal_pointer (&process);
  g_signal_emit (row, signals[CHANGED], 0);
}

gboolean
capra_timing_row_matches (CapraTimingRow *row, const CapraMonitorProcess *process, const CapraMonitorTiming *timing)
{
  const CapraMonitorDevice *device = device_of (process, timing);

  return !row->end && row->pid == process->pid && g_str_equal (row->name, timing->name)
         && g_str_equal (row->device_id, device ? device->id : "");
}

void
capra_timing_row_update (CapraTimingRow *row, const CapraMonitorTiming *timing)
{
  gboolean changed = row->timing.count != timing->count || row->timing.total != timing->total;

  row->timing = *timing;
  if (changed)
    g_signal_emit (row, signals[CHANGED], 0);
}

guint64
capra_timing_row_get_count (CapraTimingRow *row)
{
  return row->timing.count;
}

double
capra_timing_row_get_total (CapraTimingRow *row)
{
  return row->timing.total;
}

const char *
capra_column_get_title (CapraColumn column)
{
  return _ (columns[column].title);
}

const char *
capra_column_get_hint (CapraColumn column)
{
  return _ (columns[column].hint);
}

gboolean
capra_column_is_number (CapraColumn column)
{
  return column >= CAPRA_COLUMN_COUNT;
}

/* Times in milliseconds; the rate in GB/s, or 0 without one. */
static double
get_number (CapraTimingRow *row, CapraColumn column)
{
  const CapraMonitorTiming *timing = &row->timing;

  switch (column)
    {
    case CAPRA_COLUMN_COUNT: return (double) timing->count;
    case CAPRA_COLUMN_MIN: return timing->min;
    case CAPRA_COLUMN_MEDIAN: return timing->median;
    case CAPRA_COLUMN_MAX: return timing->max;
    case CAPRA_COLUMN_MEAN: return timing->mean;
    case CAPRA_COLUMN_STD: return timing->std;
    case CAPRA_COLUMN_RATE:
      return timing->total > 0 && !row->shared ? (double) timing->bytes / timing->total * 1e-6 : 0;
    case CAPRA_COLUMN_TOTAL: return timing->total;
    default: return 0;
    }
}

static const char *
get_string (CapraTimingRow *row, CapraColumn column)
{
  return column == CAPRA_COLUMN_PROCESS ? row->process : column == CAPRA_COLUMN_DEVICE ? row->device : row->name;
}

char *
capra_timing_row_get_text (CapraTimingRow *row, CapraColumn column)
{
  if (!capra_column_is_number (column))
    return g_strdup (get_string (row, column));
  if (column == CAPRA_COLUMN_COUNT)
    return g_strdup_printf ("%" G_GUINT64_FORMAT, row->timing.count);
  if (column == CAPRA_COLUMN_RATE && row->shared)
    return capra_units_shared ();
  if (column == CAPRA_COLUMN_RATE)
    return row->timing.bytes ? g_strdup_printf ("%.1f", get_number (row, column)) : g_strdup ("–");
  return capra_units_time (get_number (row, column));
}

int
capra_timing_row_compare (CapraTimingRow *a, CapraTimingRow *b, CapraColumn column)
{
  double x = get_number (a, column), y = get_number (b, column);

  if (!capra_column_is_number (column))
    return g_utf8_collate (get_string (a, column), get_string (b, column));
  return (x > y) - (x < y);
}

static void
append_csv (GString *csv, const char *text)
{
  if (!strpbrk (text, "\",\n\r"))
    {
      g_string_append (csv, text);
      return;
    }
  g_string_append_c (csv, '"');
  for (; *text; text++)
    {
      if (*text == '"')
        g_string_append_c (csv, '"');
      g_string_append_c (csv, *text);
    }
  g_string_append_c (csv, '"');
}

char *
capra_timing_rows_to_csv (GListModel *model)
{
  GString *csv = g_string_new (NULL);

  for (int c = 0; c < CAPRA_N_COLUMNS; c++)
    g_string_append_printf (csv, "%s%s", c ? "," : "", columns[c].csv);
  g_string_append (csv, "\r\n");
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr (CapraTimingRow) row = g_list_model_get_item (model, i);

      for (int c = 0; c < CAPRA_N_COLUMNS; c++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          if (c > 0)
            g_string_append_c (csv, ',');
          if (c == CAPRA_COLUMN_RATE && row->shared)
            continue;
          if (capra_column_is_number (c))
            g_string_append (csv, g_ascii_formatd (number, sizeof number, c == CAPRA_COLUMN_COUNT ? "%.0f" : "%.6f",
                                                   get_number (row, c)));
          else
            append_csv (csv, get_string (row, c));
        }
      g_string_append (csv, "\r\n");
    }
  return g_string_free (csv, FALSE);
}
