/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Times transfers between GEGL's tiles and a device, and a plain copy for comparison. */
#include <gegl-plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin/buffers/gather.h"
#include "plugin/buffers/scatter.h"
#include "runtime/trace/timeline.h"
#include "runtime/device/device-select.h"
#include "runtime/memory/memory.h"

#define REPEATS 9

typedef struct {
  const Babl *format;
  GeglRectangle rect;
  guchar *from, *memory;
  gsize pixel;
} Work;

static void
copy_area (const GeglRectangle *area, gpointer data)
{
  const Work *work = data;
  gsize skip = (gsize) area->y * work->rect.width * work->pixel;

  memcpy (work->memory + skip, work->from + skip, (gsize) area->height * work->rect.width * work->pixel);
}

static void
by_threads (GeglParallelDistributeAreaFunc func, Work *work)
{
  gegl_parallel_distribute_area (&work->rect, 16384.0, GEGL_SPLIT_STRATEGY_HORIZONTAL, func, work);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return (*(const gint64 *) a > *(const gint64 *) b) - (*(const gint64 *) a < *(const gint64 *) b);
}

static void
print (const char *name, gint64 *times, double bytes)
{
  qsort (times, REPEATS, sizeof *times, compare);
  printf ("%-36s %8.1f ms %6.2f GB/s\n", name, (double) times[REPEATS / 2] * 1e-3,
          bytes / (double) times[REPEATS / 2] * 1e-3);
  fflush (stdout);
}

static void
time_copy (Work *work, double bytes)
{
  gint64 times[REPEATS];

  for (int i = 0; i < REPEATS; i++)
    {
      gint64 start = g_get_monotonic_time ();

      by_threads (copy_area, work);
      times[i] = g_get_monotonic_time () - start;
    }
  print ("memcpy", times, bytes);
}

/* Gathers @source's tiles into an array. */
static void
time_gather (Work *work, GeglBuffer *source, const Babl *format, CapraDevice *device, double bytes)
{
  g_autofree char *name = g_strdup_printf ("gather as %s", babl_get_name (format));
  gint64 times[REPEATS];

  for (int i = 0; i < REPEATS; i++)
    {
      gint64 start = g_get_monotonic_time ();
      g_autoptr (CapraArray) array = capra_gather (source, &work->rect, format, device, NULL);

      capra_array_wait (array, NULL);
      times[i] = g_get_monotonic_time () - start;
    }
  print (name, times, bytes);
}

/* Scatters an array into new tiles, and frees these. */
static void
time_scatter (Work *work, GeglBuffer *source, CapraDevice *device, double bytes)
{
  g_autoptr (CapraArray) array = capra_gather (source, &work->rect, work->format, device, NULL);
  CapraPixels band = { array, { 0, 0, work->rect.width, work->rect.height } };
  CapraTileGrid grid = capra_tile_grid_new (&work->rect, work->format, work->format);
  gint64 times[REPEATS];

  capra_array_wait (array, NULL);
  for (int i = 0; i < REPEATS; i++)
    {
      gint64 start = g_get_monotonic_time ();
      GeglTile **tiles = capra_tile_grid_new_tiles (&grid);

      capra_scatter (&grid, tiles, &band, FALSE, NULL);
      times[i] = g_get_monotonic_time () - start;
      capra_tile_grid_free_tiles (&grid, tiles);
    }
  print ("scatter", times, bytes);
}

/* From tiles to tiles through a blur: the whole image at once, or in the chunks of GEGL's processor. */
static gint64
run_blur (Work *work, GeglBuffer *source, int radius, gboolean whole)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GeglBuffer) twin = gegl_buffer_dup (source), target = gegl_buffer_new (&work->rect, work->format);
  GeglNode *input = gegl_node_new_child (graph, "operation", "gegl:buffer-source", "buffer", twin, NULL);
  GeglNode *node = gegl_node_new_child (graph, "operation", "capra:box-blur", "radius", radius, NULL);
  GeglNode *sink = gegl_node_new_child (graph, "operation", "gegl:write-buffer", "buffer", target, NULL);
  gint64 start = 0;

  gegl_node_link_many (input, node, sink, NULL);
  start = g_get_monotonic_time ();
  if (whole)
    gegl_node_blit_buffer (node, target, NULL, 0, GEGL_ABYSS_NONE);
  else
    gegl_node_process (sink);
  return g_get_monotonic_time () - start;
}

static void
time_round_trip (Work *work, GeglBuffer *source, gboolean whole, double bytes)
{
  gint64 times[REPEATS];

  for (int i = 0; i < REPEATS; i++)
    times[i] = run_blur (work, source, 0, whole);
  print (whole ? "upload and download, at once" : "upload and download, in GEGL's chunks", times, 2 * bytes);
}

static int
compare_starts (gconstpointer a, gconstpointer b)
{
  const CapraRecord *x = a, *y = b;

  return (x->start > y->start) - (x->start < y->start);
}

/* The milliseconds in which the device was busy, and in which several commands ran at once. */
static void
measure_overlap (double *busy, double *overlapping)
{
  g_autoptr (GArray) records = capra_timeline_records (0);
  guint64 until = 0, end = 0;

  *busy = *overlapping = 0;
  g_array_sort (records, compare_starts);
  for (guint i = 0; i < records->len; i++)
    {
      const CapraRecord *record = &g_array_index (records, CapraRecord, i);

      /* @end is the latest end so far, @until where what overlaps was counted up to. */
      if (record->start < end && MIN (record->end, end) > until)
        {
          *overlapping += (double) (MIN (record->end, end) - MAX (record->start, until)) * 1e-6;
          until = MIN (record->end, end);
        }
      if (record->end > end)
        {
          *busy += (double) (record->end - MAX (record->start, end)) * 1e-6;
          end = record->end;
        }
    }
}

/* Through a blur on a device whose memory holds only a part of the image. */
static void
time_bands (Work *work, GeglBuffer *source, CapraDevice *device, double bytes)
{
  gint64 times[REPEATS];
  double busy = 0, overlapping = 0;

  capra_memory_free_unused (device);
  capra_memory_set_budget (device, (guint64) bytes);
  for (int i = -1; i < REPEATS; i++)
    {
      gint64 time = 0;

      capra_timeline_reset ();
      time = run_blur (work, source, 5, TRUE);
      if (i >= 0)
        times[i] = time;
    }
  measure_overlap (&busy, &overlapping);
  capra_memory_set_budget (device, 0);
  print ("upload and download, in bands", times, 2 * bytes);
  printf ("%-36s %8.1f ms of %.1f ms busy\n", "  overlapping commands", overlapping, busy);
}

int
main (int argc, char **argv)
{
  int size = argc > 1 ? atoi (argv[1]) : 4096;
  const char *name = argc > 2 ? argv[2] : "RaGaBaA float";
  g_autoptr (GeglBuffer) source = NULL;
  CapraDevice *device = NULL;
  Work work = { 0 };
  double bytes = 0.0;

  gegl_init (NULL, NULL);
  /* Without a swap folder. GEGL also knows the name "RAM" for this, but creates a folder of that name. */
  g_object_set (gegl_config (), "swap", NULL, "tile-cache-size", (guint64) 4 << 30, NULL);
  if (size < 1 || !babl_format_exists (name))
    {
      fprintf (stderr, "Usage: bench-transfers [SIZE [FORMAT]]   (4096, \"RaGaBaA float\")\n");
      return 2;
    }
  device = capra_device_select (NULL, NULL);
  work.format = babl_format (name);
  work.pixel = (gsize) babl_format_get_bytes_per_pixel (work.format);
  work.rect = (GeglRectangle){ 0, 0, size, size };
  bytes = (double) size * size * (double) work.pixel;
  work.from = g_malloc0 ((gsize) bytes);
  work.memory = g_malloc0 ((gsize) bytes);
  memset (work.from, 63, (gsize) bytes);
  source = gegl_buffer_new (&work.rect, work.format);
  gegl_buffer_set (source, NULL, 0, work.format, work.from, GEGL_AUTO_ROWSTRIDE);

  printf ("%d x %d %s, %.0f MB, medians of %d\n", size, size, name, bytes * 1e-6, REPEATS);
  time_copy (&work, bytes);
  time_gather (&work, source, work.format, device, bytes);
  time_gather (&work, source, babl_format ("Y float"), device, bytes);
  time_scatter (&work, source, device, bytes);
  time_round_trip (&work, source, FALSE, bytes);
  time_round_trip (&work, source, TRUE, bytes);
  time_bands (&work, source, device, bytes);
  g_free (work.from);
  g_free (work.memory);
  g_clear_object (&source);
  gegl_exit ();
  return 0;
}
