/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run: from records, whose clocks may differ from device to device, to times and shares. */
#include "ui/panel/monitor/processes.h"
#include "ui/panel/monitor/command-trace.h"

#define PAUSE 250e6 /* ns */
/* Work without a pause is shown by its last records. */
#define MOST_RECORDS 400

/* A record of any process. */
typedef struct {
  const char *name;
  guint device; /* the process's index of it */
  guint64 bytes, queued, start, end;
} Entry;

G_DEFINE_BOXED_TYPE (CapraRun, capra_run, capra_run_ref, capra_run_unref)

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const CapraRunItem *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

/* The time during which at least one item was at work; items are in the order of their starts. */
static double
busy_time (const GArray *items)
{
  double busy = 0, reached = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const CapraRunItem *item = &g_array_index (items, CapraRunItem, i);

      busy += MAX (item->end - MAX (item->start, reached), 0);
      reached = MAX (reached, item->end);
    }
  return busy;
}

/* Pushes, then kernels, then pulls. */
static int
rank (const CapraRunBar *bar)
{
  return g_str_equal (bar->name, "upload") ? 0 : g_str_equal (bar->name, "download") ? 2 : 1;
}

static void
add_to_bar (GArray *bars, const CapraRunItem *item)
{
  CapraRunBar fresh = { item->name, 0, 0, 0 };
  CapraRunBar *bar = NULL;

  for (guint i = 0; i < bars->len && !bar; i++)
    if (g_str_equal (g_array_index (bars, CapraRunBar, i).name, item->name))
      bar = &g_array_index (bars, CapraRunBar, i);
  if (!bar)
    {
      g_array_append_val (bars, fresh);
      bar = &g_array_index (bars, CapraRunBar, bars->len - 1);
    }
  bar->count++;
  bar->bytes += item->bytes;
  bar->time += item->end - item->start;
}

/* The bars in their order; within a rank the order stays. */
static void
sort_bars (CapraRun *run)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (CapraRunBar), run->bars->len);

  for (int wanted = 0; wanted <= 2; wanted++)
    for (guint i = 0; i < run->bars->len; i++)
      if (rank (&g_array_index (run->bars, CapraRunBar, i)) == wanted)
        g_array_append_val (sorted, g_array_index (run->bars, CapraRunBar, i));
  g_array_unref (run->bars);
  run->bars = sorted;
}

/* A device of the run. */
typedef struct {
  guint index;
  guint64 zero; /* of its clock */
} Lane;

/* The devices get no names yet: @lanes tells which ones they are. */
static CapraRun *
run_from_entries (const Entry *entries, guint n, double wall, GArray *lanes)
{
  CapraRun *run = g_rc_box_new0 (CapraRun);

  run->items = g_array_sized_new (FALSE, FALSE, sizeof (CapraRunItem), n);
  run->bars = g_array_new (FALSE, FALSE, sizeof (CapraRunBar));
  run->devices = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n; i++)
    {
      CapraRunItem item = { g_intern_string (entries[i].name), 0, entries[i].bytes, 0, 0 };
      Lane lane = { entries[i].device, entries[i].queued };
      guint64 zero = 0;

      while (item.device < lanes->len && g_array_index (lanes, Lane, item.device).index != lane.index)
        item.device++;
      if (item.device == lanes->len)
        g_array_append_val (lanes, lane);
      zero = g_array_index (lanes, Lane, item.device).zero;
      item.start = entries[i].start > zero ? (double) (entries[i].start - zero) * 1e-6 : 0;
      item.end = entries[i].end > zero ? (double) (entries[i].end - zero) * 1e-6 : 0;
      g_array_append_val (run->items, item);
      add_to_bar (run->bars, &item);
      run->span = MAX (run->span, item.end);
    }
  g_array_sort (run->items, compare_starts);
  sort_bars (run);
  run->wall = wall > 0 ? wall : run->span;
  run->host = MAX (run->wall - busy_time (run->items), 0);
  return run;
}

/* The name of this process's device, with its index if there are more of that name. */
static char *
local_title (const GPtrArray *devices, guint index)
{
  const char *name = capra_device_get_info (devices->pdata[index])->name;

  for (guint i = 0; i < devices->len; i++)
    if (i != index && g_str_equal (capra_device_get_info (devices->pdata[i])->name, name))
      return g_strdup_printf ("%s (%u)", name, index);
  return g_strdup (name);
}

CapraRun *
capra_run_new (const GArray *records, double wall)
{
  g_autofree Entry *entries = NULL;
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  const GPtrArray *devices = NULL;
  CapraRun *run = NULL;

  g_return_val_if_fail (records != NULL, NULL);

  entries = g_new0 (Entry, records->len + 1);
  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      entries[i] = (Entry){ record->name,  capra_device_get_info (record->device)->index,
                            record->bytes, record->queued,
                            record->start, record->end };
    }
  run = run_from_entries (entries, records->len, wall, lanes);
  devices = lanes->len ? capra_device_list (NULL) : NULL;
  for (guint i = 0; i < lanes->len; i++)
    g_ptr_array_add (run->devices, local_title (devices, g_array_index (lanes, Lane, i).index));
  return run;
}

/* Where the last go begins: going back, the first record that came long after the end of those before. */
static guint
find_latest (const GArray *records)
{
  const CapraMonitorRecord *all = &g_array_index (records, CapraMonitorRecord, 0);

  for (guint i = records->len; i-- > 1;)
    {
      const CapraMonitorRecord *before = NULL;

      for (guint j = i; j-- > 0 && !before;)
        if (all[j].device == all[i].device)
          before = &all[j];
      if (before && (double) all[i].queued > (double) before->end + PAUSE)
        return i;
    }
  return 0;
}

CapraRun *
capra_run_new_latest (const CapraMonitorProcess *process)
{
  const GArray *records = process->records;
  g_autofree Entry *entries = g_new0 (Entry, records->len + 1);
  g_autoptr (GArray) lanes = g_array_new (FALSE, FALSE, sizeof (Lane));
  CapraRun *run = NULL;
  guint first = 0;

  if (records->len == 0)
    return NULL;
  first = MAX (find_latest (records), records->len - MIN (records->len, MOST_RECORDS));
  for (guint i = first; i < records->len; i++)
    {
      const CapraMonitorRecord *record = &g_array_index (records, CapraMonitorRecord, i);

      entries[i - first] = (Entry){ record->name,   record->device, record->bytes,
                                    record->queued, record->start,  record->end };
    }
  run = run_from_entries (entries, records->len - first, 0, lanes);
  for (guint i = 0; i < lanes->len; i++)
    g_ptr_array_add (run->devices, capra_process_device_title (process, g_array_index (lanes, Lane, i).index));
  return run;
}

CapraRun *
capra_run_ref (CapraRun *run)
{
  return g_rc_box_acquire (run);
}

static void
run_clear (gpointer data)
{
  CapraRun *run = data;

  g_array_unref (run->items);
  g_array_unref (run->bars);
  g_ptr_array_unref (run->devices);
}

void
capra_run_unref (CapraRun *run)
{
  g_rc_box_release_full (run, run_clear);
}
