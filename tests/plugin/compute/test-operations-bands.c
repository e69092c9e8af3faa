/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results that are computed in bands because memory is short: a band is uploaded while the one before is downloaded. */
#include "tests/support/graph.h"

#include <gegl-buffer-backend.h>
#include <gegl-plugin.h>
#include <string.h>

#define WIDTH 512
#define HEIGHT 512
#define COUNT (WIDTH * HEIGHT)
#define BYTES (COUNT * 4)

static const GeglRectangle rect = { 0, 0, WIDTH, HEIGHT };

/* A buffer whose last row of tiles can be read only after a download from a device. */
typedef struct {
  GeglTileBackend parent_instance;
  GeglBuffer *pixels;
  gint timeouts; /* atomic: number of waits without a download in time */
} TestSource;

typedef struct {
  GeglTileBackendClass parent_class;
} TestSourceClass;

GType test_source_get_type (void);
G_DEFINE_TYPE (TestSource, test_source, GEGL_TYPE_TILE_BACKEND)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestSource, g_object_unref)

static gboolean
wait_for_download (void)
{
  gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;

  while (graph_count ("download") == 0)
    {
      if (g_get_monotonic_time () > end)
        return FALSE;
      g_usleep (1000);
    }
  return TRUE;
}

static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  TestSource *self = (TestSource *) source;
  gint width = gegl_tile_backend_get_tile_width (GEGL_TILE_BACKEND (self));
  gint height = gegl_tile_backend_get_tile_height (GEGL_TILE_BACKEND (self));
  GeglTile *tile = NULL;

  if (what != GEGL_TILE_GET || z > 0)
    return gegl_tile_backend_command (GEGL_TILE_BACKEND (self), what, x, y, z, data);
  if (y == HEIGHT / height - 1 && g_atomic_int_get (&self->timeouts) == 0 && !wait_for_download ())
    g_atomic_int_inc (&self->timeouts);
  tile = gegl_tile_new (gegl_tile_backend_get_tile_size (GEGL_TILE_BACKEND (self)));
  gegl_buffer_get (self->pixels, GEGL_RECTANGLE (x * width, y * height, width, height), 1.0, NULL,
                   gegl_tile_get_data (tile), GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_tile_mark_as_stored (tile);
  return tile;
}

static void
test_source_class_init (TestSourceClass *klass)
{
}

static void
test_source_init (TestSource *self)
{
  GEGL_TILE_SOURCE (self)->command = command;
}

static TestSource *
source_new (GeglBuffer *pixels)
{
  TestSource *self = g_object_new (test_source_get_type (), "tile-width", 128, "tile-height", 64, "format",
                                   gegl_buffer_get_format (pixels), NULL);

  self->pixels = pixels;
  gegl_tile_backend_set_extent (GEGL_TILE_BACKEND (self), &rect);
  gegl_tile_backend_set_flush_on_destroy (GEGL_TILE_BACKEND (self), FALSE);
  return self;
}

static void
set_budget (double images)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_set_budget (support_device (i), (guint64) (images * BYTES));
    }
}

static void
set_unified (gboolean unified)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    ((CapraDeviceInfo *) capra_device_get_info (support_device (i)))->unified = unified;
}

/* The devices, and whether they share the host's memory. */
typedef struct {
  const char *name, *device;
  gboolean unified;
} Case;

static const Case cases[] = {
  { "unified", "0", TRUE },
  { "discrete", "0", FALSE },
  { "all-unified", "all", TRUE },
  { "all-discrete", "all", FALSE },
};

/* The result of the first band is on the host before the last band is read from the source. Without this overlap the
 * source times out. */
static void
test_overlap (gconstpointer data)
{
  const Case *c = data;
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 3);
  g_autoptr (GeglBuffer) pixels = graph_buffer ("Y float", &rect, noise);
  g_autoptr (TestSource) source = source_new (pixels);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new_for_backend (&rect, GEGL_TILE_BACKEND (source));
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *whole = graph_node (graph, graph_source (graph, pixels), "capra:gaussian-blur", "device",
                                support_device_name ("0"), NULL);
  GeglNode *parts = graph_node (graph, graph_source (graph, buffer), "capra:gaussian-blur", "device",
                                support_device_name (c->device), NULL);
  g_autofree float *expected = NULL, *got = NULL;
  g_autofree char *error = NULL;

  if (g_str_equal (c->device, "all") && !support_devices_equal ())
    {
      g_test_skip ("needs two equal devices, so that the part of each takes several bands");
      return;
    }
  set_unified (c->unified);
  expected = graph_render (whole, NULL, "Y float");
  set_budget (0.9);
  graph_forget ();
  got = graph_render (parts, NULL, "Y float");
  error = graph_error (parts);
  g_assert_cmpstr (error, ==, "");
  g_assert_cmpmem (got, BYTES, expected, BYTES);
  g_assert_cmpint (g_atomic_int_get (&source->timeouts), ==, 0);
  g_assert_cmpuint (graph_count ("download"), >=, 4);
  g_assert_cmpuint (graph_bytes ("download"), ==, BYTES); /* each row once */
  g_assert_cmpuint (graph_count ("evict"), ==, 0);
  set_budget (0);
  set_unified (TRUE);
}

/* A downloaded result can be read, written to and processed like any other buffer. */
static void
test_result (void)
{
  g_autofree float *noise = support_noise (COUNT, 0.0, 1.0, 4);
  g_autoptr (GeglBuffer) pixels = graph_buffer ("Y float", &rect, noise);
  float *results[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = graph_source (graph, pixels);

      set_budget (i == 0 ? 0 : 0.9);
      node = graph_node (graph, node, "capra:box-blur", "radius", 2, "device", support_device_name ("0"), NULL);
      node = graph_node (graph, node, "gegl:invert-linear", NULL); /* in place if possible */
      node = graph_node (graph, node, "gegl:translate", "x", 3.0, "y", -70.0, NULL);
      node = graph_node (graph, node, "capra:threshold", "value", 0.5, "device", support_device_name ("0"), NULL);
      results[i] = graph_render (node, NULL, "Y float");
    }
  g_assert_cmpmem (results[1], BYTES, results[0], BYTES);
  g_free (results[0]);
  g_free (results[1]);
  set_budget (0);
}

/* Where even the lowest band is too wide, as it needs many rows of the input, bands are as narrow as necessary. */
static void
test_columns (gconstpointer chain)
{
  enum { W = 1501, H = 97 };
  static const GeglRectangle wide = { -3, 5, W, H };
  const gsize bytes = W * H * sizeof (float);
  g_autofree float *noise = support_noise (W * H, 0.0, 1.0, 6);
  g_autoptr (GeglBuffer) pixels = graph_buffer ("Y float", &wide, noise);
  float *results[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *node = graph_chain (graph_source (graph, pixels), chain, "0");
      g_autofree char *error = NULL;

      set_budget (i == 0 ? 0 : 500000.0 / BYTES);
      graph_forget ();
      results[i] = graph_render (node, NULL, "Y float");
      error = graph_error (node);
      g_assert_cmpstr (error, ==, "");
      if (i == 1)
        g_assert_cmpuint (graph_count ("download"), >, (H + 7) / 8);
    }
  g_assert_cmpmem (results[1], bytes, results[0], bytes);
  g_free (results[0]);
  g_free (results[1]);
  set_budget (0);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/operations-bands/overlap/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_overlap);
    }
  g_test_add_func ("/operations-bands/result", test_result);
  g_test_add_data_func ("/operations-bands/columns/gaussian", "capra:gaussian-blur std-dev-x=10 std-dev-y=10",
                        test_columns);
  g_test_add_data_func ("/operations-bands/columns/box", "capra:box-blur radius=30", test_columns);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
