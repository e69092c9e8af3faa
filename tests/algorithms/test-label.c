/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of labels in both variants, against a flood fill, and with more than 2^24 regions. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-label.h"

/* Returns whether a pixel of a mask is set. @random is a random number for the pixel. */
typedef gboolean (*MaskFunc) (gsize x, gsize y, gsize width, gsize height, guint32 random);

static gboolean
mask_noise50 (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return random < 0x80000000u;
}

static gboolean
mask_noise59 (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return random < 0.593 * 4294967296.0;
}

static gboolean
mask_sparse (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return random < 0.02 * 4294967296.0;
}

static gboolean
mask_dense (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return random > 0.1 * 4294967296.0;
}

static gboolean
mask_full (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return TRUE;
}

static gboolean
mask_empty (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return FALSE;
}

static gboolean
mask_checkerboard (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return (x + y) % 2 == 0;
}

static gboolean
mask_blobs (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return sin (x * 0.31) + sin (y * 0.23 + x * 0.05) + sin ((x + y) * 0.11) > 0.4;
}

/* A spiral: long paths of which the ends are merged last. */
static gboolean
mask_spiral (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  gsize ring = MIN (MIN (x, width - 1 - x), MIN (y, height - 1 - y));
  gboolean gate = y == ring + 1 && x == ring;

  return gate ? ring % 4 == 1 : ring % 2 == 0 || (y == ring && x == ring + 1);
}

/* Combs that are joined at the bottom or at the top. */
static gboolean
mask_comb (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return x % 2 == 0 || y == height - 1;
}

static gboolean
mask_comb_top (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return y % 2 == 0 || x == (y % 4 < 2 ? width - 1 : 0);
}

/* Zigzags, which are 8-connected only by diagonals. */
static gboolean
mask_zigzag (gsize x, gsize y, gsize width, gsize height, guint32 random)
{
  return y % 6 == (x % 6 < 3 ? x % 6 : 6 - x % 6);
}

static const struct {
  const char *name;
  MaskFunc func;
} masks[] = {
  { "noise50", mask_noise50 },
  { "noise59", mask_noise59 },
  { "sparse", mask_sparse },
  { "dense", mask_dense },
  { "full", mask_full },
  { "empty", mask_empty },
  { "checkerboard", mask_checkerboard },
  { "blobs", mask_blobs },
  { "spiral", mask_spiral },
  { "comb", mask_comb },
  { "comb-top", mask_comb_top },
  { "zigzag", mask_zigzag },
};

static const SupportSize sizes[] = {
  { 1, 1 },  { 1, 200 }, { 200, 1 },   { 2, 3 },    { 31, 33 },   { 32, 64 },   { 63, 65 },
  { 64, 2 }, { 65, 63 }, { 127, 129 }, { 128, 64 }, { 129, 130 }, { 193, 127 }, { 255, 257 },
};

static guint8 *
make_mask (MaskFunc func, gsize width, gsize height)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (width * 1000 + height);
  guint8 *mask = g_new (guint8, width * height);

  for (gsize i = 0; i < width * height; i++)
    mask[i] = func (i % width, i / width, width, height, g_rand_int (random));
  return mask;
}

/* The pixel R'G'B'A as capra_label_color() returns it. */
static guint32
get_color (const guint8 *pixel)
{
  return (guint32) pixel[3] << 24 | (guint32) pixel[0] << 16 | (guint32) pixel[1] << 8 | pixel[2];
}

/* Labels @input with colors, which must be those of the labels @expected. */
static void
check_colors (CapraArray *input, const CapraLabelOptions *options, const guint32 *expected, guint32 expected_count,
              const char *what)
{
  g_autoptr (GError) error = NULL;
  const CapraShape *shape = capra_array_get_shape (input), *result_shape = NULL;
  CapraLabelOptions with_colors = *options;
  g_autofree guint8 *colors = g_malloc (4 * shape->width * shape->height);
  g_autoptr (CapraArray) result = NULL;
  guint32 count = 0;

  with_colors.colors = TRUE;
  result = capra_label (input, &with_colors, &count, &error);
  g_assert_no_error (error);
  result_shape = capra_array_get_shape (result);
  g_assert_cmpint (result_shape->type, ==, CAPRA_U8);
  g_assert_cmpuint (result_shape->channels, ==, 4);
  capra_array_download (result, colors, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < shape->width * shape->height; i++)
    {
      guint32 color = get_color (colors + 4 * i);

      if (color != capra_label_color (expected[i]))
        g_error ("%s, %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT ", %d-connected: color at %" G_GSIZE_FORMAT
                 ", %" G_GSIZE_FORMAT " is %08x, not %08x",
                 what, shape->width, shape->height, options->connectivity, i % shape->width, i / shape->width, color,
                 capra_label_color (expected[i]));
    }
  g_assert_cmpuint (count, ==, expected_count);
}

/* Labels @input and compares the result with the reference. */
static void
check (CapraArray *input, const CapraLabelOptions *options, const guint32 *expected, guint32 expected_count,
       const char *what)
{
  g_autoptr (GError) error = NULL;
  const CapraShape *shape = capra_array_get_shape (input);
  gsize n = shape->width * shape->height;
  g_autofree guint32 *labels = g_new (guint32, n);
  guint32 count = 0;
  g_autoptr (CapraArray) result = capra_label (input, options, &count, &error);

  g_assert_no_error (error);
  capra_array_download (result, labels, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    if (labels[i] != expected[i])
      g_error ("%s, %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT ", %d-connected: label at %" G_GSIZE_FORMAT
               ", %" G_GSIZE_FORMAT " is %u, not %u",
               what, shape->width, shape->height, options->connectivity, i % shape->width, i / shape->width, labels[i],
               expected[i]);
  g_assert_cmpuint (count, ==, expected_count);
  check_colors (input, options, expected, expected_count, what);
}

static void
check_mask (guint mask_index, gsize width, gsize height, const CapraLabelOptions *options)
{
  g_autofree guint8 *mask = make_mask (masks[mask_index].func, width, height);
  guint32 count = 0;
  g_autofree guint32 *expected = reference_label (mask, width, height, options, &count);

  for (guint device = 0; device < 2; device++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) input = capra_array_new_from_data (
        support_device (device), &CAPRA_SHAPE_2D (width, height, CAPRA_U8), mask, &error);

      g_assert_no_error (error);
      check (input, options, expected, count, masks[mask_index].name);
    }
}

/* The variant is set in the environment. */
static void
use_variant (gconstpointer variant)
{
  support_force_tuning (variant);
}

static void
test_masks (gconstpointer variant)
{
  /* Small blocks are tested with one connectivity only. */
  int least = strstr (variant, "block=32") ? 8 : 4;

  use_variant (variant);
  for (guint m = 0; m < G_N_ELEMENTS (masks); m++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (int connectivity = least; connectivity <= 8; connectivity += 4)
        {
          CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

          options.connectivity = connectivity;
          check_mask (m, sizes[s].width, sizes[s].height, &options);
        }
}

static void
test_filters (gconstpointer variant)
{
  static const CapraLabelOptions filters[] = {
    { 8, 3, 0, FALSE }, { 4, 3, 0, FALSE },  { 8, 0, 20, FALSE }, { 4, 0, 20, FALSE },          { 8, 0, 0, TRUE },
    { 4, 0, 0, TRUE },  { 8, 2, 500, TRUE }, { 4, 2, 500, TRUE }, { 8, G_MAXUINT64, 0, FALSE }, { 4, 0, 1, TRUE },
  };

  use_variant (variant);
  for (guint m = 0; m < G_N_ELEMENTS (masks); m++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s += 2)
      for (guint f = 0; f < G_N_ELEMENTS (filters); f++)
        check_mask (m, sizes[s].width, sizes[s].height, &filters[f]);
}

/* Every type, with values of the foreground and of the background. */
static void
test_types (gconstpointer variant)
{
  static const guint8 u8[] = { 0, 1, 255, 0, 128, 0, 0, 2, 0 };
  static const gint8 i8[] = { 0, 1, 127, -1, 64, 0, -128, 2, -5 };
  static const guint16 u16[] = { 0, 1, 65535, 0, 256, 0, 0, 32768, 0 };
  static const gint16 i16[] = { 0, 1, 32767, -1, 256, 0, -32768, 2, -256 };
  static const guint32 u32[] = { 0, 1, 0xffffffff, 0, 65536, 0, 0, 0x80000000, 0 };
  static const gint32 i32[] = { 0, 1, G_MAXINT32, -1, 65536, 0, G_MININT32, 2, -65536 };
  static const float f32[] = { -0.0f, 1e-45f, INFINITY, NAN, 1e-3f, -1e-3f, -INFINITY, 3e38f, 0.0f };
  static const gconstpointer data[] = { u8, i8, u16, i16, u32, i32, f32 };
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;

  use_variant (variant);
  options.connectivity = 4;
  for (guint type = CAPRA_U8; type <= CAPRA_F32; type += support_step (3))
    for (gsize width = 9; width <= 200; width += 191)
      {
        CapraShape shape = CAPRA_SHAPE_2D (width, 3, type);
        gsize size = capra_type_size (type), n = capra_shape_count (&shape);
        g_autofree guint8 *values = g_malloc (n * size), *mask = g_malloc (n);
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) input = NULL;
        g_autofree guint32 *expected = NULL;
        guint32 count = 0;

        for (gsize i = 0; i < n; i++)
          {
            memcpy (values + i * size, (const guint8 *) data[type] + i % 9 * size, size);
            mask[i] = u8[i % 9] > 0;
          }
        expected = reference_label (mask, width, 3, &options, &count);
        input = capra_array_new_from_data (support_device (0), &shape, values, &error);
        g_assert_no_error (error);
        check (input, &options, expected, count, capra_type_name (type));
      }
}

/* More than 2^24 regions: every second pixel of every second row is one, and they are numbered row by row. */
static void
test_many (gconstpointer variant)
{
  const gsize width = 4098, height = 2 * 8200;
  CapraShape shape = CAPRA_SHAPE_2D (width, height, CAPRA_U8);
  CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) input = capra_array_new (support_device (0), &shape, &error);
  g_autoptr (CapraArray) labels = NULL;
  const guint32 *result = NULL;
  guint8 *pixels = NULL;
  guint32 count = 0;

  use_variant (variant);
  g_assert_no_error (error);
  pixels = capra_array_map_write (input, &error);
  g_assert_no_error (error);
  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      pixels[y * width + x] = x % 2 && y % 2;
  g_assert_true (capra_array_unmap (input, &error));

  labels = capra_label (input, &options, &count, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count, ==, width / 2 * (height / 2));
  g_assert_cmpuint (count, >, 1 << 24);

  result = capra_array_map_read (labels, &error);
  g_assert_no_error (error);
  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      {
        guint32 expected = x % 2 && y % 2 ? y / 2 * (width / 2) + x / 2 + 1 : 0;

        if (result[y * width + x] != expected)
          g_error ("label at %zu, %zu is %u, not %u", x, y, result[y * width + x], expected);
      }
  g_assert_true (capra_array_unmap (labels, &error));
}

static void
test_arguments (void)
{
  CapraShape shapes[] = { { 4, 4, 2, 1, CAPRA_U8 }, { 4, 4, 1, 3, CAPRA_U8 }, { 4, 4, 1, 1, CAPRA_U8 } };

  for (guint i = 0; i < 3; i++)
    {
      CapraLabelOptions options = CAPRA_LABEL_DEFAULTS;
      g_autoptr (GError) error = NULL;
      g_autoptr (CapraArray) input = capra_array_new (support_device (0), &shapes[i], NULL);
      g_autoptr (CapraArray) labels = NULL;

      options.connectivity = i == 2 ? 6 : 4;
      labels = capra_label (input, &options, NULL, &error);
      g_assert_null (labels);
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name, *tuning;
  } variants[] = {
    { "runs", "label.variant=runs,label.strips=8" },
    { "one-strip", "label.variant=runs,label.strips=1" },
    { "blocks", "label.variant=blocks,label.block=128" },
    { "small-blocks", "label.variant=blocks,label.block=32" },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      static const struct {
        const char *name;
        GTestDataFunc func;
      } tests[] = {
        { "masks", test_masks },
        { "filters", test_filters },
        { "types", test_types },
        { "many", test_many },
      };

      for (guint j = 0; j < G_N_ELEMENTS (tests); j++)
        {
          g_autofree char *path = g_strdup_printf ("/label/%s/%s", variants[i].name, tests[j].name);

          /* The image of test_many() is large. */
          if ((i % 2 == 0 && (i == 0 || j < 3)) || (g_test_slow () && (j == 0 || i % 2 == 0)))
            g_test_add_data_func (path, variants[i].tuning, tests[j].func);
        }
    }
  g_test_add_func ("/label/arguments", test_arguments);
  return g_test_run ();
}
