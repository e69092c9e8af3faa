/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers and writers of samples: PNG files made with zlib, hand-made NumPy arrays, truncated files and files with a
 * wrong size. */
#include <math.h>
#include <string.h>

#include "tests/panel/collect.h"
#include "ui/pipeline/read/npy-reader.h"
#include "ui/pipeline/write/npy-writer.h"
#include "ui/pipeline/read/png-reader.h"

/* PNG files of 5 x 3 pixels made with zlib: bits, samples, bytes. The one of 16 bits has a gamma; one is interlaced. */
#define BIT "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADAQAAAABzTfhVAAAADklEQVR42mMIYFjBEAAAA94BSWqoxpcAAAAASUVORK5CYII="
#define NIBBLE \
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADBAAAAAC7rXclAAAAFElEQVR42mNgzjzAELFPgGEtcwIAFKADY5cQyxAAAAAASUVORK5CYII="
#define WIDE \
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADEAAAAAAuzUZnAAAABGdBTUEAALGPC/xhBQAAACpJREFUeNpjYGA0NklLnznrzFkGARZn87Ks" \
  "lXPvXGBQYA+2asvdueDNZQC4+Q0hqcnTnwAAAABJRU5ErkJggg=="
#define PALETTE \
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAMAAABs6DXKAAAALVBMVEUABw4VHCMqMTg/Rk1UW2JpcHd+hYyTmqGor7a9xMvS2eDn7vX8" \
  "AwoRGB8mLTQv9ahOAAAAGklEQVR42mNgYGRiZmFgZWPn4GTg4ubh5QMAAnkAajBGLKwAAAAASUVORK5CYII="
#define COLORS \
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAYAAABbNsX4AAAAR0lEQVR42mNgAAIjBkabFAamimkMzFtOMLB8YGBIYWQ2SmGyT0lhrp6W" \
  "wrL9RArrZwaGE0xsRieYnVJOsNRNO8G668QJtm8A0XsTG9nUZ7EAAAAASUVORK5CYII="
#define PASSES \
  "iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAAAAAEJWqqyAAAAHklEQVR42mNgYFjAEMCwhSWEQaOC4Y4OQ1TTqku/ADcwBvekl9lvAAAA" \
  "AElFTkSuQmCC"

static double
pixel_of_png (int picture, int x, int y, int channel)
{
  const int colors[] = { x * 50, y * 100, x + y, (x * 60 + y * 3) % 256 };

  switch (picture)
    {
    case 0: return (x + y) & 1;
    case 1: return (x * 3 + y * 5) % 16;
    case 2: return (x * 13107 + y * 4099 + 1) % 65536;
    case 3: return x + y * 5;
    case 4: return colors[channel];
    default: return (x * 40 + y * 90) % 256;
    }
}

static void
test_png (void)
{
  static const char *const pictures[] = { BIT, NIBBLE, WIDE, PALETTE, COLORS, PASSES };

  for (int p = 0; p < (int) G_N_ELEMENTS (pictures); p++)
    {
      gsize length;
      g_autofree guint8 *bytes = g_base64_decode (pictures[p], &length);
      g_autofree char *path = collect_write ("a.png", bytes, length);
      CollectedNumbers numbers = collect_numbers (capra_png_read, path);
      int channels = p == 4 ? 4 : 1;

      collect_assert_layout (&numbers, 5, 3, channels, p == 2 ? CAPRA_SAMPLE_U16 : CAPRA_SAMPLE_U8);
      for (int i = 0; i < 15 * channels; i++)
        g_assert_cmpfloat (numbers.values[i], ==, pixel_of_png (p, i / channels % 5, i / channels / 5, i % channels));
      g_free (numbers.values);
      collect_assert_truncated_fails (capra_png_read, bytes, length);
    }
}

/* An array of 3 rows and 2 columns with samples 1 to 6. @size: bytes per sample; @big: big-endian */
static char *
write_npy (const char *type, const char *order, const char *shape, gsize size, gboolean big, int version)
{
  g_autofree char *header = g_strdup_printf ("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }\n", type, order,
                                             shape);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize length = strlen (header);
  guint8 start[12] = { 0x93, 'N', 'U', 'M', 'P', 'Y', (guint8) version, 0, (guint8) length, 0, 0, 0 };

  g_byte_array_append (bytes, start, version > 1 ? 12 : 10);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) length);
  for (guint8 i = 1; i <= 6; i++)
    for (gsize b = 0; b < size; b++)
      {
        guint8 byte = b == (big ? size - 1 : 0) ? i : 0;

        g_byte_array_append (bytes, &byte, 1);
      }
  return collect_write ("a.npy", bytes->data, bytes->len);
}

static void
test_npy (void)
{
  static const struct {
    const char *name;
    gsize size;
    CapraSampleType type;
  } types[] = {
    { "u1", 1, CAPRA_SAMPLE_U8 },  { "i1", 1, CAPRA_SAMPLE_I8 },  { "b1", 1, CAPRA_SAMPLE_U8 },
    { "u2", 2, CAPRA_SAMPLE_U16 }, { "i2", 2, CAPRA_SAMPLE_I16 }, { "u4", 4, CAPRA_SAMPLE_U32 },
    { "i4", 4, CAPRA_SAMPLE_I32 }, { "u8", 8, CAPRA_SAMPLE_U64 }, { "i8", 8, CAPRA_SAMPLE_I64 },
  };

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (int way = 0; way < 8; way++)
      {
        gboolean big = way & 1, columns = way & 2;
        g_autofree char *name = g_strdup_printf ("%c%s", types[t].size == 1 ? '|' : big ? '>' : '<', types[t].name);
        g_autofree char *path = write_npy (name, columns ? "True" : "False", "3, 2", types[t].size, big,
                                           way & 4 ? 2 : 1);
        CollectedNumbers numbers = collect_numbers (capra_npy_read, path);

        collect_assert_layout (&numbers, 2, 3, 1, types[t].type);
        for (int i = 0; i < 6; i++)
          g_assert_cmpfloat (numbers.values[i], ==, columns ? i / 2 + i % 2 * 3 + 1 : i + 1);
        g_free (numbers.values);
      }
}

/* 1, -2, infinity, the smallest half, 65504, a third: as written by NumPy. */
static void
test_half (void)
{
  static const guint16 halves[] = { 0x3C00, 0xC000, 0x7C00, 0x0001, 0x7BFF, 0x3555 };
  const double values[] = { 1, -2, INFINITY, 5.9604644775390625e-08, 65504, 0.333251953125 };
  double found[6];

  g_assert_true (capra_samples_to_doubles (CAPRA_SAMPLE_F16, halves, 6, found));
  for (int i = 0; i < 6; i++)
    g_assert_cmpfloat (found[i], ==, values[i]);
}

static void
test_npy_refused (void)
{
  static const struct {
    const char *type, *shape, *text;
  } bad[] = {
    { "<c8", "3, 2", "\"<c8\"" },
    { "|O", "3, 2", "\"|O\"" },
    { "<u2", "6,", "2 dimensions" },
    { "<u2", "3, 2, 7", "2 dimensions" },
    { "<u2", "1, 1, 3, 2", "2 dimensions" },
    { "<u2", "-3, 2", "shape" },
    { "<u2", "0, 2", "no image" },
    { "<u2", "4000000, 4000000", "too large" },
    { "<u2", "99999999999, 99999999999", "too large" },
    { "<u2", "3, 3", "incomplete" },
  };
  g_autofree char *whole = NULL, *path = NULL;
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *file = write_npy (bad[i].type, "False", bad[i].shape, 2, FALSE, 1);

      collect_assert_refused (capra_npy_read, file, bad[i].text);
    }
  path = write_npy ("<u2", "False", "3, 2", 2, FALSE, 1);
  g_assert_true (g_file_get_contents (path, &whole, &length, NULL));
  collect_assert_truncated_fails (capra_npy_read, (const guint8 *) whole, length);
}

/* Rows for a writer: values of the sample type, including its extremes. */
static gboolean
give (int y, int rows, gpointer samples, gpointer data, GError **error)
{
  const CapraSampleLayout *layout = data;
  gsize count = (gsize) layout->width * (gsize) layout->channels;
  g_autofree double *values = g_new (double, count);

  for (int i = 0; i < rows; i++)
    {
      for (gsize j = 0; j < count; j++)
        values[j] = (double) (((gsize) (y + i) * count + j) * 4000037 % 4294967296u) - 2147483648.0;
      capra_samples_from_doubles (layout->type, values, count,
                                  (guint8 *) samples + (gsize) i * capra_sample_layout_get_stride (layout));
    }
  return TRUE;
}

/* Round trips; the first bytes of an array equal those that NumPy 1.24 writes. */
static void
test_npy_written (void)
{
  static const char head[] = "\x93NUMPY\1\0v\0{'descr': '<u2', 'fortran_order': False, 'shape': (3, 700, 2), }";

  for (CapraSampleType type = CAPRA_SAMPLE_U8; type <= CAPRA_SAMPLE_F64; type++)
    {
      CapraSampleLayout layout = { 700, 3, 2, FALSE, type };
      g_autofree char *path = collect_path ("w.npy"), *bytes = NULL;
      g_autoptr (CapraOutputFile) file = NULL;
      g_autofree guint8 *samples = NULL, *again = NULL;
      CollectedNumbers numbers;

      if (type == CAPRA_SAMPLE_F16)
        continue;
      file = capra_output_file_open (path, NULL);
      g_assert_true (capra_npy_write (file, &layout, give, &layout, NULL) && capra_output_file_commit (file, NULL));
      numbers = collect_numbers (capra_npy_read, path);
      collect_assert_layout (&numbers, 700, 3, 2, type);
      samples = g_malloc0 (700 * 3 * 2 * 8);
      again = g_malloc0 (700 * 3 * 2 * 8);
      give (0, 3, samples, &layout, NULL);
      capra_samples_from_doubles (type, numbers.values, 700 * 3 * 2, again);
      g_assert_cmpmem (samples, 700 * 3 * 2 * 8, again, 700 * 3 * 2 * 8);
      g_assert_true (g_file_get_contents (path, &bytes, NULL, NULL));
      if (type == CAPRA_SAMPLE_U16)
        g_assert_cmpmem (bytes, sizeof head - 1, head, sizeof head - 1);
      g_assert_cmpint (bytes[127], ==, '\n');
      g_free (numbers.values);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/numbers/png", test_png);
  g_test_add_func ("/numbers/npy", test_npy);
  g_test_add_func ("/numbers/npy-refused", test_npy_refused);
  g_test_add_func ("/numbers/npy-written", test_npy_written);
  g_test_add_func ("/numbers/half", test_half);
  return collect_run ();
}
