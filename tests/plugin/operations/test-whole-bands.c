/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations that need the whole image, under a budget of a twentieth of it: the same results as without a limit. */
#include <math.h>
#include <string.h>

#include <gegl-plugin.h>

#include "tests/support/graph.h"

/* Heights that leave a band of one row for bands of 8, 10 and 16 rows, among others. */
enum { WIDTH = 2053, HEIGHT = 1521, COUNT = WIDTH * HEIGHT, BYTES = COUNT * sizeof (float) };

static const GeglRectangle rect = { -31, 17, WIDTH, HEIGHT };

/* Sets the budget of all devices; 0 for the default. */
static void
set_budget (guint64 bytes)
{
  for (guint i = 0; i < support_devices ()->len; i++)
    {
      capra_memory_free_unused (support_device (i));
      capra_memory_trim (support_device (i));
      capra_memory_set_budget (support_device (i), bytes);
    }
}

/* What a chain has computed: the pixels, the table, and the results of its last operation. */
typedef struct {
  guint8 *pixels;
  gsize bytes;
  char *table;
  GArray *results; /* of double */
} Result;

static void
result_clear (Result *result)
{
  g_free (result->pixels);
  g_free (result->table);
  g_clear_pointer (&result->results, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static GArray *
read_results (GeglNode *node)
{
  guint n = 0;
  g_autofree GParamSpec **specs = gegl_operation_list_properties (gegl_node_get_operation (node), &n);
  GArray *results = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n; i++)
    if (!(specs[i]->flags & G_PARAM_WRITABLE) && (G_IS_PARAM_SPEC_DOUBLE (specs[i]) || G_IS_PARAM_SPEC_INT (specs[i])))
      {
        g_auto (GValue) value = G_VALUE_INIT;
        double number = 0.0;

        g_value_init (&value, G_TYPE_DOUBLE);
        gegl_node_get_property (node, specs[i]->name, &value);
        number = g_value_get_double (&value);
        g_array_append_val (results, number);
      }
  return results;
}

static Result
run (GeglBuffer *buffer, const char *chain, const char *format, const char *device)
{
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *source = graph_source (graph, buffer), *node = graph_chain (source, chain, device);
  g_autofree char *error = NULL;
  GString *table = g_string_new (NULL);
  Result result = { .bytes = (gsize) COUNT * (gsize) babl_format_get_bytes_per_pixel (babl_format (format)) };

  if (gegl_node_has_pad (node, "aux"))
    gegl_node_connect (source, "output", node, "aux");
  g_object_set_data (G_OBJECT (graph), "capra:table-text", table);
  result.pixels = graph_render (node, NULL, format);
  g_object_set_data (G_OBJECT (graph), "capra:table-text", NULL);
  error = graph_error (node);
  g_assert_cmpstr (error, ==, "");
  result.table = g_string_free (table, FALSE);
  result.results = read_results (node);
  return result;
}

/* Numbers that are equal, but for their last digits with @tolerance. */
static void
assert_results (const Result *got, const Result *wanted, double tolerance)
{
  g_assert_cmpuint (got->results->len, ==, wanted->results->len);
  for (guint i = 0; i < got->results->len; i++)
    {
      double a = g_array_index (got->results, double, i), b = g_array_index (wanted->results, double, i);

      if (!(a == b || (isnan (a) && isnan (b)) || fabs (a - b) <= tolerance * MAX (fabs (b), 1.0)))
        g_error ("result %u: %.17g in bands, %.17g at once", i, a, b);
    }
}

typedef enum {
  IMAGE_NOISE,  /* with NaN and infinities */
  IMAGE_WHOLE,  /* whole numbers up to 4095 */
  IMAGE_SKY,    /* a background of little noise, and bright spots */
  IMAGE_SPECKS, /* regions of all shapes */
  IMAGE_SPIRAL, /* a line that winds through all rows, broken by a few NaN */
  IMAGE_COMB,   /* teeth over the whole height, joined in the last row, and dots between them */
} Image;

static gboolean
is_in_spiral (gint x, gint y)
{
  gint ring = MIN (MIN (x, WIDTH - 1 - x), MIN (y, HEIGHT - 1 - y));

  /* Rings are open below their upper left corner, where each leads into the next one. */
  if (x == ring && y == ring + 1 && ring % 2 == 0)
    return FALSE;
  return ring % 2 == 0 || (x == ring && y == ring + 1);
}

/* The value of a pixel of an image of regions. */
static double
region_value (Image image, gint x, gint y, double noise)
{
  switch (image)
    {
    case IMAGE_SPIRAL: return is_in_spiral (x, y) ? 0.5 + noise : 0;
    case IMAGE_COMB: return x % 4 == 0 || y == HEIGHT - 1 || (x % 4 == 2 && y % 3 == 0) ? 0.5 + noise : -noise;
    default: return noise - (x / 300 % 2 == 0 ? 0.6 : 0.41);
    }
}

/* An image with another average in each row, so that no band is like the whole. */
static GeglBuffer *
make_image (Image image, gboolean alpha)
{
  static float *noise; /* of all images */
  g_autofree float *values = g_new (float, 2 * COUNT);

  if (!noise)
    noise = support_noise (COUNT, 0.0, 1.0, 11);
  for (gsize i = 0; i < COUNT; i++)
    {
      double value = noise[i] * (0.3 + 0.7 * (double) i / COUNT);

      if (image >= IMAGE_SPECKS)
        value = i % 20011 == 0 ? NAN : region_value (image, (gint) (i % WIDTH), (gint) (i / WIDTH), noise[i]);
      else if (image == IMAGE_NOISE && i % 20011 == 0)
        value = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
      else if (image == IMAGE_WHOLE)
        value = floor (4096 * value);
      else if (image == IMAGE_SKY)
        value = noise[i] > 0.99 ? 1000 * value : 100 + value;
      values[alpha ? 2 * i : i] = (float) value;
      if (alpha)
        values[2 * i + 1] = noise[COUNT - 1 - i];
    }
  return graph_buffer (alpha ? "YA float" : "Y float", &rect, values);
}

typedef struct {
  const char *name, *chain, *format;
  Image image;
  gboolean alpha;
  double tolerance; /* of numbers that depend on the order of additions, relative to them */
} Case;

static const Case cases[] = {
  { "otsu", "capra:threshold method=otsu", "Y float", IMAGE_NOISE },
  { "otsu-alpha", "capra:threshold method=otsu", "YA float", IMAGE_NOISE, TRUE },
  { "mean", "capra:threshold method=mean", "Y float", IMAGE_NOISE, FALSE, 1e-12 },
  { "triangle", "capra:threshold method=triangle", "Y float", IMAGE_NOISE },
  { "li", "capra:threshold method=li", "Y float", IMAGE_NOISE, FALSE, 1e-12 },
  { "li-levels", "capra:threshold method=li", "Y float", IMAGE_WHOLE, FALSE, 1e-12 },
  { "yen", "capra:threshold method=yen", "Y float", IMAGE_NOISE },
  { "isodata", "capra:threshold method=isodata", "Y float", IMAGE_NOISE },
  { "otsu-whole", "capra:threshold method=otsu bins=whole", "Y float", IMAGE_WHOLE },
  { "li-whole", "capra:threshold method=li bins=whole", "Y float", IMAGE_WHOLE },
  { "fractions-whole", "capra:threshold method=yen bins=whole", "Y float", IMAGE_NOISE },
  { "kappa-sigma", "capra:threshold method=kappa-sigma", "Y float", IMAGE_SKY, FALSE, 1e-9 },
  { "kappa-sigma-alpha", "capra:threshold method=kappa-sigma kappa=2", "YA float", IMAGE_SKY, TRUE, 1e-9 },
  { "kappa-sigma-chain", "capra:box-blur radius=2 capra:threshold method=kappa-sigma capra:box-blur radius=1",
    "Y float", IMAGE_SKY, FALSE, 1e-9 },
  { "label-8", "capra:label rendering=numbers", "Y' u32", IMAGE_SPECKS },
  { "label-4", "capra:label rendering=numbers connectivity=4", "Y' u32", IMAGE_SPECKS },
  { "label-size", "capra:label rendering=numbers connectivity=4 min-size=3 max-size=60", "Y' u32", IMAGE_SPECKS },
  { "label-edges", "capra:label rendering=numbers exclude-edges=true", "Y' u32", IMAGE_SPECKS },
  { "label-spiral-8", "capra:label rendering=numbers", "Y' u32", IMAGE_SPIRAL },
  { "label-spiral-4", "capra:label rendering=numbers connectivity=4 min-size=2", "Y' u32", IMAGE_SPIRAL },
  { "label-comb-8", "capra:label rendering=numbers", "Y' u32", IMAGE_COMB },
  { "label-comb-edges", "capra:label rendering=numbers connectivity=4 exclude-edges=true", "Y' u32", IMAGE_COMB },
  { "label-colors", "capra:label rendering=colors", "R'G'B'A u8", IMAGE_SPECKS },
  { "label-threshold", "capra:threshold method=otsu capra:label rendering=colors min-size=30 capra:measure",
    "R'G'B'A u8", IMAGE_NOISE },
  { "measure", "capra:label rendering=numbers min-size=30 capra:measure", "Y' u32", IMAGE_SPECKS },
  { "measure-comb", "capra:label rendering=numbers min-size=2 capra:measure sort=brightness", "Y' u32", IMAGE_COMB },
  { "measure-spiral", "capra:label rendering=numbers connectivity=4 capra:measure", "Y' u32", IMAGE_SPIRAL },
  { "measure-whole", "capra:measure", "Y float", IMAGE_WHOLE },
  { "statistics", "capra:statistics", "Y float", IMAGE_WHOLE, FALSE, 1e-12 },
  { "statistics-infinite", "capra:statistics", "YA float", IMAGE_NOISE, TRUE, 1e-12 },
};

static void
assert_same (const Case *c, const Result *got, const Result *wanted)
{
  g_assert_cmpmem (got->pixels, got->bytes, wanted->pixels, wanted->bytes);
  assert_results (got, wanted, c->tolerance);
  if (c->tolerance == 0)
    g_assert_cmpstr (got->table, ==, wanted->table);
}

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GeglBuffer) buffer = make_image (c->image, c->alpha);
  g_auto (Result) wanted = run (buffer, c->chain, c->format, "0");

  for (guint d = (guint) (c - cases) % support_step (2); d < 2; d += support_step (2))
    {
      g_autofree char *device = g_strdup_printf ("%u", d);
      g_auto (Result) got = { NULL };

      if (d == 1 && !support_devices_equal ())
        {
          result_clear (&wanted);
          wanted = run (buffer, c->chain, c->format, device);
        }
      set_budget (BYTES / 20);
      got = run (buffer, c->chain, c->format, device);
      set_budget (0);
      assert_same (c, &got, &wanted);
    }
}

/* Cases that two devices compute together, with or without the budget. The first four runs of an operation on the
 * devices of a list split the image; later ones may find that one device is faster alone. */
static const struct {
  const char *name, *devices;
  gboolean budget;
} shared[] = {
  { "otsu-alpha", "0,1" },
  { "li-levels", "0,1" },
  { "li-whole", "0,1" },
  { "kappa-sigma-alpha", "0,1" },
  { "mean", "1,0" },
  { "fractions-whole", "1,0" },
  { "yen", "1,0", TRUE },
  { "label-4", "0,1" },
  { "label-size", "0,1" },
  { "label-edges", "0,1" },
  { "label-spiral-8", "0,1" },
  { "label-comb-8", "1,0" },
  { "label-colors", "1,0" },
  { "label-threshold", "1,0" },
  { "measure", "1,0", TRUE },
  { "measure-whole", "0,1" },
  { "measure-spiral", "0,1" },
  { "statistics", "0,1" },
  { "statistics-infinite", "1,0" },
};

static const Case *
find_case (const char *name)
{
  guint i = 0;

  while (!g_str_equal (cases[i].name, name))
    i++;
  return &cases[i];
}

static void
test_shared (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  const Case *c = find_case (shared[i].name);
  g_autoptr (GeglBuffer) buffer = make_image (c->image, c->alpha);
  g_auto (Result) wanted = { NULL }, got = { NULL };

  if (support_skip_alone ())
    return;
  if (!support_devices_equal () && !g_str_equal (c->format, "Y' u32"))
    {
      g_test_skip ("needs two equal devices: the results depend on rounding");
      return;
    }
  wanted = run (buffer, c->chain, c->format, "0");
  set_budget (shared[i].budget ? BYTES / 20 : 0);
  capra_timeline_reset ();
  got = run (buffer, c->chain, c->format, shared[i].devices);
  set_budget (0);
  assert_same (c, &got, &wanted);
  /* Of unlike devices, the slower one may be too slow for a part. */
  for (guint d = 0; d < 2 && support_devices_equal (); d++)
    {
      guint64 kernels = 0, transfers = 0;

      capra_timeline_total (support_device (d), NULL, &kernels, NULL);
      capra_timeline_total (support_device (d), "upload", &transfers, NULL);
      g_assert_cmpuint (transfers, >, 0);
      g_assert_cmpuint (kernels, >, transfers);
    }
}

/* If not even a band fits, the error names the device and the remedy. */
static void
test_no_memory (void)
{
  g_autoptr (GeglBuffer) buffer = make_image (IMAGE_WHOLE, FALSE);
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *node = graph_chain (graph_source (graph, buffer), "capra:threshold method=otsu", "0");
  g_autofree char *error = NULL;

  set_budget (1024);
  g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, "*memory*");
  g_free (graph_render (node, NULL, "Y float"));
  g_test_assert_expected_messages ();
  error = graph_error (node);
  g_assert_true (strstr (error, "memory") != NULL);
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
      g_autofree char *path = g_strconcat ("/whole-bands/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  for (guint i = 0; i < G_N_ELEMENTS (shared); i += support_step (2))
    {
      g_autofree char *path = g_strdup_printf ("/whole-bands/shared/%s", shared[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_shared);
    }
  g_test_add_func ("/whole-bands/no-memory", test_no_memory);
  status = g_test_run ();
  gegl_exit ();
  return status;
}
