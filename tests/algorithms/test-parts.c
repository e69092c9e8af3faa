/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filtering parts of an image gives the same bytes as filtering the whole, for every size and position, and with NaN
 * and infinities. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

/* The number of parts of each case, and how many of them have a source that is larger than required. */
#define PARTS 4
#define LARGER_SOURCES 2

/* Set one after the other. Each algorithm reads its own key. */
static const struct {
  const char *name, *tuning;
} variants[] = {
  { "vector", "taps.variant=vector,gaussian.variant=vector,box-blur.variant=vector,convolve.variant=vector" },
  { "group",
    "taps.variant=group,gaussian.variant=group,box-blur.variant=group,convolve.variant=group,gaussian.separable=64" },
};

typedef struct {
  const char *name;
  int width, height;
  guint channels;
  CapraType type;
  CapraBorder border;
  gboolean beyond; /* parts reach beyond the image */
  double sigma[2];
  CapraGaussianFilter filter;
  int radius;        /* of a box */
  int columns, rows; /* of a matrix */
  gboolean product;  /* the matrix is the product of a column and a row */
} Case;

typedef CapraArray *(*Run) (const Case *c, CapraArray *input, const CapraWindow *window, GError **error);

static CapraArray *
run_gaussian (const Case *c, CapraArray *input, const CapraWindow *window, GError **error)
{
  return capra_gaussian_blur (input, (const double[]){ c->sigma[0], c->sigma[1], 0 }, c->filter,
                              CAPRA_GAUSSIAN_TRUNCATE, c->border, window, error);
}

static CapraArray *
run_box (const Case *c, CapraArray *input, const CapraWindow *window, GError **error)
{
  return capra_box_blur (input, (const int[]){ c->radius, c->radius, 0 }, c->border, window, error);
}

static CapraMatrix *
make_matrix (const Case *c)
{
  CapraMatrix *matrix = capra_matrix_new (c->columns, c->rows);
  g_autofree float *noise = support_noise ((gsize) (c->columns * c->rows), 0.5, 1.5, 9);

  for (int i = 0; i < c->columns * c->rows; i++)
    matrix->values[i] = c->product ? (1.0 + i % c->columns) * (2.0 + i / c->columns) : noise[i];
  return matrix;
}

static CapraConvolveOptions
options_of (const Case *c)
{
  CapraConvolveOptions options = CAPRA_CONVOLVE_DEFAULTS;

  options.border = c->border;
  options.divisor = 0;
  return options;
}

static CapraArray *
run_convolution (const Case *c, CapraArray *input, const CapraWindow *window, GError **error)
{
  g_autoptr (CapraMatrix) matrix = make_matrix (c);
  CapraConvolveOptions options = options_of (c);

  return capra_convolve (input, matrix, &options, window, error);
}

static Run
run_of (const Case *c)
{
  return c->columns > 0 ? run_convolution : c->radius > 0 ? run_box : run_gaussian;
}

static CapraRect
source_of (const Case *c, const CapraRect *extent, const CapraRect *result)
{
  g_autoptr (CapraMatrix) matrix = NULL;
  CapraConvolveOptions options = options_of (c);
  int x = c->radius, y = c->radius;

  if (c->columns > 0)
    {
      matrix = make_matrix (c);
      return capra_convolve_source (extent, result, matrix, &options);
    }
  if (c->radius == 0)
    {
      x = capra_gaussian_source_radius (c->sigma[0], c->filter, CAPRA_GAUSSIAN_TRUNCATE);
      y = capra_gaussian_source_radius (c->sigma[1], c->filter, CAPRA_GAUSSIAN_TRUNCATE);
    }
  return capra_window_source (extent, result, x, x, y, y, c->border);
}

static gsize
pixel_bytes (const Case *c)
{
  static const gsize bytes[] = { 1, 1, 2, 2, 4, 4, 4 };

  return bytes[c->type] * c->channels;
}

static CapraArray *
upload_part (const Case *c, const guint8 *image, const CapraRect *rect)
{
  CapraShape shape = CAPRA_SHAPE_2D ((gsize) rect->width, (gsize) rect->height, c->type);
  gsize pixel = pixel_bytes (c), row = (gsize) rect->width * pixel;
  g_autofree guint8 *part = g_malloc (row * (gsize) rect->height);
  CapraArray *array = NULL;

  shape.channels = c->channels;
  for (int y = 0; y < rect->height; y++)
    memcpy (part + (gsize) y * row, image + ((gsize) (rect->y + y) * (gsize) c->width + (gsize) rect->x) * pixel, row);
  array = capra_array_new_from_data (support_device (0), &shape, part, NULL);
  g_assert_nonnull (array);
  return array;
}

/* Noise, with some NaN and infinities if @spoilt. */
static guint8 *
make_image (const Case *c, gboolean spoilt)
{
  static const float spoilers[] = { NAN, INFINITY, -INFINITY };
  gsize count = (gsize) c->width * (gsize) c->height * c->channels;
  g_autofree float *noise = support_noise (count, 0.0, c->type == CAPRA_U8 ? 256 : c->type == CAPRA_U16 ? 65536 : 1, 7);
  guint8 *image = g_malloc (count * sizeof (float));

  for (gsize i = 0; i < count; i++)
    if (c->type == CAPRA_U8)
      image[i] = (guint8) noise[i];
    else if (c->type == CAPRA_U16)
      ((guint16 *) image)[i] = (guint16) noise[i];
    else
      ((float *) image)[i] = spoilt && g_random_int_range (0, 20000) == 0 ? spoilers[g_random_int_range (0, 3)]
                                                                          : noise[i];
  return image;
}

static CapraRect
random_part (CapraRect all)
{
  static const int sizes[] = { 1, 7, 16, 64, 100, 128, 200, 333 };
  int width = sizes[g_random_int_range (0, G_N_ELEMENTS (sizes))];
  int height = sizes[g_random_int_range (0, G_N_ELEMENTS (sizes))];

  width = MIN (width, all.width);
  height = MIN (height, all.height);
  return (CapraRect){ all.x + g_random_int_range (0, all.width - width + 1),
                      all.y + g_random_int_range (0, all.height - height + 1), width, height };
}

/* Enlarges the source, within the image. */
static void
grow (const Case *c, CapraRect *rect)
{
  int left = g_random_int_range (0, 20), top = g_random_int_range (0, 20);
  int right = rect->x + rect->width + g_random_int_range (0, 20);
  int bottom = rect->y + rect->height + g_random_int_range (0, 20);

  rect->x = MAX (rect->x - left, 0);
  rect->y = MAX (rect->y - top, 0);
  rect->width = MIN (right, c->width) - rect->x;
  rect->height = MIN (bottom, c->height) - rect->y;
}

typedef struct {
  gsize values, differ, kinds; /* compared; not equal; finite in only one of both */
  double most;
} Differences;

static void
compare (const float *whole, const CapraRect *all, const float *part, const CapraRect *rect, guint channels,
         Differences *d)
{
  for (int y = 0; y < rect->height; y++)
    for (gsize i = 0; i < (gsize) rect->width * channels; i++)
      {
        gsize pixel = (gsize) (rect->y - all->y + y) * (gsize) all->width + (gsize) (rect->x - all->x);
        float a = whole[pixel * channels + i], b = part[(gsize) y * (gsize) rect->width * channels + i];

        d->values++;
        if (memcmp (&a, &b, sizeof a) == 0 || (isnan (a) && isnan (b)))
          continue;
        d->differ++;
        if (isfinite (a) && isfinite (b))
          d->most = MAX (d->most, fabs ((double) a - b));
        else
          d->kinds++;
      }
}

static void
check_case (const Case *c, gboolean spoilt)
{
  CapraRect extent = { 0, 0, c->width, c->height }, all = extent;
  g_autofree guint8 *image = make_image (c, spoilt);
  g_autoptr (CapraArray) input = upload_part (c, image, &extent);
  g_autoptr (CapraArray) whole = NULL;
  g_autofree float *of_whole = NULL;
  g_autoptr (GError) error = NULL;
  Differences d = { 0 };

  if (c->beyond)
    all = (CapraRect){ -60, -60, c->width + 120, c->height + 120 };
  whole = run_of (c) (c, input, &(CapraWindow){ extent, extent, all }, &error);
  g_assert_no_error (error);
  of_whole = support_download (whole);
  for (int i = 0; i < PARTS; i++)
    {
      CapraRect result = random_part (all), source = source_of (c, &extent, &result);
      g_autoptr (CapraArray) some = NULL;
      g_autoptr (CapraArray) part = NULL;
      g_autofree float *of_part = NULL;

      if (source.width == 0)
        source = (CapraRect){ 0, 0, 1, 1 };
      if (i < LARGER_SOURCES)
        grow (c, &source);
      some = upload_part (c, image, &source);
      part = run_of (c) (c, some, &(CapraWindow){ extent, source, result }, &error);
      g_assert_no_error (error);
      of_part = support_download (part);
      compare (of_whole, &all, of_part, &result, c->channels, &d);
    }
  if (d.differ > 0)
    {
      g_test_message ("%s, %dx%d, %u channels, border %d%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                      " values differ, at most by %g; %" G_GSIZE_FORMAT " are finite in only one of both",
                      c->name, c->width, c->height, c->channels, c->border, spoilt ? ", not finite" : "", d.differ,
                      d.values, d.most, d.kinds);
      g_test_fail ();
    }
}

#define SIZE .width = 517, .height = 431
#define VALUES(count, of) .channels = (count), .type = CAPRA_##of
#define BORDER(rule) .border = CAPRA_BORDER_##rule
#define SAMPLED .filter = CAPRA_GAUSSIAN_SAMPLED

static const Case sampled[] = {
  { "sigma 0.5", SIZE, VALUES (1, F32), BORDER (CLAMP), .sigma = { 0.5, 0.5 }, SAMPLED },
  { "sigma 1.3", SIZE, VALUES (4, F32), BORDER (CLAMP), .sigma = { 1.3, 1.3 } },
  { "sigma 2.6", SIZE, VALUES (1, F32), BORDER (MIRROR), .sigma = { 2.6, 2.6 } },
  { "sigma 3.2", SIZE, VALUES (2, F32), BORDER (WRAP), .sigma = { 3.2, 1.1 } },
  { "sigma 2.6", SIZE, VALUES (3, U16), BORDER (NONE), .beyond = TRUE, .sigma = { 2.6, 1 } },
  { "sigma 25", SIZE, VALUES (1, F32), BORDER (CLAMP), .sigma = { 25, 25 }, SAMPLED },
  { "sigma 25", SIZE, VALUES (1, F32), BORDER (NONE), .beyond = TRUE, .sigma = { 25, 25 }, SAMPLED },
  { "sigma 25, short", .width = 60, .height = 211, VALUES (1, F32), BORDER (NONE), .beyond = TRUE, .sigma = { 25, 3 },
    SAMPLED },
  { "sigma 25, short", .width = 203, .height = 7, VALUES (4, F32), BORDER (CLAMP), .beyond = TRUE, .sigma = { 4, 25 },
    SAMPLED },
  { "sigma 80, short", .width = 19, .height = 1, VALUES (3, U16), BORDER (NONE), .beyond = TRUE, .sigma = { 80, 80 },
    SAMPLED },
  { "sigma 60", SIZE, VALUES (1, U8), BORDER (MIRROR), .sigma = { 60, 40 }, SAMPLED },
  { "sigma 200", .width = 300, .height = 130, VALUES (1, F32), BORDER (CLAMP), .sigma = { 200, 200 }, SAMPLED },
  { "sigma 7, 0", SIZE, VALUES (1, F32), BORDER (CLAMP), .sigma = { 7, 0 }, SAMPLED },
  { "sigma 0, 2", SIZE, VALUES (1, F32), BORDER (CLAMP), .sigma = { 0, 2 }, SAMPLED },
};

static const Case whole[] = {
  { "whole 1.5", SIZE, VALUES (1, F32), BORDER (CLAMP), .sigma = { 1.5, 1.5 }, .filter = CAPRA_GAUSSIAN_WHOLE },
  { "whole 5", SIZE, VALUES (4, F32), BORDER (MIRROR), .sigma = { 5, 5 } },
  { "whole 9", SIZE, VALUES (3, U16), BORDER (CLAMP), .sigma = { 9, 7 } },
  { "whole 16", SIZE, VALUES (1, F32), BORDER (WRAP), .sigma = { 16, 16 } },
  { "whole 11", SIZE, VALUES (1, F32), BORDER (NONE), .beyond = TRUE, .sigma = { 11, 11 } },
  { "whole 16", .width = 512, .height = 384, VALUES (1, F32), BORDER (WRAP), .sigma = { 16, 16 } },
  { "whole 24", .width = 720, .height = 720, VALUES (4, U8), BORDER (MIRROR), .sigma = { 24, 24 } },
  { "whole 100", .width = 700, .height = 500, VALUES (1, F32), BORDER (CLAMP), .sigma = { 100, 100 } },
  { "whole 16, short", .width = 23, .height = 300, VALUES (1, F32), BORDER (CLAMP), .beyond = TRUE,
    .sigma = { 16, 16 } },
  { "whole 100, short", .width = 31, .height = 11, VALUES (4, F32), BORDER (NONE), .beyond = TRUE,
    .sigma = { 100, 40 } },
  { "whole 20, 2", SIZE, VALUES (2, F32), BORDER (CLAMP), .sigma = { 20, 2 } },
  { "whole 0, 20", SIZE, VALUES (1, F32), BORDER (CLAMP), .sigma = { 0, 20 } },
};

static const Case boxes[] = {
  { "radius 3", SIZE, VALUES (1, F32), BORDER (CLAMP), .radius = 3 },
  { "radius 9", SIZE, VALUES (4, F32), BORDER (CLAMP), .radius = 9 },
  { "radius 20", SIZE, VALUES (3, U16), BORDER (MIRROR), .radius = 20 },
  { "radius 100", SIZE, VALUES (2, F32), BORDER (WRAP), .radius = 100 },
  { "radius 40", SIZE, VALUES (1, F32), BORDER (NONE), .beyond = TRUE, .radius = 40 },
  { "radius 100", SIZE, VALUES (4, U8), BORDER (CLAMP), .radius = 100 },
  { "radius 400", .width = 900, .height = 1100, VALUES (1, F32), BORDER (MIRROR), .radius = 400 },
  { "radius 1000", SIZE, VALUES (1, F32), BORDER (CLAMP), .radius = 1000 },
  { "radius 1000", SIZE, VALUES (1, F32), BORDER (MIRROR), .radius = 1000 },
};

static const Case matrices[] = {
  { "matrix 3x3", SIZE, VALUES (1, F32), BORDER (CLAMP), .columns = 3, .rows = 3 },
  { "matrix 7x5", SIZE, VALUES (4, F32), BORDER (CLAMP), .columns = 7, .rows = 5 },
  { "matrix 11x10", SIZE, VALUES (3, U16), BORDER (NONE), .columns = 11, .rows = 10 },
  { "matrix 15x17", SIZE, VALUES (1, F32), BORDER (CLAMP), .columns = 15, .rows = 17 },
  { "matrix 31x31", SIZE, VALUES (4, U8), BORDER (WRAP), .columns = 31, .rows = 31 },
  { "matrix 40x50", SIZE, VALUES (1, F32), BORDER (NONE), .columns = 40, .rows = 50 },
  { "matrix 90x70", SIZE, VALUES (1, F32), BORDER (CLAMP), .columns = 90, .rows = 70 },
  { "matrix 101x1", SIZE, VALUES (1, F32), BORDER (CLAMP), .columns = 101, .rows = 1 },
  { "matrix 1x141", SIZE, VALUES (1, F32), BORDER (MIRROR), .columns = 1, .rows = 141 },
  { "product 31x31", SIZE, VALUES (3, F32), BORDER (WRAP), .columns = 31, .rows = 31, .product = TRUE },
  { "product 9x9", SIZE, VALUES (1, F32), BORDER (CLAMP), .columns = 9, .rows = 9, .product = TRUE },
  { "product 101x90", SIZE, VALUES (1, F32), BORDER (NONE), .columns = 101, .rows = 90, .product = TRUE },
};

static const struct {
  const char *name;
  const Case *cases;
  guint n;
} groups[] = {
  { "gaussian-sampled", sampled, G_N_ELEMENTS (sampled) },
  { "gaussian-whole", whole, G_N_ELEMENTS (whole) },
  { "box-blur", boxes, G_N_ELEMENTS (boxes) },
  { "convolve", matrices, G_N_ELEMENTS (matrices) },
};

/* The number of the group times 16, plus the number of the variant. */
static void
test_group (gconstpointer data)
{
  guint group = GPOINTER_TO_UINT (data) / 16, variant = GPOINTER_TO_UINT (data) % 16;

  g_random_set_seed (17);
  support_force_tuning (variants[variant].tuning);
  for (guint i = 0; i < groups[group].n; i += support_step (4))
    {
      check_case (&groups[group].cases[i], FALSE);
      if (groups[group].cases[i].type == CAPRA_F32)
        check_case (&groups[group].cases[i], TRUE);
    }
  g_unsetenv ("CAPRA_TUNING");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint g = 0; g < G_N_ELEMENTS (groups); g++)
    for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
      {
        g_autofree char *path = g_strdup_printf ("/parts/%s/%s", groups[g].name, variants[v].name);

        g_test_add_data_func (path, GUINT_TO_POINTER (16 * g + v), test_group);
      }
  return g_test_run ();
}
