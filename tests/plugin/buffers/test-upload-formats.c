/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same pixels interpreted in several formats: an upload for one format is not used for another. */
#include "tests/support/graph.h"

#include <math.h>

#define WIDTH 201
#define HEIGHT 143
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle rect = { -13, 27, WIDTH, HEIGHT };

/* Two formats with the same number of bytes. */
static const struct {
  const char *first, *second;
} cases[] = {
  { "Y u8", "Y' u8" },
  { "RGBA u8", "R'G'B'A u8" },
  { "Y u16", "Y' u16" },
  { "RGBA u16", "R'G'B'A u16" },
  { "Y half", "Y' half" },
  { "RGB half", "R'G'B' half" },
  { "RGBA half", "R'G'B'A half" },
  { "RGBA half", "RaGaBaA half" },
  { "Y float", "Y' float" },
  { "RGBA float", "R'G'B'A float" },
  { "Y u32", "Y' u32" },
  { "RGBA u32", "R'G'B'A u32" },
  { "YA u32", "R'G'B'A u16" },
  { "Y double", "Y' double" },
  { "RGBA double", "R'G'B'A double" },
};

/* Checks that an operation of Capra reads the same pixels from @buffer as babl. */
static void
assert_pixels (GeglBuffer *buffer, const char *name)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, buffer), "capra:box-blur", "radius", 0, NULL);
  g_autofree float *expected = g_new (float, 4 * COUNT), *got = NULL;
  g_autofree double *reference = g_new (double, 4 * COUNT);

  gegl_buffer_get (buffer, &rect, 1.0, babl_format ("RGBA float"), expected, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  got = graph_render (node, &rect, "RGBA float");
  for (gint i = 0; i < 4 * COUNT; i++)
    reference[i] = expected[i];
  support_assert_close (got, reference, 4 * COUNT, 2e-5, name);
}

static GeglBuffer *
new_buffer (const char *format)
{
  g_autofree float *values = support_noise (4 * COUNT, 0.1, 0.9, 5);
  GeglBuffer *buffer = gegl_buffer_new (&rect, babl_format (format));

  gegl_buffer_set (buffer, &rect, 0, babl_format ("RGBA float"), values, GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

/* A buffer whose format is changed and then restored. */
static void
test_set_format (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  g_autoptr (GeglBuffer) buffer = new_buffer (cases[number].first);

  for (guint i = 0; i < 4; i++)
    {
      const char *name = i % 2 ? cases[number].second : cases[number].first;

      g_assert_nonnull (gegl_buffer_set_format (buffer, babl_format (name)));
      assert_pixels (buffer, name);
    }
}

/* Two buffers that share their pixels. */
static void
test_two_buffers (gconstpointer data)
{
  guint number = GPOINTER_TO_UINT (data);
  g_autoptr (GeglBuffer) buffer = new_buffer (cases[number].first);
  g_autoptr (GeglBuffer) twin = gegl_buffer_create_sub_buffer (buffer, NULL);

  g_assert_nonnull (gegl_buffer_set_format (twin, babl_format (cases[number].second)));
  for (guint i = 0; i < 4; i++)
    assert_pixels (i % 2 ? twin : buffer, i % 2 ? cases[number].second : cases[number].first);
}

/* Each format is uploaded once, and both uploads stay on the device. */
static void
test_uploads (void)
{
  g_autoptr (GeglBuffer) buffer = new_buffer ("RGBA half");
  g_autoptr (GeglBuffer) twin = gegl_buffer_create_sub_buffer (buffer, NULL);

  gegl_buffer_set_format (twin, babl_format ("R'G'B'A half"));
  graph_forget ();
  for (guint i = 0; i < 6; i++)
    assert_pixels (i % 2 ? twin : buffer, "half");
  g_assert_cmpuint (graph_count ("upload"), ==, 2);
}

/* A resident result that is read in another format of the same size. */
static void
test_resident (gconstpointer data)
{
  const char *format = data;
  g_autoptr (GeglBuffer) source = new_buffer ("YA float");
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_node (graph, graph_source (graph, source), "capra:box-blur", "radius", 0, NULL);
  g_autoptr (GeglBuffer) result = NULL;
  GeglNode *sink = graph_node (graph, node, "gegl:buffer-sink", "buffer", &result, NULL);

  gegl_node_blit (sink, 1.0, &rect, NULL, NULL, 0, GEGL_BLIT_DEFAULT);
  g_assert_nonnull (gegl_buffer_set_format (result, babl_format (format)));
  assert_pixels (result, format);
}

int
main (int argc, char *argv[])
{
  static const char *const seen[] = { "YA float", "Y'A float", "R'G'B'A u16", "RGBA u16", "YA u32" };
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = g_strdelimit (g_strconcat (cases[i].first, "-", cases[i].second, NULL), " '", '_');
      g_autofree char *one = g_strconcat ("/upload-formats/set-format/", name, NULL);
      g_autofree char *two = g_strconcat ("/upload-formats/two-buffers/", name, NULL);

      g_test_add_data_func (one, GUINT_TO_POINTER (i), test_set_format);
      g_test_add_data_func (two, GUINT_TO_POINTER (i), test_two_buffers);
    }
  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    {
      g_autofree char *name = g_strdelimit (g_strdup (seen[i]), " '", '_');
      g_autofree char *path = g_strconcat ("/upload-formats/resident/", name, NULL);

      g_test_add_data_func (path, seen[i], test_resident);
    }
  g_test_add_func ("/upload-formats/uploads", test_uploads);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
