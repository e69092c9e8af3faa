/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a result that a host writes into a layer, against a scalar reference in double precision. */
#include <math.h>
#include <string.h>

#include "ui/panel/preview/histogram-bars.h"
#include "ui/panel/preview/histogram-data.h"
#include "ui/panel/preview/pyramid.h"
#include "ui/pipeline/graph/graph.h"
#include "ui/pipeline/graph/palette.h"

#define WIDTH 37
#define HEIGHT 29
#define COUNT (WIDTH * HEIGHT)

static const GeglRectangle extent = { 0, 0, WIDTH, HEIGHT };

static double
decode (double value)
{
  return value > 0.04045 ? pow ((value + 0.055) / 1.055, 2.4) : value / 12.92;
}

static double
encode (double value)
{
  return value > 0.0031308 ? 1.055 * pow (value, 1.0 / 2.4) - 0.055 : value * 12.92;
}

/* A kind of layer. Values of integers are those of the curve of sRGB, divided by @max. */
typedef struct {
  const char *format;
  int channels; /* without alpha */
  gboolean alpha;
  double max; /* 0 for linear floats */
} Kind;

static const Kind kinds[] = {
  { "R'G'B'A u8", 3, TRUE, 255 }, { "R'G'B' u8", 3, FALSE, 255 }, { "R'G'B' u16", 3, FALSE, 65535 },
  { "Y'A u8", 1, TRUE, 255 },     { "Y' u8", 1, FALSE, 255 },     { "RGBA float", 3, TRUE, 0 },
  { "RGB float", 3, FALSE, 0 },
};

/* Linear RGBA as the layer can store it. */
static void
store (const Kind *kind, double *pixel)
{
  for (int c = 0; c < 3; c++)
    if (kind->max > 0)
      pixel[c] = decode (floor (CLAMP (encode (pixel[c]), 0.0, 1.0) * kind->max + 0.5) / kind->max);
  if (!kind->alpha)
    pixel[3] = 1.0;
  else if (kind->max > 0)
    pixel[3] = floor (CLAMP (pixel[3], 0.0, 1.0) * kind->max + 0.5) / kind->max;
}

/* Pixel @i of a layer; the same value in all channels of a gray one. */
static void
get_layer (const Kind *kind, int i, double *pixel)
{
  for (int c = 0; c < 3; c++)
    pixel[c] = (kind->channels == 1 ? i * 7 % 97 : (i * 7 + c * 31) % 97) / 96.0;
  pixel[3] = i % 11 == 0 ? 0.0 : (i * 5 % 23) / 22.0;
  store (kind, pixel);
}

static double
get_amount (int i)
{
  int x = i % WIDTH;

  return x < 10 ? 0.0 : x > 30 ? 1.0 : (x - 10) * 255 / 20 / 255.0;
}

/* The values, as GEGL converts linear doubles; only storing is rounded. */
static GeglBuffer *
make_layer (const Kind *kind)
{
  GeglBuffer *layer = gegl_buffer_new (&extent, babl_format (kind->format));
  g_autofree double *values = g_new (double, 4 * COUNT);

  for (int i = 0; i < COUNT; i++)
    get_layer (kind, i, values + 4 * i);
  gegl_buffer_set (layer, &extent, 0, babl_format ("RGBA double"), values, GEGL_AUTO_ROWSTRIDE);
  return layer;
}

static GeglBuffer *
make_selection (void)
{
  GeglBuffer *selection = gegl_buffer_new (&extent, babl_format ("Y u8"));
  guint8 values[COUNT];

  for (int i = 0; i < COUNT; i++)
    values[i] = (guint8) (get_amount (i) * 255 + 0.5);
  gegl_buffer_set (selection, &extent, 0, babl_format ("Y u8"), values, GEGL_AUTO_ROWSTRIDE);
  return selection;
}

/* @is: the result as it is stored; becomes the pixel after it was written. */
static void
write_pixel (const Kind *kind, double *is, const double *was, double amount, CapraLayerComponents components)
{
  double alpha = was[3] + (is[3] - was[3]) * amount;

  for (int c = 0; c < 3; c++)
    {
      double color = alpha > 0 ? (was[c] * was[3] * (1 - amount) + is[c] * is[3] * amount) / alpha
                               : was[c] * (1 - amount) + is[c] * amount;

      is[c] = components & (1 << c) ? color : was[c];
    }
  is[3] = components & CAPRA_LAYER_ALPHA ? alpha : was[3];
  store (kind, is);
}

static GPtrArray *
make_steps (const char *operation)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (steps, capra_step_new (operation));
  return steps;
}

static void
set_number (GPtrArray *steps, const char *name, double number)
{
  GParamSpec *property = capra_operation_find_property (capra_step_get_operation (steps->pdata[0]), name);
  g_auto (GValue) value = G_VALUE_INIT, own = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  g_value_init (&own, property->value_type);
  g_assert_true (g_value_transform (&value, &own));
  capra_step_set (steps->pdata[0], property, &own);
}

static double *
render (GeglBuffer *layer, const CapraLayerTarget *target, GPtrArray *steps)
{
  g_autoptr (CapraPyramid) pyramid = NULL;
  g_autoptr (CapraGraph) graph = NULL;
  double *values = g_new (double, 4 * COUNT);
  GeglRectangle bounds;

  capra_layer_target_mark (layer, target);
  pyramid = capra_pyramid_new (layer);
  graph = capra_pyramid_make_graph (pyramid, 0, FALSE);
  capra_graph_update (graph, steps);
  bounds = capra_graph_get_bounds (graph);
  g_assert_true (gegl_rectangle_equal (&bounds, &extent));
  capra_graph_render (graph, &extent, babl_format ("RGBA double"), values, GEGL_AUTO_ROWSTRIDE);
  return values;
}

/* Colors of pixels without alpha cannot be seen. */
static void
assert_close (const Kind *kind, const double *found, const double *expected)
{
  double tolerance = kind->max > 0 ? 1.01 / kind->max : 1e-5;

  g_assert_cmpfloat_with_epsilon (found[3], expected[3], tolerance);
  for (int c = 0; c < 3 && expected[3] > tolerance; c++)
    {
      /* A step of the alpha changes associated colors by its share. */
      double here = kind->alpha && kind->max > 0 ? tolerance * MAX (1.0, 0.5 / expected[3]) : tolerance;

      g_assert_cmpfloat_with_epsilon (kind->max > 0 ? encode (found[c]) : found[c],
                                      kind->max > 0 ? encode (expected[c]) : expected[c], here);
    }
}

static void
compare (const Kind *kind, gboolean selected, CapraLayerComponents components)
{
  g_autoptr (GeglBuffer) layer = make_layer (kind), selection = selected ? make_selection () : NULL;
  CapraLayerTarget target = { .selection = selection, .components = components };
  g_autoptr (GPtrArray) steps = make_steps ("gegl:invert-linear");
  g_autofree double *found = render (layer, &target, steps);

  g_test_message ("%s, selection %d, components %x", kind->format, selected, components);
  for (int i = 0; i < COUNT; i++)
    {
      double was[4], is[4];

      get_layer (kind, i, was);
      for (int c = 0; c < 4; c++)
        is[c] = c < 3 ? 1.0 - was[c] : was[c];
      store (kind, is);
      write_pixel (kind, is, was, selected ? get_amount (i) : 1.0, components);
      assert_close (kind, found + 4 * i, is);
    }
}

static void
test_blend (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      compare (&kinds[i], FALSE, CAPRA_LAYER_ALL);
      compare (&kinds[i], TRUE, CAPRA_LAYER_ALL);
      if (kinds[i].channels == 3)
        compare (&kinds[i], TRUE, CAPRA_LAYER_RED | CAPRA_LAYER_ALPHA);
    }
}

/* The result has half the alpha, and only in a part of the layer. */
static void
test_alpha (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (int locked = 0; locked < 2; locked++)
      {
        const Kind *kind = &kinds[i];
        g_autoptr (GeglBuffer) layer = make_layer (kind), selection = make_selection ();
        CapraLayerTarget target = { .selection = selection,
                                    .components = locked ? CAPRA_LAYER_ALL & ~CAPRA_LAYER_ALPHA : CAPRA_LAYER_ALL };
        g_autoptr (GPtrArray) steps = make_steps ("gegl:opacity");
        g_autofree double *found = NULL;

        set_number (steps, "value", 0.5);
        found = render (layer, &target, steps);
        for (int k = 0; k < COUNT; k++)
          {
            double was[4], is[4];

            get_layer (kind, k, was);
            memcpy (is, was, sizeof is);
            is[3] /= 2;
            store (kind, is);
            write_pixel (kind, is, was, get_amount (k), target.components);
            assert_close (kind, found + 4 * k, is);
          }
      }
}

/* Outside the bounds of the result, the layer becomes transparent, or black if it has no alpha. */
static void
test_bounds (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const Kind *kind = &kinds[i];
      g_autoptr (GeglBuffer) layer = make_layer (kind);
      CapraLayerTarget target = { .components = CAPRA_LAYER_ALL };
      g_autoptr (GPtrArray) steps = make_steps ("gegl:crop");
      g_autofree double *found = NULL;

      set_number (steps, "x", -5);
      set_number (steps, "width", 25);
      set_number (steps, "height", HEIGHT + 10);
      found = render (layer, &target, steps);
      for (int k = 0; k < COUNT; k++)
        {
          double is[4] = { 0, 0, 0, kind->alpha ? 0 : 1 };

          if (k % WIDTH < 20)
            get_layer (kind, k, is);
          assert_close (kind, found + 4 * k, is);
        }
    }
}

static void
test_palette (void)
{
  static guint8 colors[] = { 0, 0, 0, 255, 255, 255, 200, 30, 30 };
  const Babl *format = NULL;
  g_autoptr (GeglBuffer) layer = NULL, selection = gegl_buffer_new (&extent, babl_format ("Y u8"));
  CapraLayerTarget target = { selection, CAPRA_LAYER_ALL, 0, FALSE };
  g_autoptr (GPtrArray) steps = make_steps ("gegl:invert-gamma");
  g_autofree double *found = NULL;
  guint8 indices[COUNT], amounts[COUNT];

  babl_new_palette (NULL, &format, NULL);
  babl_palette_set_palette (format, babl_format ("R'G'B' u8"), colors, 3);
  layer = gegl_buffer_new (&extent, format);
  for (int i = 0; i < COUNT; i++)
    {
      indices[i] = (guint8) (i % 2);
      amounts[i] = (guint8) (i % 3 == 0 ? 0 : i % 3 == 1 ? 10 : 245);
    }
  gegl_buffer_set (layer, &extent, 0, format, indices, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set (selection, &extent, 0, babl_format ("Y u8"), amounts, GEGL_AUTO_ROWSTRIDE);
  found = render (layer, &target, steps);
  for (int i = 0; i < COUNT; i++)
    {
      double old = indices[i], mixed = encode (old + (1 - 2 * old) * amounts[i] / 255.0);

      for (int c = 0; c < 3; c++)
        g_assert_cmpfloat_with_epsilon (found[4 * i + c], mixed > 0.5 ? 1.0 : 0.0, 1e-6);
    }
}

static void
assert_colors (const Babl *format, const guint8 *colors, guint count)
{
  gsize size = (gsize) babl_format_get_bytes_per_pixel (format);

  for (guint i = 0; i < count; i++)
    {
      guint8 pixel[2] = { (guint8) i, 255 }, color[3], back[2];

      babl_process (babl_fish (format, babl_format ("R'G'B' u8")), pixel, color, 1);
      g_assert_cmpmem (color, 3, colors + 3 * i, 3);
      babl_process (babl_fish (babl_format ("R'G'B' u8"), format), color, back, 1);
      g_assert_cmpmem (back, size, pixel, size);
    }
}

/* libgimp replaces the colors of its formats at any time. Those of the copies stay. */
static void
test_kept_palette (void)
{
  static const guint8 colors[] = { 10, 20, 30, 255, 254, 253, 200, 30, 31, 0, 128, 0 };
  static guint8 others[] = { 1, 2, 3, 77, 78, 79 };
  guint8 first[sizeof colors];
  const Babl *formats[2], *kept[2], *again = NULL;

  memcpy (first, colors, sizeof colors);
  g_assert_true (capra_palette_format_keep (babl_format ("Y'A u8")) == babl_format ("Y'A u8"));
  babl_new_palette (NULL, &formats[0], &formats[1]);
  babl_palette_set_palette (formats[0], babl_format ("R'G'B' u8"), first, 4);
  for (int alpha = 0; alpha < 2; alpha++)
    {
      kept[alpha] = capra_palette_format_keep (formats[alpha]);
      g_assert_true (babl_format_is_palette (kept[alpha]));
      g_assert_cmpint (babl_format_has_alpha (kept[alpha]), ==, alpha);
      g_assert_true (capra_palette_format_keep (formats[alpha]) == kept[alpha]);
    }
  babl_palette_set_palette (formats[0], babl_format ("R'G'B' u8"), others, 2);
  for (int alpha = 0; alpha < 2; alpha++)
    {
      assert_colors (formats[alpha], others, 2);
      assert_colors (kept[alpha], colors, 4);
    }
  again = capra_palette_format_keep (formats[0]);
  g_assert_true (again != kept[0]);
  babl_palette_reset (formats[0]);
  assert_colors (again, others, 2);
  assert_colors (kept[0], colors, 4);
}

static void
test_pixel (void)
{
  GeglRectangle one = { 0, 0, 1, 1 };
  g_autoptr (GeglBuffer) pixel = gegl_buffer_new (&one, babl_format ("R'G'B' u8"));
  g_autoptr (GPtrArray) steps = make_steps ("gegl:invert-linear");
  g_autoptr (CapraGraph) graph = capra_graph_new (pixel, 1.0, FALSE);
  CapraLayerTarget target = { .components = CAPRA_LAYER_ALL };
  guint8 values[4];

  capra_graph_set_target (graph, &target);
  capra_graph_update (graph, steps);
  capra_graph_render (graph, &one, babl_format ("R'G'B'A u8"), values, GEGL_AUTO_ROWSTRIDE);
  g_assert_cmpmem (values, 4, "\xff\xff\xff\xff", 4);
}

/* A view at a smaller scale uses the selection at that scale. Here its left half is selected. */
static void
test_reduced (void)
{
  const GeglRectangle left = { 0, 0, 16, HEIGHT }, half = { 0, 0, (WIDTH + 1) / 2, (HEIGHT + 1) / 2 };
  g_autoptr (GeglBuffer) layer = make_layer (&kinds[1]), selection = gegl_buffer_new (&extent, babl_format ("Y u8"));
  g_autoptr (GPtrArray) steps = make_steps ("gegl:invert-gamma");
  CapraLayerTarget target = { .selection = selection, .components = CAPRA_LAYER_ALL };
  g_autoptr (CapraPyramid) pyramid = NULL;
  g_autoptr (CapraGraph) graph = NULL;
  g_autofree guint8 *old = g_malloc (3 * COUNT), *found = g_malloc (3 * COUNT);

  gegl_buffer_set_color_from_pixel (selection, &left, "\xff", babl_format ("Y u8"));
  capra_layer_target_mark (layer, &target);
  pyramid = capra_pyramid_new (layer);
  g_assert_true (capra_pyramid_fill (pyramid, 1, &half, NULL, 0));
  graph = capra_pyramid_make_graph (pyramid, 1, FALSE);
  capra_graph_update (graph, steps);
  capra_graph_render (graph, &half, babl_format ("R'G'B' u8"), found, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_get (capra_pyramid_get_buffer (pyramid, 1), &half, 1.0, babl_format ("R'G'B' u8"), old,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (int i = 0; i < 3 * half.width * half.height; i++)
    g_assert_cmpint (found[i], ==, i / 3 % half.width < 8 ? 255 - old[i] : old[i]);
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer data)
{
  *(CapraHistogramData **) data = capra_histogram_data_compute_finish (result);
}

/* The histogram of the layer after the result was written into it has the layer's levels, and the rest of the layer
 * outside the selection. That of the result itself has the exact values. */
static void
test_histogram (void)
{
  static const guint8 levels[] = { 20, 90, 160, 230 };
  g_autoptr (GeglBuffer) layer = gegl_buffer_new (&extent, babl_format ("R'G'B' u8"));
  g_autoptr (GeglBuffer) selection = gegl_buffer_new (&extent, babl_format ("Y u8"));
  CapraLayerTarget target = { .selection = selection, .components = CAPRA_LAYER_ALL };
  g_autoptr (GPtrArray) steps = make_steps ("gegl:invert-linear");
  g_autoptr (CapraPyramid) pyramid = NULL;
  guint8 values[3 * COUNT], amounts[COUNT];

  for (int i = 0; i < COUNT; i++)
    {
      memset (values + 3 * i, levels[i % 4], 3);
      amounts[i] = i % 3 == 0 ? 255 : 0;
    }
  gegl_buffer_set (layer, &extent, 0, babl_format ("R'G'B' u8"), values, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_set (selection, &extent, 0, babl_format ("Y u8"), amounts, GEGL_AUTO_ROWSTRIDE);
  capra_layer_target_mark (layer, &target);
  pyramid = capra_pyramid_new (layer);
  for (int written = 0; written < 2; written++)
    {
      g_autoptr (CapraHistogramData) data = NULL;
      guint64 expected[CAPRA_HISTOGRAM_BINS] = { 0 };

      capra_histogram_data_compute_async (pyramid, steps, written, "R'G'B' float", on_counted, &data);
      while (!data)
        g_main_context_iteration (NULL, TRUE);
      for (int i = 0; i < COUNT; i++)
        {
          double level = levels[i % 4] / 255.0, value = encode (1.0 - decode (level));

          if (written)
            value = amounts[i] ? floor (value * 255 + 0.5) / 255 : level;
          expected[MIN ((int) (value * CAPRA_HISTOGRAM_BINS), CAPRA_HISTOGRAM_BINS - 1)]++;
        }
      g_assert_cmpuint (data->channels, ==, 3);
      for (int c = 0; c < 3; c++)
        g_assert_cmpmem (data->counts + c * CAPRA_HISTOGRAM_BINS, sizeof expected, expected, sizeof expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gegl_init (NULL, NULL);
  g_test_add_func ("/panel/target/blend", test_blend);
  g_test_add_func ("/panel/target/alpha", test_alpha);
  g_test_add_func ("/panel/target/bounds", test_bounds);
  g_test_add_func ("/panel/target/palette", test_palette);
  g_test_add_func ("/panel/target/kept-palette", test_kept_palette);
  g_test_add_func ("/panel/target/pixel", test_pixel);
  g_test_add_func ("/panel/target/reduced", test_reduced);
  g_test_add_func ("/panel/target/histogram", test_histogram);
  return g_test_run ();
}
