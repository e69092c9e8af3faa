/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many graphs one after the other, on images of random sizes, formats and devices, some of them with too little memory
 * or with failing calls of OpenCL: neither host nor device need more memory at the end than after some of them. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/graph.h"
#include "tests/support/operations.h"

/* Graphs run in parts. Drivers keep several MB for each kernel that is built, and caches are filled at first: the
 * memory in use grows in some parts. A leak adds to each: the test ends after the first of these parts in which it does
 * not grow, and fails if MAX_PARTS of them grow. With `-m slow`, at least 10,000 graphs run. */
#define PART 100
#define SLOW_PART 1000
#define MIN_PARTS 4
#define MIN_SLOW_PARTS 10
#define MAX_PARTS 60
#define MAX_SIDE 160
/* By how much the memory of the host may grow for each graph, in bytes, and that of the process in a part. */
#define GRAPH_SLACK 100
#define RESIDENT_SLACK (1 << 20)
#define POLL_TIME 1000 /* in microseconds */

/* The number of existing buffers; the library exports this function but declares it in no header. */
gint gegl_buffer_leaks (void);

static const char *const formats[] = { "Y float", "RGBA float" };
static const char *const devices[] = { "0", "1", "", "auto", "all" };

/* The memory in use while no graph exists. */
typedef struct {
  gsize host, resident; /* what malloc() has given out; of the process */
  guint64 tiles;
  guint64 arrays, devices; /* of all devices: that of arrays, and all before the unused memory is freed */
  gint buffers;
} Usage;

static GLogWriterOutput
drop_reports (GLogLevelFlags level, const GLogField *fields, gsize n, gpointer data)
{
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    return g_log_writer_default (level, fields, n, data);
  return G_LOG_WRITER_HANDLED;
}

/* The memory of all devices. */
static void
measure_devices (Usage *usage)
{
  usage->arrays = usage->devices = 0;

  for (guint i = 0; i < support_devices ()->len; i++)
    {
      CapraMemory memory;

      capra_memory_query (support_device (i), &memory);
      usage->arrays += memory.bytes[CAPRA_MEMORY_ARRAYS] + memory.bytes[CAPRA_MEMORY_RESIDENT];
      for (guint kind = 0; kind < CAPRA_N_MEMORY_KINDS; kind++)
        usage->devices += memory.bytes[kind];
    }
}

static gsize
get_resident (void)
{
  g_autofree char *text = NULL;
  gsize pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    pages = strtoul (strchr (text, ' '), NULL, 10);
  return pages * (gsize) sysconf (_SC_PAGESIZE);
}

/* GEGL's threads may free the last tiles a little later. */
static Usage
measure (void)
{
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;
  struct mallinfo2 info;
  Usage usage = { 0 };

  while (g_main_context_iteration (NULL, FALSE))
    ;
  while (measure_devices (&usage), usage.arrays > 0 && g_get_monotonic_time () < end)
    g_usleep (POLL_TIME);
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_trim (support_device (i));
  capra_timeline_reset ();
  malloc_trim (0);
  info = mallinfo2 ();
  usage.host = info.uordblks + info.hblkhd;
  usage.resident = get_resident ();
  usage.buffers = gegl_buffer_leaks ();
  g_object_get (gegl_stats (), "tile-cache-total", &usage.tiles, NULL);
  return usage;
}

static void
set_budget (guint64 bytes)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    capra_memory_set_budget (support_device (i), bytes);
}

/* One in four graphs lacks memory, or a call fails for it, once or from then on. */
static void
begin_trouble (GRand *random, guint64 pixels)
{
  const char *kind = capra_fault_get_name ((CapraFault) g_rand_int_range (random, 0, CAPRA_N_FAULTS));
  g_autofree char *faults = g_strdup_printf ("%s:%d%s", kind, g_rand_int_range (random, 1, 12),
                                             g_rand_boolean (random) ? "-" : "");

  switch (g_rand_int_range (random, 0, 8))
    {
    case 0: g_assert_true (capra_fault_set (faults, NULL)); break;
    case 1: set_budget (1 + pixels * (guint64) g_rand_int_range (random, 0, 32)); break;
    default: break;
    }
}

/* A node with the operation and the properties of @node, on @device. */
static GeglNode *
copy_node (GeglNode *graph, GeglNode *node, const char *device)
{
  const char *operation = gegl_node_get_operation (node);
  GeglNode *copy = gegl_node_new_child (graph, "operation", operation, NULL);
  guint n = 0;
  g_autofree GParamSpec **specs = gegl_operation_list_properties (operation, &n);

  for (guint i = 0; i < n; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (G_TYPE_IS_OBJECT (specs[i]->value_type) || !(specs[i]->flags & G_PARAM_WRITABLE))
        continue;
      gegl_node_get_property (node, specs[i]->name, &value);
      gegl_node_set_property (copy, specs[i]->name, &value);
    }
  if (gegl_node_find_property (copy, "device"))
    gegl_node_set (copy, "device", support_device_name (device), NULL);
  return copy;
}

/* Copies of the nodes that end with @last, behind @input: the last of them. */
static GeglNode *
copy_chain (GeglNode *input, GeglNode *last, const char *device)
{
  GeglNode *producer = gegl_node_get_producer (last, "input", NULL), *copy = NULL;

  if (!producer)
    return input;
  input = copy_chain (input, producer, device);
  copy = copy_node (gegl_node_get_parent (input), last, device);
  gegl_node_link (input, copy);
  return copy;
}

static void
run_graph (GRand *random, GeglNode *chain)
{
  GeglRectangle rect = { g_rand_int_range (random, -50, 50), g_rand_int_range (random, -50, 50),
                         g_rand_int_range (random, 1, MAX_SIDE), g_rand_int_range (random, 1, MAX_SIDE) };
  guint pixels = (guint) (rect.width * rect.height);
  g_autofree float *noise = support_noise (pixels, 0.0, 1.0, g_rand_int (random));
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format (formats[g_rand_int_range (random, 0, 2)]));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *last = NULL;

  gegl_buffer_set (buffer, NULL, 0, babl_format ("Y float"), noise, GEGL_AUTO_ROWSTRIDE);
  last = copy_chain (graph_source (graph, buffer), chain,
                     devices[g_rand_int_range (random, 0, G_N_ELEMENTS (devices))]);
  begin_trouble (random, pixels);
  if (!gegl_node_has_pad (last, "output"))
    gegl_node_process (last);
  else if (g_rand_boolean (random))
    g_free (graph_render (last, NULL, "RGBA float"));
  else
    g_free (graph_render_parts (last, "RGBA float", 4, 70));
  capra_fault_set (NULL, NULL);
  set_budget (0);
}

static void
run_graphs (GRand *random, const GPtrArray *chains, guint runs)
{
  for (guint i = 0; i < runs; i++)
    run_graph (random, chains->pdata[g_rand_int_range (random, 0, (gint32) chains->len)]);
}

/* The chains of all operations, in @graph: each is read from its text once, as GEGL's parser keeps a part of the memory
 * that it needs. */
static GPtrArray *
read_chains (GeglNode *graph)
{
  g_autoptr (GPtrArray) texts = operations_get_chains ();
  GPtrArray *chains = g_ptr_array_new ();

  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (chains, graph_chain (graph_node (graph, NULL, "gegl:nop", NULL), texts->pdata[i], "0"));
  return chains;
}

static void
test_soak (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autoptr (GeglNode) graph = gegl_node_new ();
  g_autoptr (GPtrArray) chains = read_chains (graph);
  guint runs = g_test_slow () ? SLOW_PART : PART, least = g_test_slow () ? MIN_SLOW_PARTS : MIN_PARTS;
  Usage before = { 0 }, after = { 0 };
  gboolean quiet = FALSE;

  for (guint part = 1; part <= least || !quiet; part++)
    {
      g_assert_cmpuint (part, <=, MAX_PARTS);
      run_graphs (random, chains, runs);
      after = measure ();
      g_test_message ("after %u graphs: memory of the host %zu KB, resident %zu KB, devices %" G_GUINT64_FORMAT " KB",
                      part * runs, after.host >> 10, after.resident >> 10, after.devices >> 10);
      g_assert_cmpuint (after.arrays, ==, 0);
      g_assert_cmpuint (after.tiles, ==, 0);
      g_assert_cmpint (after.buffers, ==, 0);
      quiet |= after.host <= before.host + runs * GRAPH_SLACK && after.resident <= before.resident + RESIDENT_SLACK;
      before = after;
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_writer_func (drop_reports, NULL, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/soak/graphs", test_soak);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
