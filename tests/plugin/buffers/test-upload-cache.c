/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The upload cache: pixels of a host buffer are uploaded once for all operations, until they are written to. */
#include "tests/support/graph.h"

#include <gegl-buffer-backend.h>
#include <math.h>
#include <string.h>

#define WIDTH 301
#define HEIGHT 203
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { -13, 27, WIDTH, HEIGHT };

/* Blobs on a slope, in a format that may have alpha. */
static GeglBuffer *
sample (const char *format)
{
  g_autofree float *noise = support_noise (4 * COUNT, 0.0, 0.1, 5), *values = g_new (float, 4 * COUNT);
  g_autoptr (GeglBuffer) buffer = gegl_buffer_new (&rect, babl_format (format));

  for (gint i = 0; i < COUNT; i++)
    {
      gint x = i % WIDTH, y = i / WIDTH;
      float blob = (float) pow (fabs (sin (x / 17.0) * sin (y / 13.0)), 3.0);

      for (gint c = 0; c < 3; c++)
        values[4 * i + c] = 0.05f + 0.2f * x / WIDTH + 0.6f * blob / (c + 1) + noise[4 * i + c];
      values[4 * i + 3] = 0.5f + 5.0f * noise[4 * i + 3];
    }
  gegl_buffer_set (buffer, NULL, 0, babl_format ("RGBA float"), values, GEGL_AUTO_ROWSTRIDE);
  return g_steal_pointer (&buffer);
}

/* The buffer's pixels, converted by babl. */
static float *
host_pixels (GeglBuffer *buffer, const char *format, guint channels)
{
  float *values = g_new (float, COUNT * channels);

  gegl_buffer_get (buffer, &rect, 1.0, babl_format (format), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return values;
}

/* Frees @graph and @buffer, and checks that no memory stays allocated on the devices. */
static void
clear (GeglNode *graph, GeglBuffer *buffer)
{
  g_object_unref (graph);
  g_object_unref (buffer);
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      CapraMemory memory;
      gint64 end = g_get_monotonic_time () + SUPPORT_TIMEOUT;

      do
        capra_memory_query (support_device (i), &memory);
      while (memory.bytes[CAPRA_MEMORY_RESIDENT] + memory.bytes[CAPRA_MEMORY_ARRAYS] > 0
             && g_get_monotonic_time () < end && (g_usleep (1000), TRUE));
      g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_RESIDENT], ==, 0);
      g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_ARRAYS], ==, 0);
    }
}

/* A chain from an image to the table of its regions. */
static void
check_chain (const char *format, const char *device)
{
  GeglBuffer *buffer = sample (format);
  GeglNode *graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *first = graph_node (graph, source, "capra:statistics", "device", support_device_name (device), NULL);
  GeglNode *mask = graph_node (graph, first, "capra:threshold", "method", 1, "device", support_device_name (device),
                               NULL);
  GeglNode *second = graph_node (graph, mask, "capra:statistics", "device", support_device_name (device), NULL);
  GeglNode *label = graph_node (graph, second, "capra:label", "rendering", 1, "device", support_device_name (device),
                                NULL);
  GeglNode *measure = graph_node (graph, label, "capra:measure", "device", support_device_name (device), NULL);
  g_autofree float *luminance = host_pixels (buffer, "Y float", 1);
  g_autofree float *colors = host_pixels (buffer, "RGB float", 3);
  g_autofree guint32 *labels = NULL;
  double sum = 0.0, mean = 0.0, value = 0.0;
  gint count = 0, set = 0, measured = 0;

  gegl_node_connect (source, "output", measure, "aux");
  graph_forget ();
  labels = graph_render (measure, NULL, "Y' u32");
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  g_assert_cmpuint (graph_count ("download"), <=, 1);

  gegl_node_get (first, "mean", &mean, NULL);
  gegl_node_get (mask, "threshold", &value, NULL);
  for (gint i = 0; i < 3 * COUNT; i++)
    sum += colors[i];
  g_assert_cmpfloat_with_epsilon (mean, sum / (3 * COUNT), 1e-5);
  for (gint i = 0; i < COUNT; i++)
    {
      set += labels[i] > 0;
      if (fabs (luminance[i] - value) > 1e-5)
        g_assert_true ((labels[i] > 0) == (luminance[i] > value));
    }
  gegl_node_get (second, "mean", &mean, NULL);
  g_assert_cmpfloat_with_epsilon (mean, (double) set / COUNT, 1e-6);
  gegl_node_get (label, "count", &count, NULL);
  gegl_node_get (measure, "count", &measured, NULL);
  g_assert_cmpint (count, >, 10);
  g_assert_cmpint (measured, ==, count);
  clear (graph, buffer);
}

static void
test_chain (void)
{
  static const char *const formats[] = { "Y' u8",         "Y' u16",      "Y float",       "Y'A u8",        "R'G'B' u8",
                                         "R'G'B'A u8",    "R'G'B'A u16", "RGBA u16",      "R'G'B'A float", "RGBA float",
                                         "RaGaBaA float", "RGBA half",   "R'G'B'A double" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (formats); i++)
    check_chain (formats[i / 2], i % 2 ? "1" : "0");
}

/* Images in color spaces other than sRGB, with other transfer curves and other luminance coefficients. */
static void
test_spaces (void)
{
  static const char *const names[] = { "Adobish", "ProPhoto", "Rec2020", "Apple" };
  static const char *const formats[] = {
    "R'G'B'A u8", "R'G'B' u16", "Y' u8", "RGBA u16", "R'G'B'A float", "RGB float"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names) * G_N_ELEMENTS (formats); i++)
    {
      const Babl *space = babl_space (names[i / G_N_ELEMENTS (formats)]);
      const char *name = formats[i % G_N_ELEMENTS (formats)];
      g_autoptr (GeglBuffer) srgb = sample ("RGBA float");
      GeglBuffer *buffer = gegl_buffer_new (&rect, babl_format_with_space (name, space));
      GeglNode *graph = gegl_node_new ();
      GeglNode *first = graph_node (graph, graph_source (graph, buffer), "capra:statistics", NULL);
      GeglNode *box = graph_node (graph, first, "capra:box-blur", "radius", 0, NULL);
      GeglNode *mask = graph_node (graph, first, "capra:threshold", "value", 0.3, NULL);
      const Babl *linear = babl_format_with_space ("RGBA float", space);
      const Babl *gray = babl_format_with_space ("Y float", space);
      g_autofree float *wanted = g_new (float, 4 * COUNT), *found = g_new (float, 4 * COUNT);
      g_autofree float *luminance = g_new (float, COUNT), *above = NULL;

      gegl_buffer_copy (srgb, NULL, GEGL_ABYSS_NONE, buffer, NULL);
      gegl_buffer_get (buffer, NULL, 1.0, linear, wanted, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      gegl_buffer_get (buffer, NULL, 1.0, gray, luminance, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      graph_forget ();
      gegl_node_blit (box, 1.0, &rect, linear, found, GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
      above = graph_render (mask, NULL, "Y float");
      g_assert_cmpuint (graph_count ("upload"), ==, 1);
      for (gint k = 0; k < 4 * COUNT; k++)
        g_assert_cmpfloat_with_epsilon (found[k], wanted[k], 2e-5);
      for (gint k = 0; k < COUNT; k++)
        if (fabs (luminance[k] - 0.3) > 1e-5)
          g_assert_cmpfloat_with_epsilon (above[k], luminance[k] >= 0.3f, 1e-5); /* babl may convert 1 to 1.00000012 */
      clear (graph, buffer);
    }
}

/* Two consumers read the same pixels in different formats. A third reads a translated part. */
static void
test_consumers (void)
{
  const char *format = "R'G'B'A u8";
  GeglBuffer *buffer = sample (format);
  GeglNode *graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *box = graph_node (graph, source, "capra:box-blur", "radius", 0, NULL);
  GeglNode *mask = graph_node (graph, source, "capra:threshold", "value", 0.3, NULL);
  GeglNode *crop = graph_node (graph, source, "gegl:crop", "x", 10.0, "y", 40.0, "width", 250.0, "height", 300.0, NULL);
  GeglNode *moved = graph_node (graph, crop, "gegl:translate", "x", 1000.0, "y", -7.0, NULL);
  GeglNode *part = graph_node (graph, moved, "capra:box-blur", "radius", 0, "abyss-policy", 0, NULL);
  g_autofree float *wanted = host_pixels (buffer, "RaGaBaA float", 4);
  g_autofree float *luminance = host_pixels (buffer, "Y float", 1);
  g_autofree float *found = NULL, *above = NULL, *parts = NULL;
  GeglRectangle box_rect = gegl_node_get_bounding_box (part);

  graph_forget ();
  found = graph_render (box, NULL, "RaGaBaA float");
  above = graph_render (mask, NULL, "YA float");
  parts = graph_render (part, NULL, "RaGaBaA float");
  g_assert_cmpuint (graph_count ("upload"), ==, 1);
  g_assert_cmpuint (graph_bytes ("upload"), ==, 4 * COUNT);
  for (gint i = 0; i < 4 * COUNT; i++)
    g_assert_cmpfloat_with_epsilon (found[i], wanted[i], 1e-5);
  for (gint i = 0; i < COUNT; i++)
    if (fabs (luminance[i] - 0.3) > 1e-5)
      g_assert_cmpfloat (above[2 * i], ==, luminance[i] >= 0.3f);

  g_assert_cmpint (box_rect.x, ==, 1010);
  g_assert_cmpint (box_rect.y, ==, 33);
  for (gint y = 0; y < box_rect.height; y++)
    for (gint x = 0; x < box_rect.width; x++)
      {
        gint from = (y + 40 - rect.y) * WIDTH + x + 10 - rect.x;
        gboolean inside = y + 40 < rect.y + HEIGHT;

        for (gint c = 0; c < 4; c++)
          g_assert_cmpfloat_with_epsilon (parts[4 * (y * box_rect.width + x) + c], inside ? wanted[4 * from + c] : 0.0f,
                                          1e-5);
      }
  clear (graph, buffer);
}

/* Functions that write to a buffer. Some emit "changed", some emit it on another buffer. */
static void
write_set (GeglBuffer *buffer)
{
  const float value = 0.75f;

  gegl_buffer_set (buffer, GEGL_RECTANGLE (40, 50, 1, 1), 0, babl_format ("Y float"), &value, GEGL_AUTO_ROWSTRIDE);
}

static void
write_part (GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) part = gegl_buffer_create_sub_buffer (buffer, GEGL_RECTANGLE (10, 40, 90, 90));

  write_set (part);
}

static void
write_iterator (GeglBuffer *buffer)
{
  GeglBufferIterator *iterator = gegl_buffer_iterator_new (buffer, GEGL_RECTANGLE (60, 60, 9, 9), 0, NULL,
                                                           GEGL_ACCESS_READWRITE, GEGL_ABYSS_NONE, 1);

  while (gegl_buffer_iterator_next (iterator))
    for (gint i = 0; i < iterator->length; i++)
      ((float *) iterator->items[0].data)[i] += 0.25f;
}

static void
write_copy (GeglBuffer *buffer)
{
  g_autoptr (GeglBuffer) other = sample ("Y float");

  write_iterator (other);
  gegl_buffer_copy (other, NULL, GEGL_ABYSS_NONE, buffer, NULL);
}

static void
write_clear (GeglBuffer *buffer)
{
  gegl_buffer_clear (buffer, GEGL_RECTANGLE (0, 30, 200, 150));
}

static void
write_color (GeglBuffer *buffer)
{
  GeglColor *color = gegl_color_new ("white");

  gegl_buffer_set_color (buffer, GEGL_RECTANGLE (0, 30, 200, 150), color);
  g_object_unref (color);
}

static void
write_tile (GeglBuffer *buffer)
{
  GeglTile *tile = gegl_buffer_get_tile (buffer, 0, 0, 0);

  gegl_tile_lock (tile);
  ((float *) gegl_tile_get_data (tile))[5] += 0.125f;
  gegl_tile_unlock (tile);
  gegl_tile_unref (tile);
}

static void
write_linear (GeglBuffer *buffer)
{
  gint stride = 0;
  float *data = gegl_buffer_linear_open (buffer, NULL, &stride, babl_format ("Y float"));

  data[1000] += 0.5f;
  gegl_buffer_linear_close (buffer, data);
}

static void
write_frozen (GeglBuffer *buffer)
{
  gegl_buffer_freeze_changed (buffer);
  write_set (buffer);
}

static void
assert_shown (GeglBuffer *buffer)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *copy = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 0, NULL);
  g_autofree float *wanted = host_pixels (buffer, "Y float", 1);
  g_autofree float *found = graph_render (copy, NULL, "Y float");

  g_assert_cmpmem (found, COUNT * sizeof (float), wanted, COUNT * sizeof (float));
}

static void
test_written (void)
{
  void (*const ways[]) (GeglBuffer *) = { write_set,   write_part, write_iterator, write_copy,  write_clear,
                                          write_color, write_tile, write_linear,   write_frozen };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      GeglBuffer *buffer = sample ("Y float");
      g_autoptr (GeglBuffer) twin = NULL;

      graph_forget ();
      assert_shown (buffer);
      assert_shown (buffer);
      g_assert_cmpuint (graph_count ("upload"), ==, 1);
      twin = gegl_buffer_dup (buffer);
      ways[i](buffer);
      assert_shown (buffer);
      assert_shown (twin);
      g_clear_object (&twin);
      clear (gegl_node_new (), buffer);
    }
}

/* Memory of the caller, which it writes to without using GEGL. */
static void
test_foreign_memory (void)
{
  const GeglRectangle size = { 0, 0, 128, 128 };
  g_autofree float *values = support_noise (128 * 128, 0.0, 1.0, 4);
  GeglBuffer *buffer = gegl_buffer_linear_new_from_data (values, babl_format ("Y float"), &size, 0, NULL, NULL);

  for (gint run = 0; run < 3; run++)
    {
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *copy = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 0, NULL);
      g_autofree float *found = graph_render (copy, NULL, "Y float");

      g_assert_cmpmem (found, sizeof (float) * 128 * 128, values, sizeof (float) * 128 * 128);
      values[run] += 1.0f;
    }
  clear (gegl_node_new (), buffer);
}

/* An operation of GEGL that works in place, between two operations of Capra in one graph. */
static void
test_in_place (void)
{
  GeglBuffer *buffer = sample ("Y float");
  GeglNode *graph = gegl_node_new ();
  GeglNode *first = graph_node (graph, graph_source (graph, buffer), "capra:statistics", NULL);
  GeglNode *invert = graph_node (graph, first, "gegl:invert-linear", NULL);
  GeglNode *second = graph_node (graph, invert, "capra:statistics", NULL);
  GeglNode *again = graph_node (graph, second, "gegl:invert-linear", NULL);
  GeglNode *third = graph_node (graph, again, "capra:box-blur", "radius", 0, NULL);
  g_autofree float *wanted = host_pixels (buffer, "Y float", 1);
  double means[2] = { 0.0, 0.0 };

  for (gint run = 0; run < 2; run++)
    {
      g_autofree float *found = graph_render (third, NULL, "Y float");

      gegl_node_get (first, "mean", &means[0], NULL);
      gegl_node_get (second, "mean", &means[1], NULL);
      g_assert_cmpfloat_with_epsilon (means[0] + means[1], 1.0, 1e-5);
      for (gint i = 0; i < COUNT; i++)
        g_assert_cmpfloat_with_epsilon (found[i], wanted[i], 1e-6);

      /* A change of the input changes the result at the end of the chain. */
      write_set (buffer);
      wanted[(50 - rect.y) * WIDTH + 40 - rect.x] = 0.75f;
    }
  clear (graph, buffer);
}

static void
test_devices (void)
{
  GeglBuffer *buffer = sample ("R'G'B'A u8");
  GeglNode *graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *first = graph_node (graph, source, "capra:statistics", "device", support_device_name ("0"), NULL);
  GeglNode *second = graph_node (graph, first, "capra:statistics", "device", support_device_name ("1"), NULL);
  GeglNode *third = graph_node (graph, second, "capra:box-blur", "radius", 0, "device", support_device_name ("0"),
                                NULL);
  g_autofree float *wanted = host_pixels (buffer, "RaGaBaA float", 4), *found = NULL;
  double a = 0.0, b = 0.0;

  graph_forget ();
  found = graph_render (third, NULL, "RaGaBaA float");
  g_assert_cmpuint (graph_count ("upload"), ==, 2);
  for (gint i = 0; i < 4 * COUNT; i++)
    g_assert_cmpfloat_with_epsilon (found[i], wanted[i], 1e-5);
  gegl_node_get (first, "mean", &a, NULL);
  gegl_node_get (second, "mean", &b, NULL);
  g_assert_cmpfloat (a, ==, b);
  clear (graph, buffer);
}

/* Cached uploads are evicted if an operation needs the memory. This causes no error. */
static void
test_budget (void)
{
  GeglBuffer *buffer = sample ("Y float");
  GeglNode *graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer);
  GeglNode *first = graph_node (graph, source, "capra:statistics", "device", support_device_name ("0"), NULL);
  GeglNode *blur = graph_node (graph, first, "capra:box-blur", "radius", 0, "device", support_device_name ("0"), NULL);
  g_autofree float *wanted = host_pixels (buffer, "Y float", 1), *found = NULL;
  g_autofree char *error = NULL, *other = NULL;
  CapraMemory memory;

  /* A budget for two images. */
  capra_memory_trim (support_device (0));
  capra_memory_set_budget (support_device (0), 5 * COUNT * sizeof (float) / 2);
  for (gint run = 0; run < 2; run++)
    {
      g_free (g_steal_pointer (&found));
      found = graph_render (blur, NULL, "Y float");
      g_assert_cmpmem (found, COUNT * sizeof (float), wanted, COUNT * sizeof (float));
      gegl_node_set (blur, "abyss-policy", 2, NULL);
    }
  error = graph_error (first);
  other = graph_error (blur);
  g_assert_cmpstr (error, ==, "");
  g_assert_cmpstr (other, ==, "");
  capra_memory_query (support_device (0), &memory);
  g_assert_cmpuint (memory.bytes[CAPRA_MEMORY_RESIDENT], <=, memory.budget);
  clear (graph, buffer);
  capra_memory_set_budget (support_device (0), 0);
}

/* Several threads read one buffer while one writes to it. At the end, all of them read the last write. */
typedef struct {
  GeglBuffer *buffer;
  gint stop, rounds; /* atomic */
} Shared;

static gpointer
read_on (gpointer data)
{
  Shared *shared = data;

  while (!g_atomic_int_get (&shared->stop))
    {
      /* A separate buffer with the same tiles. The other buffer's signals are emitted in another thread, and GEGL does
       * not support that one thread invalidates a graph while another processes it. */
      g_autoptr (GeglBuffer) buffer = gegl_buffer_create_sub_buffer (shared->buffer,
                                                                     gegl_buffer_get_extent (shared->buffer));
      g_autoptr (GeglNode) graph = gegl_node_new ();
      GeglNode *copy = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 0, NULL);

      g_free (graph_render (copy, NULL, "Y float"));
      g_atomic_int_inc (&shared->rounds);
    }
  return NULL;
}

static void
test_threads (void)
{
  Shared shared = { sample ("Y float"), FALSE, 0 };
  GThread *threads[3];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_on, &shared);
  while (g_atomic_int_get (&shared.rounds) < 30)
    {
      write_iterator (shared.buffer);
      g_usleep (500);
    }
  assert_shown (shared.buffer);
  g_atomic_int_set (&shared.stop, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  assert_shown (shared.buffer);
  clear (gegl_node_new (), shared.buffer);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  g_test_add_func ("/upload-cache/chain", test_chain);
  g_test_add_func ("/upload-cache/spaces", test_spaces);
  g_test_add_func ("/upload-cache/consumers", test_consumers);
  g_test_add_func ("/upload-cache/written", test_written);
  g_test_add_func ("/upload-cache/foreign-memory", test_foreign_memory);
  g_test_add_func ("/upload-cache/in-place", test_in_place);
  if (support_devices ()->len > 1)
    g_test_add_func ("/upload-cache/devices", test_devices);
  g_test_add_func ("/upload-cache/budget", test_budget);
  g_test_add_func ("/upload-cache/threads", test_threads);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
