/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of TIFF: hand-made files, all layouts and compressions of libtiff's writer, truncated and damaged
 * files. */
#include <math.h>
#include <string.h>
#include <tiffio.h>

#include "tests/panel/collect.h"
#include "ui/pipeline/read/tiff-reader.h"

/* A minimal hand-made TIFF in both byte orders: 3 x 2 pixels of 16 bits. */
static void
test_tiff_by_hand (void)
{
  static const guint16 tags[][2] = { { 256, 3 }, { 257, 2 }, { 258, 16 }, { 262, 1 },
                                     { 273, 0 }, { 277, 1 }, { 278, 2 },  { 279, 12 } };
  enum { COUNT = G_N_ELEMENTS (tags), DATA = 8 + 2 + COUNT * 12 + 4 };

  for (int big = 0; big < 2; big++)
    {
      guint8 bytes[DATA + 12] = { 0 };
      g_autofree char *path = NULL;
      CollectedNumbers numbers;

#define PUT16(at, value) \
  (bytes[(at) + (big ? 0 : 1)] = (guint8) ((value) >> 8), bytes[(at) + (big ? 1 : 0)] = (guint8) (value))
      memcpy (bytes, big ? "MM" : "II", 2);
      PUT16 (2, 42);
      PUT16 (big ? 6 : 4, 8);
      PUT16 (8, COUNT);
      for (int i = 0; i < COUNT; i++)
        {
          PUT16 (10 + i * 12, tags[i][0]);
          PUT16 (12 + i * 12, 3); /* of 16 bits */
          PUT16 (big ? 16 + i * 12 : 14 + i * 12, 1);
          PUT16 (18 + i * 12, tags[i][0] == 273 ? DATA : tags[i][1]);
        }
      for (int i = 0; i < 6; i++)
        PUT16 (DATA + 2 * i, i * 13000 + 7);
#undef PUT16
      path = collect_write ("a.tif", bytes, sizeof bytes);
      numbers = collect_numbers (capra_tiff_read, path);
      collect_assert_layout (&numbers, 3, 2, 1, CAPRA_SAMPLE_U16);
      for (int i = 0; i < 6; i++)
        g_assert_cmpfloat (numbers.values[i], ==, i * 13000 + 7);
      g_free (numbers.values);
      collect_assert_truncated_fails (capra_tiff_read, bytes, sizeof bytes);
    }
}

#define WIDTH 61
#define HEIGHT 47

/* The value of sample @i: an integer of @bits bits. */
static double
sample (int i, int bits, gboolean sign)
{
  guint32 hash = (guint32) i * 2654435761u;
  double value = ldexp (hash, bits - 32);

  return floor (sign ? value - ldexp (1, bits - 1) : value);
}

/* Writes a file with libtiff in the given layout. */
typedef struct {
  int bits, format, channels, compression, planar, tile;
} Variant;

static void
pack (const Variant *v, guint8 *row, int at, double value)
{
  switch (v->bits)
    {
    case 8: row[at] = (guint8) (gint64) value; break;
    case 16: ((guint16 *) row)[at] = (guint16) (gint64) value; break;
    case 32:
      if (v->format == SAMPLEFORMAT_IEEEFP)
        ((float *) row)[at] = (float) value;
      else
        ((guint32 *) row)[at] = (guint32) (gint64) value;
      break;
    case 64: ((double *) row)[at] = value; break;
    default:
      for (int b = 0; b < v->bits; b++)
        if ((guint) value >> (v->bits - 1 - b) & 1)
          row[(at * v->bits + b) / 8] |= (guint8) (0x80 >> (at * v->bits + b) % 8);
    }
}

static double
sample_of (const Variant *v, int x, int y, int channel)
{
  int bits = v->format == SAMPLEFORMAT_IEEEFP ? 20 : v->bits;

  return sample ((y * WIDTH + x) * v->channels + channel, bits, v->format == SAMPLEFORMAT_INT);
}

/* @width x @height pixels at @x, @y, of plane @plane, or of all planes (-1). */
static void
fill (const Variant *v, guint8 *block, int x, int y, int width, int height, int plane)
{
  int stored = plane < 0 ? v->channels : 1;
  gsize stride = ((gsize) (width * stored * v->bits) + 7) / 8;

  memset (block, 0, stride * (gsize) height);
  for (int j = 0; j < height && y + j < HEIGHT; j++)
    for (int i = 0; i < width && x + i < WIDTH; i++)
      for (int c = 0; c < stored; c++)
        pack (v, block + (gsize) j * stride, i * stored + c, sample_of (v, x + i, y + j, plane < 0 ? c : plane));
}

static void
write_variant (const char *path, const Variant *v)
{
  TIFF *tiff = TIFFOpen (path, "w");
  int planes = v->planar == PLANARCONFIG_SEPARATE ? v->channels : 1;
  guint16 extra = EXTRASAMPLE_UNASSALPHA;
  g_autofree guint8 *block = g_malloc0 (WIDTH * HEIGHT * 64);

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, v->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, v->format);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, v->channels);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, v->compression);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, v->planar);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, v->channels > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
  if (v->channels % 2 == 0)
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
  if (v->tile)
    {
      TIFFSetField (tiff, TIFFTAG_TILEWIDTH, v->tile);
      TIFFSetField (tiff, TIFFTAG_TILELENGTH, v->tile);
    }
  else
    TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 5);
  for (int p = 0; p < planes; p++)
    for (int y = 0; y < HEIGHT; y += v->tile ? v->tile : 1)
      for (int x = 0; x < WIDTH; x += v->tile ? v->tile : WIDTH)
        {
          fill (v, block, x, y, v->tile ? v->tile : WIDTH, v->tile ? v->tile : 1, planes > 1 ? p : -1);
          if (v->tile)
            g_assert_cmpint (TIFFWriteTile (tiff, block, (guint32) x, (guint32) y, 0, (guint16) p), >, 0);
          else
            g_assert_cmpint (TIFFWriteScanline (tiff, block, (guint32) y, (guint16) p), ==, 1);
        }
  TIFFClose (tiff);
}

static void
check_variant (const Variant *v)
{
  g_autofree char *path = collect_path ("v.tif");
  CollectedNumbers numbers;

  write_variant (path, v);
  numbers = collect_numbers (capra_tiff_read, path);
  g_assert_cmpint (numbers.layout.channels, ==, v->channels);
  for (int i = 0; i < WIDTH * HEIGHT * v->channels; i++)
    {
      double expected = sample_of (v, i / v->channels % WIDTH, i / v->channels / WIDTH, i % v->channels);

      if (numbers.values[i] != expected)
        g_error ("%d bits, format %d, %d channels, compression %d, planar %d, tile %d: sample %d is %g, not %g",
                 v->bits, v->format, v->channels, v->compression, v->planar, v->tile, i, numbers.values[i], expected);
    }
  g_free (numbers.values);
}

static void
test_tiff (void)
{
  static const int bits[] = { 1, 2, 4, 8, 10, 12, 14, 16, 32 };
  static const int compressions[] = { COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                      COMPRESSION_PACKBITS };

  for (guint b = 0; b < G_N_ELEMENTS (bits); b++)
    for (guint c = 0; c < G_N_ELEMENTS (compressions); c++)
      for (int way = 0; way < 4; way++)
        {
          Variant v = { bits[b],
                        SAMPLEFORMAT_UINT,
                        1 + (int) (b + c) % 4,
                        compressions[c],
                        way & 1 ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG,
                        way & 2 ? 32 : 0 };

          check_variant (&v);
          if (bits[b] == 8 || bits[b] >= 16)
            {
              v.format = SAMPLEFORMAT_INT;
              check_variant (&v);
            }
          if (bits[b] == 32)
            {
              v.format = SAMPLEFORMAT_IEEEFP;
              check_variant (&v);
              v.bits = 64;
              check_variant (&v);
            }
        }
}

/* Pages after the first one are ignored with a remark; colors other than RGB are an error. */
static void
test_tiff_pages (void)
{
  static const Variant v = { 8, SAMPLEFORMAT_UINT, 1, COMPRESSION_NONE, PLANARCONFIG_CONTIG, 0 };
  static const guint8 row[4 * 3] = { 0 };
  g_autofree char *path = collect_path ("p.tif"), *remark = NULL;
  CollectedNumbers numbers = { .values = NULL };
  CapraSampleSink sink = collect_sink (&numbers);
  TIFF *tiff;

  write_variant (path, &v);
  tiff = TIFFOpen (path, "a");
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 4);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_SEPARATED);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFWriteScanline (tiff, (gpointer) row, 0, 0);
  TIFFClose (tiff);
  g_assert_true (capra_tiff_read (path, &sink, &remark, NULL));
  g_assert_nonnull (strstr (remark, "several pages"));
  collect_assert_layout (&numbers, WIDTH, HEIGHT, 1, CAPRA_SAMPLE_U8);
  g_free (numbers.values);

  tiff = TIFFOpen (path, "w");
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 3);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 1);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 4);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_SEPARATED);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFWriteScanline (tiff, (gpointer) row, 0, 0);
  TIFFClose (tiff);
  collect_assert_refused (capra_tiff_read, path, "CMYK");
}

/* Any damaged byte gives an error or other values, never a crash. */
static void
test_damaged (void)
{
  static const Variant v = { 12, SAMPLEFORMAT_UINT, 3, COMPRESSION_LZW, PLANARCONFIG_CONTIG, 32 };
  g_autofree char *source = collect_path ("d.tif"), *bytes = NULL;
  gsize length;

  write_variant (source, &v);
  g_assert_true (g_file_get_contents (source, &bytes, &length, NULL));
  for (gsize i = 0; i < length; i += i < 8 || i + 400 > length ? 1 : 97)
    for (int flip = 1; flip < 256; flip = flip * 4 + 3)
      {
        CollectedNumbers numbers = { .values = NULL };
        CapraSampleSink sink = collect_sink (&numbers);
        g_autofree char *path = NULL;

        bytes[i] ^= (char) flip;
        path = collect_write ("damaged.tif", bytes, length);
        bytes[i] ^= (char) flip;
        numbers.layout.width = 0;
        capra_tiff_read (path, &sink, NULL, NULL);
        g_free (numbers.values);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/tiff/by-hand", test_tiff_by_hand);
  g_test_add_func ("/tiff/layouts", test_tiff);
  g_test_add_func ("/tiff/pages", test_tiff_pages);
  g_test_add_func ("/tiff/damaged", test_damaged);
  return collect_run ();
}
