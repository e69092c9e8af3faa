/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the sample image of the demonstration: blobs on an uneven background, with noise. */
#include <glib.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOBS 150

/* Adds a round blob; @radius is the sigma of its profile. */
static void
add_blob (float *image, int size, double x, double y, double radius, double height)
{
  int reach = (int) ceil (4 * radius);

  for (int j = MAX (0, (int) y - reach); j < MIN (size, (int) y + reach + 1); j++)
    for (int i = MAX (0, (int) x - reach); i < MIN (size, (int) x + reach + 1); i++)
      {
        double d = ((i - x) * (i - x) + (j - y) * (j - y)) / (2 * radius * radius);

        image[(gsize) j * size + i] += (float) (height * exp (-d));
      }
}

static double
normal (GRand *random)
{
  double u = 1.0 - g_rand_double (random), v = g_rand_double (random);

  return sqrt (-2.0 * log (u)) * cos (2.0 * G_PI * v);
}

static float *
make_image (int size, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  float *image = g_new (float, (gsize) size * size);

  for (int j = 0; j < size; j++)
    for (int i = 0; i < size; i++)
      image[(gsize) j * size + i] = (float) (0.06 + 0.06 * i / size + 0.04 * sin (3.0 * j / size));

  for (int b = 0; b < BLOBS; b++)
    add_blob (image, size, g_rand_double (random) * size, g_rand_double (random) * size,
              size * (0.006 + 0.008 * g_rand_double (random)), 0.5 + 0.3 * g_rand_double (random));

  for (gsize i = 0; i < (gsize) size * size; i++)
    image[i] += (float) (0.05 * normal (random));
  return image;
}

/* From linear light to 16 bits with the sRGB curve, big-endian as in PNG. */
static guint16
encode (double linear)
{
  double v = CLAMP (linear, 0.0, 1.0);

  v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow (v, 1 / 2.4) - 0.055;
  return GUINT16_TO_BE ((guint16) lrint (v * 65535.0));
}

/* 16-bit gray. */
static gboolean
write_png (FILE *file, const float *image, int size)
{
  png_structp png = png_create_write_struct (PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct (png);
  g_autofree guint16 *row = g_new (guint16, size);

  if (setjmp (png_jmpbuf (png)))
    {
      png_destroy_write_struct (&png, &info);
      return FALSE;
    }
  png_init_io (png, file);
  png_set_IHDR (png, info, size, size, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                PNG_FILTER_TYPE_DEFAULT);
  png_write_info (png, info);
  for (int j = 0; j < size; j++)
    {
      for (int i = 0; i < size; i++)
        row[i] = encode (image[(gsize) j * size + i]);
      png_write_row (png, (png_const_bytep) row);
    }
  png_write_end (png, info);
  png_destroy_write_struct (&png, &info);
  return TRUE;
}

int
main (int argc, char **argv)
{
  int size = argc > 2 ? atoi (argv[2]) : 1024;
  g_autofree float *image = NULL;
  FILE *file = NULL;
  gboolean written = FALSE;

  if (argc < 2 || size < 16 || size > 32768)
    {
      fprintf (stderr, "Usage: capra-sample FILE.png [SIZE]   (16 to 32768 pixels, default 1024)\n");
      return 2;
    }
  file = fopen (argv[1], "wb");
  image = make_image (size, 1);
  written = file && write_png (file, image, size);
  if (file && fclose (file) != 0)
    written = FALSE;
  if (!written)
    fprintf (stderr, "capra-sample: cannot write %s\n", argv[1]);
  return written ? 0 : 1;
}
