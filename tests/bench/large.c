/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on an image that is larger than what a device can allocate in one piece, or larger than the device:
 *
 *   bench-large SIZE DEVICE [OPERATION…]
 *
 * The image has SIZE x SIZE gray pixels of 8 bits. It is not in memory: each tile of 128x128 is made when it is read,
 * with one bright disk. Prints the time of each operation, and whether its result is right: filters are compared with
 * those of small parts of the image, labels and statistics with what the disks give. Exits with 1 if one is wrong. */
#include <gegl-plugin.h>

#include <gegl-buffer-backend.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/graphs.h"

#define TILE 128
#define RADIUS 20
#define SHIFTS 64 /* disks at different columns; their first row is the same in all tiles */
#define BRIGHT 200
#define MARGIN 256 /* more than the reach of each filter */
#define SAMPLE 48
#define N_SAMPLES 64

typedef struct {
  GeglTileBackend parent_instance;
} LargeImage;

typedef struct {
  GeglTileBackendClass parent_class;
} LargeImageClass;

GType large_image_get_type (void);
G_DEFINE_TYPE (LargeImage, large_image, GEGL_TYPE_TILE_BACKEND)

static guint8 tiles[SHIFTS][TILE * TILE];

/* Neighboring tiles have different disks, also below one another. */
static guint
get_shift (gint x, gint y)
{
  return ((guint) x * 7919u + (guint) y * 104729u) % SHIFTS;
}

static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  GeglTileBackend *self = GEGL_TILE_BACKEND (source);
  GeglTile *tile = NULL;

  if (what != GEGL_TILE_GET || z > 0)
    return gegl_tile_backend_command (self, what, x, y, z, data);
  tile = gegl_tile_new (TILE * TILE);
  memcpy (gegl_tile_get_data (tile), tiles[get_shift (x, y)], TILE * TILE);
  gegl_tile_mark_as_stored (tile);
  return tile;
}

static void
large_image_class_init (LargeImageClass *klass)
{
  for (int shift = 0; shift < SHIFTS; shift++)
    for (int i = 0; i < TILE * TILE; i++)
      {
        int x = i % TILE - RADIUS - 2 - shift, y = i / TILE - TILE / 2;

        tiles[shift][i] = x * x + y * y <= RADIUS * RADIUS ? BRIGHT : (guint8) (i % TILE / 4 + shift % 8);
      }
}

static void
large_image_init (LargeImage *self)
{
  GEGL_TILE_SOURCE (self)->command = command;
}

static GeglBuffer *
new_image (int size)
{
  const GeglRectangle extent = { 0, 0, size, size };
  GeglTileBackend *backend = g_object_new (large_image_get_type (), "tile-width", TILE, "tile-height", TILE, "format",
                                           babl_format ("Y u8"), NULL);
  GeglBuffer *buffer = NULL;

  gegl_tile_backend_set_extent (backend, &extent);
  gegl_tile_backend_set_flush_on_destroy (backend, FALSE);
  buffer = gegl_buffer_new_for_backend (&extent, backend);
  g_object_unref (backend);
  return buffer;
}

/* @format: of the result; NULL if only the property @property is read, which must have the value that @expect returns.
 */
typedef struct {
  const char *name, *chain, *format, *property;
  double (*expect) (int size);
} Workload;

static double
count_disks (int size)
{
  return pow (size / TILE, 2);
}

static double
count_pixels (int size)
{
  return pow (size, 2);
}

static const Workload workloads[] = {
  { "gaussian-5", "capra:gaussian-blur std-dev-x=5 std-dev-y=5 abyss-policy=clamp", "Y u8" },
  { "gaussian-20", "capra:gaussian-blur std-dev-x=20 std-dev-y=20 abyss-policy=clamp", "Y u8" },
  { "box-15", "capra:box-blur radius=15", "Y u8" },
  { "convolve", "capra:convolve divisor=0 matrix='1 2 1; 2 4 2; 1 2 1'", "Y u8" },
  { "threshold", "capra:threshold value=0.5", "Y u8" },
  { "otsu", "capra:threshold method=otsu", "Y u8" },
  { "label", "capra:threshold value=0.5 capra:label rendering=numbers", "Y' u32", "count", count_disks },
  { "statistics", "capra:statistics", "Y u8", "count", count_pixels },
};

static GeglNode *
new_graph (GeglBuffer *source, const Workload *workload, const char *device)
{
  GeglNode *graph = bench_new_graph (source, workload->chain);

  for (GeglNode *node = graph ? bench_get_last (graph) : NULL; node && gegl_node_find_property (node, "device");
       node = gegl_node_get_producer (node, "input", NULL))
    gegl_node_set (node, "device", device, NULL);
  return graph;
}

static GeglBuffer *
render (GeglNode *graph, const GeglRectangle *rect, const char *format)
{
  GeglBuffer *target = gegl_buffer_new (rect, babl_format (format));
  GeglNode *sink = gegl_node_new_child (graph, "operation", "gegl:write-buffer", "buffer", target, NULL);

  gegl_node_link (gegl_node_get_output_proxy (graph, "output"), sink);
  gegl_node_process (sink);
  return target;
}

/* Whether SAMPLE x SAMPLE pixels at @rect differ by at most 1 from those of the filter on this part of the image alone.
 */
static gboolean
check_sample (GeglBuffer *image, GeglBuffer *result, const GeglRectangle *rect, const Workload *workload)
{
  GeglRectangle around = { rect->x - MARGIN, rect->y - MARGIN, rect->width + 2 * MARGIN, rect->height + 2 * MARGIN };
  guint8 got[SAMPLE * SAMPLE], wanted[SAMPLE * SAMPLE];
  g_autoptr (GeglBuffer) part = NULL, reference = NULL;
  g_autoptr (GeglNode) graph = NULL;
  const Babl *format = babl_format ("Y u8");

  gegl_rectangle_intersect (&around, &around, gegl_buffer_get_extent (image));
  part = gegl_buffer_new (&around, format);
  gegl_buffer_copy (image, &around, GEGL_ABYSS_NONE, part, &around);
  graph = new_graph (part, workload, "");
  reference = render (graph, rect, "Y u8");
  gegl_buffer_get (result, rect, 1.0, format, got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (reference, rect, 1.0, format, wanted, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (guint i = 0; i < sizeof got; i++)
    if (ABS (got[i] - wanted[i]) > 1)
      {
        printf (" wrong at %d, %d: %u instead of %u", rect->x + (int) i % SAMPLE, rect->y + (int) i / SAMPLE, got[i],
                wanted[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_pixels (GeglBuffer *image, GeglBuffer *result, int size, const Workload *workload)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (2);

  for (int i = 0; i < N_SAMPLES; i++)
    {
      GeglRectangle rect = { g_rand_int_range (random, 0, size - SAMPLE), g_rand_int_range (random, 0, size - SAMPLE),
                             SAMPLE, SAMPLE };

      if (i < 4)
        rect.x = i % 2 ? size - SAMPLE : 0, rect.y = i / 2 ? size - SAMPLE : 0;
      if (!check_sample (image, result, &rect, workload))
        return FALSE;
    }
  return TRUE;
}

/* The disks are numbered along the rows of tiles. */
static gboolean
check_labels (GeglBuffer *result, int size)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  int across = size / TILE;

  for (int i = 0; i < 100 * N_SAMPLES; i++)
    {
      int x = g_rand_int_range (random, 0, across), y = g_rand_int_range (random, 0, across);
      int center = x * TILE + RADIUS + 2 + (int) get_shift (x, y);
      guint32 got[2], wanted = (guint32) y * (guint32) across + (guint32) x + 1;

      gegl_buffer_get (result, GEGL_RECTANGLE (center + RADIUS, y * TILE + TILE / 2, 2, 1), 1.0, babl_format ("Y' u32"),
                       got, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      if (got[0] == wanted && got[1] == 0)
        continue;
      printf (" wrong in tile %d, %d: %u, %u instead of %u, 0", x, y, got[0], got[1], wanted);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_property (GeglNode *node, const Workload *workload, int size)
{
  g_auto (GValue) value = G_VALUE_INIT, number = G_VALUE_INIT;
  double got = 0, wanted = 0;

  if (!workload->property)
    return TRUE;
  gegl_node_get_property (node, workload->property, &value);
  g_value_init (&number, G_TYPE_DOUBLE);
  g_value_transform (&value, &number);
  got = g_value_get_double (&number);
  wanted = workload->expect (size);
  if (got != wanted)
    printf (" %s is %.17g instead of %.17g", workload->property, got, wanted);
  return got == wanted;
}

static gboolean
run (GeglBuffer *image, int size, const char *device, const Workload *workload)
{
  g_autoptr (GeglNode) graph = new_graph (image, workload, device);
  g_autoptr (GeglBuffer) result = NULL;
  g_autofree char *error = NULL;
  gint64 begin = g_get_monotonic_time ();
  GeglNode *node = NULL;
  gboolean right = FALSE;

  if (!graph)
    return FALSE;
  node = bench_get_last (graph);
  printf ("%-12s", workload->name);
  fflush (stdout);
  result = render (graph, gegl_buffer_get_extent (image), workload->format);
  printf (" %8.1f s", (double) (g_get_monotonic_time () - begin) * 1e-6);
  gegl_node_get (node, "error", &error, NULL);
  if (error && *error)
    printf (" failed: %s\n", error);
  else
    {
      right = check_property (node, workload, size)
              && (g_str_has_suffix (workload->format, "u32") ? check_labels (result, size)
                                                             : check_pixels (image, result, size, workload));
      printf (right ? " right\n" : "\n");
    }
  fflush (stdout);
  return right;
}

int
main (int argc, char *argv[])
{
  int size = argc > 2 ? atoi (argv[1]) / TILE * TILE : 0;
  gboolean right = TRUE;

  if (size < 1024)
    {
      fprintf (stderr, "usage: bench-large SIZE DEVICE [OPERATION…]     (SIZE at least 1024)\n");
      return 2;
    }
  if (!bench_init ())
    return 1;
  printf ("%d x %d: %.1f GB of bytes, %.1f GB of floats\n", size, size, pow (size, 2) * 1e-9, pow (size, 2) * 4e-9);
  for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
    {
      g_autoptr (GeglBuffer) image = NULL;

      if (argc > 3 && !g_strv_contains ((const char *const *) argv + 3, workloads[i].name))
        continue;
      image = new_image (size);
      right = run (image, size, argv[2], &workloads[i]) && right;
    }
  gegl_exit ();
  return !right;
}
