/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations rendered in random chunks and on all devices: the same bytes as rendered at once, in usual formats. */
#include <math.h>
#include <string.h>

#include "tests/support/graph.h"
#include "tests/support/operations.h"

/* Wider or higher chunks are always divided, smaller ones sometimes. */
#define MOST 200

static const GeglRectangle rect = { -5, 3, 461, 379 };

static const struct {
  const char *name;
  double most; /* the largest value */
} formats[] = {
  { "Y' u8", 255 },
  { "R'G'B'A u8", 255 },
  { "Y' u16", 65535 },
  { "RGBA float", 1 },
};

/* Sizes of matrices that are too long for the table: a direct and a Fourier convolution. */
static const struct {
  gint columns, rows;
} matrices[] = { { 11, 10 }, { 31, 31 } };

/* A chain with a matrix of noise. Free with g_free(). */
static char *
make_convolution (gint columns, gint rows)
{
  g_autofree float *noise = support_noise ((gsize) (columns * rows), 0.5, 1.5, 9);
  GString *text = g_string_new ("capra:convolve divisor=0 matrix=\"");

  for (gint i = 0; i < columns * rows; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", noise[i]));
      g_string_append_c (text, (i + 1) % columns == 0 ? ';' : ' ');
    }
  return g_string_free (g_string_append_c (text, '"'), FALSE);
}

/* Noise up to @most; @spoilt: with some values that are not finite. */
static GeglBuffer *
make_image (const char *format, double most, gboolean spoilt)
{
  static const float spoilers[] = { NAN, INFINITY, -INFINITY };
  const Babl *babl = babl_format (format);
  gsize count = (gsize) rect.width * (gsize) rect.height * (gsize) babl_format_get_n_components (babl);
  gint bytes = babl_format_get_bytes_per_pixel (babl) / babl_format_get_n_components (babl);
  g_autofree float *noise = support_noise (count, 0.0, bytes == 4 ? most : most + 1, 7);
  g_autofree guint8 *values = g_malloc (count * sizeof (float));

  for (gsize i = 0; i < count; i++)
    if (bytes == 1)
      values[i] = (guint8) noise[i];
    else if (bytes == 2)
      ((guint16 *) values)[i] = (guint16) noise[i];
    else
      ((float *) values)[i] = spoilt && g_random_int_range (0, 20000) == 0 ? spoilers[g_random_int_range (0, 3)]
                                                                           : noise[i];
  return graph_buffer (format, &rect, values);
}

/* Renders @part of @node into @buffer, chunk by chunk. */
static void
render_chunks (GeglNode *node, GeglBuffer *buffer, GeglRectangle part)
{
  gboolean large = part.width > MOST || part.height > MOST, wide = part.width > part.height;
  gint length = wide ? part.width : part.height;
  GeglRectangle rest = part;

  if (length < 2 || (!large && g_random_int_range (0, 4) > 0))
    {
      gegl_node_blit_buffer (node, buffer, &part, 0, GEGL_ABYSS_NONE);
      return;
    }
  if (wide)
    {
      part.width = g_random_int_range (1, length);
      rest.x += part.width;
      rest.width -= part.width;
    }
  else
    {
      part.height = g_random_int_range (1, length);
      rest.y += part.height;
      rest.height -= part.height;
    }
  render_chunks (node, buffer, rest);
  render_chunks (node, buffer, part);
}

static gboolean
is_same (const Babl *format, const guint8 *a, const guint8 *b, gsize i, gsize bytes)
{
  return memcmp (a + i * bytes, b + i * bytes, bytes) == 0
         || (babl_format_get_type (format, 0) == babl_type ("float") && isnan (((const float *) a)[i])
             && isnan (((const float *) b)[i]));
}

/* Compares the bytes of @area in both; any NaN equals any other. */
static void
compare (GeglBuffer *whole, GeglBuffer *parts, const GeglRectangle *area, const char *what)
{
  const Babl *format = gegl_buffer_get_format (whole);
  gsize components = (gsize) babl_format_get_n_components (format);
  gsize bytes = (gsize) babl_format_get_bytes_per_pixel (format) / components;
  gsize count = (gsize) area->width * (gsize) area->height * components, differ = 0;
  g_autofree guint8 *a = g_malloc (count * bytes), *b = g_malloc (count * bytes);

  gegl_buffer_get (whole, area, 1.0, format, a, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  gegl_buffer_get (parts, area, 1.0, format, b, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < count; i++)
    differ += !is_same (format, a, b, i, bytes);
  if (differ > 0)
    {
      g_test_message ("%s, %s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " values differ", babl_get_name (format), what,
                      differ, count);
      g_test_fail ();
    }
}

/* Rendered at once on one device, in chunks on it, and at once on all devices. */
static void
check (const char *chain, const char *format, double most, gboolean spoilt)
{
  g_autoptr (GeglBuffer) image = make_image (format, most, spoilt);
  g_autoptr (GeglBuffer) whole = graph_buffer (format, &rect, NULL);
  g_autoptr (GeglBuffer) chunks = graph_buffer (format, &rect, NULL);
  g_autoptr (GeglBuffer) all = graph_buffer (format, &rect, NULL);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *one = graph_chain (graph_source (graph, image), chain, "0");
  GeglNode *many = graph_chain (graph_source (graph, image), chain, "all");
  g_autofree char *error = NULL;

  gegl_node_blit_buffer (one, whole, &rect, 0, GEGL_ABYSS_NONE);
  render_chunks (one, chunks, rect);
  gegl_node_blit_buffer (many, all, &rect, 0, GEGL_ABYSS_NONE);
  error = graph_error (one);
  g_assert_cmpstr (error, ==, "");
  compare (whole, chunks, &rect, spoilt ? "not finite, in chunks" : "in chunks");
  if (support_devices_equal ())
    compare (whole, all, &rect, spoilt ? "not finite, on all devices" : "on all devices");
}

static void
test_case (gconstpointer data)
{
  guint step = support_step (G_N_ELEMENTS (formats));

  g_random_set_seed (17);
  for (guint i = g_str_hash (data) % step; i < G_N_ELEMENTS (formats); i += step)
    check (data, formats[i].name, formats[i].most, FALSE);
  check (data, "RGBA float", 1, TRUE);
}

/* The values of @a and @b are equal except for rounding. */
static void
compare_close (GeglBuffer *a, const GeglRectangle *area, const float *b)
{
  gsize count = (gsize) area->width * (gsize) area->height * 4;
  g_autofree float *values = g_new (float, count);

  gegl_buffer_get (a, area, 1.0, babl_format ("RGBA float"), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < count; i++)
    g_assert_cmpfloat_with_epsilon (values[i], b[i], 2e-5);
}

/* An unbounded input: the result in chunks equals the result rendered at once, and that of a crop large enough that no
 * result depends on its borders. */
static void
test_unbounded (gconstpointer data)
{
  g_autoptr (GeglBuffer) whole = graph_buffer ("RGBA float", &rect, NULL);
  g_autoptr (GeglBuffer) chunks = graph_buffer ("RGBA float", &rect, NULL);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *checks = graph_node (graph, NULL, "gegl:checkerboard", "x", 7, "y", 5, NULL);
  GeglNode *enough = graph_node (graph, checks, "gegl:crop", "x", -300.0, "y", -300.0, "width", 1100.0, "height",
                                 1000.0, NULL);
  GeglNode *node = graph_chain (checks, data, "0");
  g_autofree float *expected = graph_render (graph_chain (enough, data, "0"), &rect, "RGBA float");
  g_autofree char *error = NULL;

  g_random_set_seed (17);
  gegl_node_blit_buffer (node, whole, &rect, 0, GEGL_ABYSS_NONE);
  render_chunks (node, chunks, rect);
  error = graph_error (node);
  g_assert_cmpstr (error, ==, "");
  compare (whole, chunks, &rect, "unbounded, in chunks");
  compare_close (whole, &rect, expected);
}

/* One test for each chain that outputs pixels, and one more if all its operations are area filters. */
static void
add_tests (const char *chain)
{
  g_autofree char *path = operations_test_path ("/operations-whole/", chain);
  g_autofree char *unbounded = operations_test_path ("/operations-whole/unbounded/", chain);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = graph_node (graph, NULL, "gegl:checkerboard", NULL), *last = graph_chain (source, chain, "");
  GType filter = g_type_from_name ("CapraAreaFilter");

  if (gegl_node_has_pad (last, "output"))
    g_test_add_data_func (path, chain, test_case);
  while (gegl_node_get_producer (last, "input", NULL)
         && g_type_is_a (G_OBJECT_TYPE (gegl_node_get_gegl_operation (last)), filter))
    last = gegl_node_get_producer (last, "input", NULL);
  if (g_str_equal (gegl_node_get_operation (last), "gegl:nop"))
    g_test_add_data_func (unbounded, chain, test_unbounded);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) chains = NULL;
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  chains = operations_get_chains ();
  for (guint i = 0; i < chains->len; i++)
    add_tests (chains->pdata[i]);
  for (guint i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_autofree char *path = g_strdup_printf ("/operations-whole/matrix-%dx%d", matrices[i].columns, matrices[i].rows);

      g_test_add_data_func_full (path, make_convolution (matrices[i].columns, matrices[i].rows), test_case, g_free);
    }
  status = g_test_run ();
  gegl_exit ();
  return status;
}
