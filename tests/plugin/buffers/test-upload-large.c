/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The upload cache and buffers that are larger than GEGL's tile cache: their uploads, which would keep all of their
 * tiles in it, are not kept. GEGL took quadratic time for such tiles, and needed memory for all of them. */
#include "tests/support/graph.h"

#include <gegl-plugin.h>

#include <gegl-buffer-backend.h>
#include <string.h>

#define SIZE 1536
#define BYTES (SIZE * SIZE * sizeof (float))

static const GeglRectangle rect = { 0, 0, SIZE, SIZE };

/* An image of zeros, whose tiles need no swap file. */
typedef struct {
  GeglTileBackend parent_instance;
} TestImage;

typedef struct {
  GeglTileBackendClass parent_class;
} TestImageClass;

GType test_image_get_type (void);
G_DEFINE_TYPE (TestImage, test_image, GEGL_TYPE_TILE_BACKEND)

static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  GeglTileBackend *self = GEGL_TILE_BACKEND (source);
  GeglTile *tile = NULL;

  if (what != GEGL_TILE_GET || z > 0)
    return gegl_tile_backend_command (self, what, x, y, z, data);
  tile = gegl_tile_new (gegl_tile_backend_get_tile_size (self));
  memset (gegl_tile_get_data (tile), 0, (gsize) gegl_tile_backend_get_tile_size (self));
  gegl_tile_mark_as_stored (tile);
  return tile;
}

static void
test_image_class_init (TestImageClass *klass)
{
}

static void
test_image_init (TestImage *self)
{
  GEGL_TILE_SOURCE (self)->command = command;
}

static GeglBuffer *
new_image (void)
{
  g_autoptr (GObject) backend = g_object_new (test_image_get_type (), "tile-width", 128, "tile-height", 64, "format",
                                              babl_format ("Y float"), NULL);

  gegl_tile_backend_set_extent (GEGL_TILE_BACKEND (backend), &rect);
  gegl_tile_backend_set_flush_on_destroy (GEGL_TILE_BACKEND (backend), FALSE);
  return gegl_buffer_new_for_backend (&rect, GEGL_TILE_BACKEND (backend));
}

/* Measures the values of an image, with a tile cache of @bytes. Returns the most bytes that were in the cache since the
 * process started. */
static guint64
get_most_cached (guint64 bytes)
{
  g_autoptr (GeglBuffer) buffer = new_image ();
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, buffer), "capra:statistics", "device",
                               support_device_name ("0"), NULL);
  g_autofree float *result = NULL;
  guint64 most = 0;
  double count = 0;

  g_object_set (gegl_config (), "tile-cache-size", bytes, NULL);
  result = graph_render (node, GEGL_RECTANGLE (0, 0, 64, 64), "Y float");
  g_object_get (gegl_stats (), "tile-cache-total-max", &most, NULL);
  gegl_node_get (node, "count", &count, NULL);
  g_assert_cmpfloat (count, ==, (double) SIZE * SIZE);
  return most;
}

static void
test_large (void)
{
  /* Devices that share the host's memory do not keep the uploads of a process's first result. */
  ((CapraDeviceInfo *) capra_device_get_info (support_device (0)))->unified = FALSE;
  g_assert_cmpuint (get_most_cached (BYTES / 8), <, BYTES / 2);
  /* Tiles that fit into the cache are all in it. */
  g_assert_cmpuint (get_most_cached (64 * BYTES), >=, BYTES);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/upload-large/tile-cache", test_large);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
