/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the sample of a clipping. Results do not depend on it, only the number of passes: `capra check` cannot see a
 * wrong one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/clip/clip-device.h"
#include "algorithms/clip/clip-params.h"
#include "algorithms/common/reduction.h"
#include "tests/support/support.h"

#define FIRST_EXPONENT (10u << 23)

static guint32
get_bits (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* Order keys: unsigned, with the order of the values. */
static guint32
get_key (CapraType type, double value)
{
  guint32 bits = get_bits ((float) value);

  if (type != CAPRA_F32)
    return (guint32) (gint64) value + (type == CAPRA_I16 ? 0x8000u : 0u);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const double *x = a, *y = b;

  return (*x > *y) - (*x < *y);
}

/* The values of the sample that are finite, sorted. */
static double *
take_sample (const double *data, guint64 count, guint *n)
{
  double *sample = g_new (double, CLIP_SAMPLE);

  *n = 0;
  for (guint64 part = 0; part < CLIP_SAMPLE; part++)
    {
      guint64 begin = count * part / CLIP_SAMPLE, length = count * (part + 1) / CLIP_SAMPLE - begin;
      double value = data[begin + (length * (guint32) (part * 2654435761u) >> 32)];

      if (isfinite (value))
        sample[(*n)++] = value;
    }
  qsort (sample, *n, sizeof *sample, compare);
  return sample;
}

/* Bins begin ten octaves below the distance between the median and the upper quartile. */
static guint32
get_base (const double *sample, guint n, double median, double quartile)
{
  double distance = quartile - median, nearest = INFINITY;

  for (guint i = 0; i < n; i++)
    if (sample[i] != median)
      nearest = MIN (nearest, fabs (sample[i] - median));
  if (distance == 0.0)
    distance = isinf (nearest) ? fabs (median) * 0x1p-20 : nearest;
  return MAX (get_bits ((float) distance), FIRST_EXPONENT) - FIRST_EXPONENT;
}

static void
check_words (const guint32 *words, CapraType type, const double *data, guint64 count, const char *what)
{
  guint n = 0;
  g_autofree double *sample = take_sample (data, count, &n);
  double median = n ? sample[n / 2] : 0.0, quartile = n ? sample[n - 1 - n / 4] : 0.0;
  double first = type == CAPRA_F32 ? -G_MAXFLOAT : type == CAPRA_I16 ? G_MININT16 : 0;
  guint32 base = get_base (sample, n, median, quartile);
  clip_state_t state, none = { 0 };

  memcpy (&state, words + CLIP_STATE, sizeof state);
  if (state.pivot != get_key (type, median) || state.base != base)
    g_error ("%s: pivot %x and base %x, not %x and %x", what, state.pivot, state.base, get_key (type, median), base);
  g_assert_cmphex (state.low, ==, get_key (type, first));
  g_assert_cmphex (state.high, ==, type == CAPRA_F32 ? get_key (type, G_MAXFLOAT) : type == CAPRA_U8 ? 255 : 65535);
  for (guint i = 0; i < CLIP_BINS; i++)
    g_assert_cmpuint (words[CLIP_COUNTS + i], ==, 0);

  /* All else begins with 0. */
  state.pivot = state.base = state.low = state.high = 0;
  g_assert_cmpint (CLIP_RUNNING, ==, 0);
  g_assert_cmpint (memcmp (&state, &none, sizeof none), ==, 0);
}

/* Runs the kernel as clip-device.c does, on words that are not 0. */
static void
check_array (CapraArray *array, const double *data, const char *what)
{
  CapraReduction reduction = { .vector = 4, .local = CLIP_SAMPLE_ITEMS };
  guint64 count = capra_shape_count (capra_array_get_shape (array));
  g_autofree char *macros = g_strdup_printf ("-DFINITE -DOWN=%d", CLIP_SAMPLE / CLIP_SAMPLE_ITEMS);
  g_autofree char *options = capra_reduction_options (array, &reduction, macros);
  g_autofree guint32 *words = g_new (guint32, CLIP_WORDS);
  g_autoptr (CapraArray) state = NULL;
  g_autoptr (GError) error = NULL;
  CapraLaunch launch;

  memset (words, 0xff, sizeof *words * CLIP_WORDS);
  state = capra_array_new_from_data (capra_array_get_device (array), &CAPRA_SHAPE_2D (CLIP_WORDS, 1, CAPRA_U32), words,
                                     &error);
  g_assert_no_error (error);
  capra_launch_begin (&launch, array->context, "clip-sample", options, "clip_sample");
  capra_launch_read (&launch, array);
  capra_launch_ulong (&launch, count);
  capra_launch_write (&launch, state);
  capra_launch_run_1d (&launch, CLIP_SAMPLE_ITEMS, CLIP_SAMPLE_ITEMS, 0, &error);
  g_assert_no_error (error);
  g_assert_true (capra_array_download (state, words, &error));
  check_words (words, capra_array_get_shape (array)->type, data, count, what);
}

typedef enum { NOISE, CONSTANT, FEW_OTHERS, WITHOUT_VALUES, N_CONTENTS } Contents;

static double
make_value (Contents contents, CapraType type, GRand *random, gsize i)
{
  if (contents == WITHOUT_VALUES)
    return i % 2 ? NAN : -INFINITY;
  if (contents == CONSTANT || (contents == FEW_OTHERS && i % 9))
    return 77.0;
  if (type != CAPRA_F32)
    return g_rand_int_range (random, type == CAPRA_I16 ? -20000 : 0, type == CAPRA_I16 ? 30000 : 200);
  return i % 7 == 3 ? NAN : (float) (-40.0 + 100.0 * pow (g_rand_double (random), 3));
}

static CapraArray *
make_array (guint index, CapraType type, const double *data, gsize count)
{
  gsize size = capra_type_size (type);
  g_autofree guint8 *bytes = g_malloc (count * size);
  g_autoptr (GError) error = NULL;
  CapraArray *array = NULL;

  for (gsize i = 0; i < count; i++)
    {
      gint64 whole = type == CAPRA_F32 ? get_bits ((float) data[i]) : (gint64) data[i];

      memcpy (bytes + i * size, &whole, size);
    }
  array = capra_array_new_from_data (support_device (index), &CAPRA_SHAPE_2D (count, 1, type), bytes, &error);
  g_assert_no_error (error);
  return array;
}

static void
test_sample (gconstpointer type_number)
{
  static const gsize counts[] = { 1, 3, 4095, 4096, 4097, 100003 };
  CapraType type = GPOINTER_TO_INT (type_number);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    for (Contents contents = 0; contents < (type == CAPRA_F32 ? N_CONTENTS : WITHOUT_VALUES); contents++)
      {
        g_autofree double *data = g_new (double, counts[c]);
        g_autofree char *what = g_strdup_printf ("type %d, %zu values, contents %d", type, counts[c], contents);
        g_autoptr (CapraArray) array = NULL;

        for (gsize i = 0; i < counts[c]; i++)
          data[i] = make_value (contents, type, random, i);
        array = make_array (c % 2, type, data, counts[c]);
        if (!capra_clip_device_fits (array))
          {
            g_test_skip ("the device has no doubles, or too little local memory: the host clips");
            return;
          }
        check_array (array, data, what);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/clip-sample/f32", GINT_TO_POINTER (CAPRA_F32), test_sample);
  g_test_add_data_func ("/clip-sample/u8", GINT_TO_POINTER (CAPRA_U8), test_sample);
  g_test_add_data_func ("/clip-sample/i16", GINT_TO_POINTER (CAPRA_I16), test_sample);
  return g_test_run ();
}
