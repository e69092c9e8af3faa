/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays: every type and shape is created, uploaded, downloaded, filled, copied and refused as documented. */
#include <math.h>
#include <string.h>

#include "tests/support/support.h"

static const CapraType types[] = { CAPRA_U8, CAPRA_I8, CAPRA_U16, CAPRA_I16, CAPRA_U32, CAPRA_I32, CAPRA_F32 };

static guint8 *
random_bytes (gsize bytes, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint8 *data = g_malloc (bytes);

  for (gsize i = 0; i < bytes; i++)
    data[i] = (guint8) g_rand_int (random);
  return data;
}

static void
test_round_trip (void)
{
  static const CapraShape shapes[] = { { 1, 1, 1, 1 },  { 17, 1, 1, 1 }, { 1, 5, 1, 2 },
                                       { 13, 7, 1, 3 }, { 9, 8, 5, 4 },  { 257, 131, 3, 1 } };

  for (guint d = 0; d < 2; d++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
        {
          g_autoptr (GError) error = NULL;
          CapraShape shape = shapes[s];
          g_autoptr (CapraArray) array = NULL;
          g_autofree guint8 *sent = NULL, *got = NULL, *zeros = NULL;
          gsize bytes = 0;

          shape.type = types[t];
          bytes = capra_shape_bytes (&shape);
          sent = random_bytes (bytes, s);
          got = g_malloc (bytes);
          zeros = g_malloc0 (bytes);

          array = capra_array_new (support_device (d), &shape, &error);
          g_assert_no_error (error);
          g_assert_true (capra_array_download (array, got, &error));
          g_assert_cmpmem (got, bytes, zeros, bytes);
          g_assert_true (capra_array_upload (array, sent, &error));
          g_assert_true (capra_array_download (array, got, &error));
          g_assert_cmpmem (got, bytes, sent, bytes);
          g_assert_true (capra_array_get_device (array) == support_device (d));
        }
}

static void
test_copy (void)
{
  CapraShape shape = { 101, 37, 2, 3, CAPRA_I16 };
  gsize bytes = capra_shape_bytes (&shape);
  g_autofree guint8 *sent = random_bytes (bytes, 7);
  g_autofree guint8 *got = g_malloc (bytes);

  for (guint from = 0; from < 2; from++)
    for (guint to = 0; to < 2; to++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraArray) source = capra_array_new_from_data (support_device (from), &shape, sent, &error);
        g_autoptr (CapraArray) target = capra_array_new (support_device (to), &shape, &error);

        g_assert_true (capra_array_copy (target, source, &error));
        g_assert_no_error (error);
        g_assert_true (capra_array_download (target, got, &error));
        g_assert_cmpmem (got, bytes, sent, bytes);
      }
}

/* Between images of different heights, on one device and two, from an evicted one, and with separate memory as on a
 * graphics card. */
static void
test_copy_rows (void)
{
  CapraShape tall = { 33, 20, 1, 3, CAPRA_U16 }, low = { 33, 9, 1, 3, CAPRA_U16 };
  gsize row = 33 * 3 * 2;
  g_autofree guint8 *sent = random_bytes (20 * row, 8);
  CapraDeviceInfo *first = (CapraDeviceInfo *) capra_device_get_info (support_device (0));

  for (guint kind = 0; kind < 8; kind++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *expected = random_bytes (9 * row, 9), *got = g_malloc (9 * row);
      g_autoptr (CapraArray) source = NULL, target = NULL;

      first->unified = kind < 4;
      source = capra_array_new_from_data (support_device (0), &tall, sent, &error);
      target = capra_array_new_from_data (support_device (kind % 2), &low, expected, &error);
      if (kind & 2)
        {
          capra_array_make_resident (source, FALSE);
          capra_memory_free_unused (support_device (0));
          g_assert_true (capra_array_is_evicted (source));
        }
      g_assert_true (capra_array_copy_rows (target, 2, source, 13, 6, &error));
      g_assert_no_error (error);
      g_assert_true (capra_array_download (target, got, &error));
      memcpy (expected + 2 * row, sent + 13 * row, 6 * row);
      g_assert_cmpmem (got, 9 * row, expected, 9 * row);
      g_assert_true (capra_array_is_evicted (source) == ((kind & 2) != 0));
      g_assert_false (capra_array_copy_rows (target, 4, source, 0, 6, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
  first->unified = TRUE;
}

/* Rows of each plane of a volume. */
static void
test_copy_rows_of_planes (void)
{
  CapraShape tall = { 5, 7, 3, 2, CAPRA_I16 }, low = { 5, 4, 3, 2, CAPRA_I16 };
  gsize row = 5 * 2 * 2;
  g_autofree guint8 *sent = random_bytes (3 * 7 * row, 8);

  for (guint device = 0; device < 2; device++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *expected = random_bytes (3 * 4 * row, 9), *got = g_malloc (3 * 4 * row);
      g_autoptr (CapraArray) source = capra_array_new_from_data (support_device (0), &tall, sent, &error);
      g_autoptr (CapraArray) target = capra_array_new_from_data (support_device (device), &low, expected, &error);

      g_assert_true (capra_array_copy_rows (target, 1, source, 4, 3, &error));
      g_assert_true (capra_array_download (target, got, &error));
      for (gsize z = 0; z < 3; z++)
        memcpy (expected + (4 * z + 1) * row, sent + (7 * z + 4) * row, 3 * row);
      g_assert_cmpmem (got, 3 * 4 * row, expected, 3 * 4 * row);
    }
}

/* Between images of different widths, in the same cases as rows. */
static void
test_copy_rect (void)
{
  enum { PIXEL = 6, X = 5, Y = 13, TO_X = 20, TO_Y = 2, COLUMNS = 17, ROWS = 6 };
  CapraShape tall = { 33, 20, 1, 3, CAPRA_U16 }, wide = { 41, 9, 1, 3, CAPRA_U16 };
  gsize bytes = capra_shape_bytes (&wide);
  g_autofree guint8 *sent = random_bytes (capra_shape_bytes (&tall), 8);
  CapraDeviceInfo *first = (CapraDeviceInfo *) capra_device_get_info (support_device (0));

  for (guint kind = 0; kind < 8; kind++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *expected = random_bytes (bytes, 9), *got = g_malloc (bytes);
      g_autoptr (CapraArray) source = NULL, target = NULL;

      first->unified = kind < 4;
      source = capra_array_new_from_data (support_device (0), &tall, sent, &error);
      target = capra_array_new_from_data (support_device (kind % 2), &wide, expected, &error);
      if (kind & 2)
        {
          capra_array_make_resident (source, FALSE);
          capra_memory_free_unused (support_device (0));
        }
      g_assert_true (capra_array_copy_rect (target, TO_X, TO_Y, source, X, Y, COLUMNS, ROWS, &error));
      g_assert_no_error (error);
      g_assert_true (capra_array_download (target, got, &error));
      for (gsize row = 0; row < ROWS; row++)
        memcpy (expected + ((TO_Y + row) * wide.width + TO_X) * PIXEL, sent + ((Y + row) * tall.width + X) * PIXEL,
                COLUMNS * PIXEL);
      g_assert_cmpmem (got, bytes, expected, bytes);
      g_assert_false (capra_array_copy_rect (target, 25, 0, source, 0, 0, COLUMNS, ROWS, &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
  first->unified = TRUE;
}

static void
test_copy_refused (void)
{
  g_autoptr (GError) error = NULL;
  CapraShape one = CAPRA_SHAPE_2D (4, 4, CAPRA_U8), other = CAPRA_SHAPE_2D (4, 4, CAPRA_I8);
  g_autoptr (CapraArray) source = capra_array_new (support_device (0), &one, NULL);
  g_autoptr (CapraArray) target = capra_array_new (support_device (0), &other, NULL);

  g_assert_false (capra_array_copy (target, source, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

static void
test_fill (void)
{
  static const struct {
    CapraType type;
    double value, expected;
  } cases[] = {
    { CAPRA_U8, 200.4, 200 },
    { CAPRA_U8, -3, 0 },
    { CAPRA_U8, 1e9, 255 },
    { CAPRA_I8, -7, -7 },
    { CAPRA_I8, -1e9, -128 },
    { CAPRA_U16, 65535, 65535 },
    { CAPRA_I16, -32768, -32768 },
    { CAPRA_U32, 4294967295.0, 4294967295.0 },
    { CAPRA_I32, -2147483648.0, -2147483648.0 },
    { CAPRA_F32, -1.5, -1.5 },
    { CAPRA_I32, NAN, 0 },
    { CAPRA_F32, INFINITY, INFINITY },
  };

  for (guint d = 0; d < 2; d++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        g_autoptr (GError) error = NULL;
        CapraShape shape = { 67, 3, 1, 3, cases[i].type };
        g_autoptr (CapraArray) array = capra_array_new (support_device (d), &shape, &error);
        CapraDescription described;

        g_assert_true (capra_array_fill (array, cases[i].value, &error));
        g_assert_true (capra_array_describe (array, &described, &error));
        g_assert_no_error (error);
        g_assert_cmpfloat (described.min, ==, cases[i].expected);
        g_assert_cmpfloat (described.max, ==, cases[i].expected);
        g_assert_cmpuint (described.bytes, ==, capra_shape_bytes (&shape));
      }
}

static void
test_describe (void)
{
  for (guint d = 0; d < 2; d++)
    for (guint i = 0; i < support_n_sizes; i++)
      {
        g_autoptr (GError) error = NULL;
        gsize count = support_sizes[i].width * support_sizes[i].height * 2;
        g_autofree float *values = support_noise (count, -5, 5, i);
        g_autoptr (CapraArray) array = NULL;
        CapraDescription described;
        double low = INFINITY, high = -INFINITY;

        values[count / 2] = NAN;
        for (gsize k = 0; k < count; k++)
          {
            low = fmin (low, values[k]);
            high = fmax (high, values[k]);
          }
        array = support_array (support_device (d), support_sizes[i].width, support_sizes[i].height, 1, 2, values);
        g_assert_true (capra_array_describe (array, &described, &error));
        g_assert_no_error (error);
        g_assert_cmpfloat (described.min, ==, low);
        g_assert_cmpfloat (described.max, ==, high);
        g_assert_cmpuint (described.shape.width, ==, support_sizes[i].width);
      }
}

static void
test_doubles (void)
{
  g_autoptr (GError) error = NULL;
  const double values[] = { 0.1, 1e-300, -1e30, 16777217.0 };
  CapraShape shape = CAPRA_SHAPE_2D (4, 1, CAPRA_F32);
  g_autoptr (CapraArray) array = capra_array_new (support_device (0), &shape, &error);
  g_autoptr (CapraArray) integers = NULL;
  g_autofree float *got = NULL;

  g_assert_true (capra_array_upload_doubles (array, values, &error));
  got = support_download (array);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (got[i], ==, (float) values[i]);

  shape.type = CAPRA_I32;
  integers = capra_array_new (support_device (0), &shape, &error);
  g_assert_false (capra_array_upload_doubles (integers, values, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

static void
test_bad_shapes (void)
{
  static const CapraShape bad[] = {
    { 0, 1, 1, 1, CAPRA_U8 },         { 1, 0, 1, 1, CAPRA_U8 },
    { 1, 1, 0, 1, CAPRA_U8 },         { 1, 1, 1, 0, CAPRA_U8 },
    { 1, 1, 1, 5, CAPRA_U8 },         { 1, 1, 1, 1, CAPRA_F32 + 1 },
    { G_MAXSIZE, 2, 1, 1, CAPRA_U8 }, { G_MAXINT32, G_MAXINT32, G_MAXINT32, 4, CAPRA_F32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (capra_array_new (support_device (0), &bad[i], &error));
      g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
    }
}

/* Readers share a mapping; a write mapping replaces the contents. */
static void
test_map (void)
{
  g_autoptr (GError) error = NULL;
  CapraShape shape = CAPRA_SHAPE_2D (33, 5, CAPRA_U16);
  g_autoptr (CapraArray) array = capra_array_new (support_device (1), &shape, &error);
  guint16 *out = capra_array_map_write (array, &error);
  gconstpointer one = NULL, two = NULL;

  g_assert_no_error (error);
  for (guint i = 0; i < 33 * 5; i++)
    out[i] = (guint16) (i * 3);
  g_assert_true (capra_array_unmap (array, &error));

  one = capra_array_map_read (array, &error);
  two = capra_array_map_read (array, &error);
  g_assert_true (one == two);
  g_assert_cmpuint (((const guint16 *) one)[100], ==, 300);
  g_assert_true (capra_array_unmap (array, &error));
  g_assert_cmpuint (((const guint16 *) one)[164], ==, 492);
  g_assert_true (capra_array_unmap (array, &error));
}

typedef struct {
  CapraArray *source;
  gboolean right;
} Worker;

static gpointer
copy_many_times (gpointer data)
{
  Worker *worker = data;
  const CapraShape *shape = capra_array_get_shape (worker->source);
  gsize bytes = capra_shape_bytes (shape);
  g_autofree guint8 *first = g_malloc (bytes), *got = g_malloc (bytes);

  worker->right = capra_array_download (worker->source, first, NULL);
  for (guint i = 0; i < 50 && worker->right; i++)
    {
      g_autoptr (CapraArray) copy = capra_array_new (support_device (i % 2), shape, NULL);

      worker->right = copy && capra_array_copy (copy, worker->source, NULL) && capra_array_download (copy, got, NULL)
                      && memcmp (got, first, bytes) == 0;
    }
  return NULL;
}

/* Buffers are reused by several threads and queues. */
static void
test_threads (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (300, 200, CAPRA_U32);
  gsize bytes = capra_shape_bytes (&shape);
  g_autofree guint8 *data = random_bytes (bytes, 3);
  g_autoptr (CapraArray) source = capra_array_new_from_data (support_device (0), &shape, data, NULL);
  Worker workers[4];
  GThread *threads[4];

  for (guint i = 0; i < 4; i++)
    {
      workers[i] = (Worker){ source, FALSE };
      threads[i] = g_thread_new ("worker", copy_many_times, &workers[i]);
    }
  for (guint i = 0; i < 4; i++)
    {
      g_thread_join (threads[i]);
      g_assert_true (workers[i].right);
    }
}

/* Undefined contents, kinds of memory, and waiting for all commands. */
static void
test_keeping (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (100, 50, CAPRA_F32);
  g_autofree float *noise = support_noise (100 * 50, 0.0, 1.0, 77);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new_for_upload (support_device (1), &shape, &error);
  g_autofree float *values = NULL;
  CapraMemory before, after;

  g_assert_no_error (error);
  g_assert_true (capra_array_upload (array, noise, &error));
  capra_memory_query (support_device (1), &before);
  capra_array_make_resident (array, FALSE);
  capra_memory_query (support_device (1), &after);
  g_assert_cmpuint (after.bytes[CAPRA_MEMORY_RESIDENT] - before.bytes[CAPRA_MEMORY_RESIDENT], >=,
                    capra_shape_bytes (&shape));
  g_assert_cmpuint (before.bytes[CAPRA_MEMORY_ARRAYS] - after.bytes[CAPRA_MEMORY_ARRAYS], >=,
                    capra_shape_bytes (&shape));
  capra_array_release_resident (capra_array_ref (array), FALSE);
  g_assert_true (capra_array_wait (array, &error));
  values = support_download (array);
  g_assert_cmpmem (values, capra_shape_bytes (&shape), noise, capra_shape_bytes (&shape));
}

/* Maps, reads and unmaps, while other threads do the same. */
static gpointer
read_many_times (gpointer array)
{
  gsize count = capra_shape_count (capra_array_get_shape (array));

  for (guint i = 0; i < 300; i++)
    {
      const float *values = capra_array_map_read (array, NULL);

      g_assert_nonnull (values);
      g_assert_cmpfloat (values[0], ==, 7);
      g_assert_cmpfloat (values[count - 1], ==, 7);
      g_assert_true (capra_array_unmap (array, NULL));
    }
  return NULL;
}

/* Readers in several threads share one mapping. */
static void
test_readers (void)
{
  g_autoptr (CapraArray) array = capra_array_new (support_device (0), &CAPRA_SHAPE_2D (64, 64, CAPRA_F32), NULL);
  GThread *threads[4];

  g_assert_true (capra_array_fill (array, 7, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_many_times, array);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_nonnull (capra_array_map_write (array, NULL)); /* no mapping is left */
  g_assert_true (capra_array_unmap (array, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/array/round-trip", test_round_trip);
  g_test_add_func ("/array/copy", test_copy);
  g_test_add_func ("/array/copy-rows", test_copy_rows);
  g_test_add_func ("/array/copy-rows-of-planes", test_copy_rows_of_planes);
  g_test_add_func ("/array/copy-rect", test_copy_rect);
  g_test_add_func ("/array/copy-refused", test_copy_refused);
  g_test_add_func ("/array/fill", test_fill);
  g_test_add_func ("/array/describe", test_describe);
  g_test_add_func ("/array/doubles", test_doubles);
  g_test_add_func ("/array/bad-shapes", test_bad_shapes);
  g_test_add_func ("/array/map", test_map);
  g_test_add_func ("/array/threads", test_threads);
  g_test_add_func ("/array/readers", test_readers);
  g_test_add_func ("/array/keeping", test_keeping);
  return g_test_run ();
}
