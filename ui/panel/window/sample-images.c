/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sample-images: images to try the panel with, which are drawn when they are first needed. */
#include "ui/panel/window/sample-images.h"

#include <cairo.h>
#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <pango/pangocairo.h>

#include "runtime/base/write-text.h"

#define WIDTH 640
#define HEIGHT 480
#define VERSION "1" /* of the files: raised when an image changes */

/* An image while it is drawn: values from 0 to 1 as on the screen. */
typedef struct {
  float rgb[HEIGHT][WIDTH][3];
  GRand *random;
} Canvas;

static double
uniform (Canvas *canvas, double low, double high)
{
  return g_rand_double_range (canvas->random, low, high);
}

static double
normal (Canvas *canvas)
{
  double u = 1.0 - g_rand_double (canvas->random), v = g_rand_double (canvas->random);

  return sqrt (-2.0 * log (u)) * cos (2.0 * G_PI * v);
}

static void
set_gray (Canvas *canvas, int x, int y, double value)
{
  for (int c = 0; c < 3; c++)
    canvas->rgb[y][x][c] = (float) value;
}

/* The same noise in all channels. */
static void
add_noise (Canvas *canvas, double deviation)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        double noise = deviation * normal (canvas);

        for (int c = 0; c < 3; c++)
          canvas->rgb[y][x][c] += (float) noise;
      }
}

/* Bright spots on an uneven background, such as nuclei of cells. */
static void
draw_blobs (Canvas *canvas)
{
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      set_gray (canvas, x, y, 0.16 + 0.10 * x / WIDTH + 0.05 * sin (3.0 * y / HEIGHT));
  for (int i = 0; i < 70; i++)
    {
      double cx = uniform (canvas, 0, WIDTH), cy = uniform (canvas, 0, HEIGHT), angle = uniform (canvas, 0, G_PI);
      double a = uniform (canvas, 6, 12), b = a * uniform (canvas, 0.6, 1.0), height = uniform (canvas, 0.4, 0.6);

      for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
          {
            double u = ((x - cx) * cos (angle) + (y - cy) * sin (angle)) / a;
            double v = ((y - cy) * cos (angle) - (x - cx) * sin (angle)) / b, d = u * u + v * v;

            if (d < 9.0)
              set_gray (canvas, x, y, (double) canvas->rgb[y][x][0] + height * exp (-0.5 * d * d));
          }
    }
  add_noise (canvas, 0.025);
}

static void
draw_coin (Canvas *canvas, double cx, double cy, double radius, double phase)
{
  for (int y = MAX (0, (int) (cy - radius)); y < MIN (HEIGHT, (int) (cy + radius) + 1); y++)
    for (int x = MAX (0, (int) (cx - radius)); x < MIN (WIDTH, (int) (cx + radius) + 1); x++)
      {
        double d = hypot (x - cx, y - cy) / radius, light = (cx - x + cy - y) / radius;
        double relief = 0.04 * sin (6.0 * d + 3.0 * atan2 (y - cy, x - cx) + phase);

        if (d <= 1.0)
          set_gray (canvas, x, y, 0.74 + (d > 0.86 ? 0.06 * light : relief + 0.03 * light));
      }
}

/* Discs of several sizes that do not touch each other. */
static void
draw_coins (Canvas *canvas)
{
  double list[24][3];
  guint count = 0;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      set_gray (canvas, x, y, 0.20 + 0.12 * (WIDTH - x) / WIDTH + 0.06 * y / HEIGHT);
  for (int attempt = 0; attempt < 4000 && count < G_N_ELEMENTS (list); attempt++)
    {
      double x = uniform (canvas, 0, WIDTH), y = uniform (canvas, 0, HEIGHT), radius = 28.0 + 7.0 * (attempt % 4);
      gboolean free_place = TRUE;

      for (guint i = 0; i < count && free_place; i++)
        free_place = hypot (x - list[i][0], y - list[i][1]) > radius + list[i][2] + 8.0;
      if (!free_place)
        continue;
      list[count][0] = x;
      list[count][1] = y;
      list[count++][2] = radius;
      draw_coin (canvas, x, y, radius, uniform (canvas, 0.0, 6.0));
    }
  add_noise (canvas, 0.02);
}

static const char *const text
  = "The goats of the high mountains\n\nGoats of the genus Capra live where the ground is steep and the air is "
    "thin. They climb rocks that look too smooth for any hoof, and they find their food on ledges which other animals "
    "do not reach.\n\nA page that was photographed under a lamp is bright on one side and dark on the other. One "
    "threshold for the whole page loses a part of the letters; a threshold that follows the brightness of the paper "
    "keeps them all.\n\nTo find it, blur the page until the letters are gone, and subtract the page from the result. "
    "What remains is ink.";

/* Black letters on paper that a lamp lights from one side. */
static void
draw_page (Canvas *canvas)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cairo = cairo_create (surface);
  g_autoptr (PangoLayout) layout = pango_cairo_create_layout (cairo);
  PangoFontDescription *font = pango_font_description_from_string ("Serif 16px");

  cairo_set_source_rgb (cairo, 1.0, 1.0, 1.0);
  cairo_paint (cairo);
  cairo_set_source_rgb (cairo, 0.1, 0.1, 0.1);
  cairo_move_to (cairo, 40.0, 36.0);
  pango_layout_set_font_description (layout, font);
  pango_layout_set_width (layout, (WIDTH - 80) * PANGO_SCALE);
  pango_layout_set_justify (layout, TRUE);
  pango_layout_set_line_spacing (layout, 1.25f);
  pango_layout_set_text (layout, text, -1);
  pango_cairo_show_layout (cairo, layout);
  cairo_surface_flush (surface);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guint8 *row = cairo_image_surface_get_data (surface) + y * cairo_image_surface_get_stride (surface);
        double d = hypot (x - 120.0, y - 80.0) / WIDTH, light = 0.35 + 0.6 * exp (-1.6 * d * d);

        set_gray (canvas, x, y, light * row[4 * x + 1] / 255.0);
      }
  pango_font_description_free (font);
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  add_noise (canvas, 0.012);
}

/* The height of a ridge: a sum of waves that get shorter and lower. */
static double
get_ridge (double x, int ridge)
{
  double height = 0.0;

  for (int octave = 0; octave < 7; octave++)
    {
      double frequency = 0.008 * (1 << octave), phase = 1.7 * octave * octave + 2.3 * ridge;

      height += fabs (sin (frequency * x + phase)) * 55.0 / (1 << octave);
    }
  return height;
}

static void
get_sky (double x, double y, double rgb[3])
{
  double height = y / 300.0, sun = exp (-hypot (x - 440.0, y - 130.0) / 60.0);
  const double top[3] = { 0.30, 0.50, 0.78 }, bottom[3] = { 0.95, 0.78, 0.60 }, light[3] = { 0.5, 0.42, 0.2 };

  for (int c = 0; c < 3; c++)
    rgb[c] = top[c] + (bottom[c] - top[c]) * CLAMP (height, 0.0, 1.0) + light[c] * sun;
}

/* Mountains, their reflection in a lake, and a low sun, with grain as of a film. */
static void
draw_landscape (Canvas *canvas)
{
  const double shore = 310.0;

  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        double wave = y > shore ? 2.5 * sin (0.9 * (y - shore) + 0.03 * x) : 0.0, rgb[3];
        double mirrored = y > shore ? 2.0 * shore - y : y;

        get_sky (x, mirrored, rgb);
        for (int ridge = 0; ridge < 3; ridge++)
          if (mirrored > shore + 15.0 * ridge - 95.0 + 25.0 * ridge - get_ridge (x + 3.0 * wave, ridge))
            for (int c = 0; c < 3; c++)
              rgb[c] = (0.62 - 0.2 * ridge) * (c == 2 ? 0.95 : 0.75 + 0.05 * c)
                       + 0.05 * sin (0.31 * x + 0.17 * mirrored) * sin (0.23 * mirrored - 0.11 * x);
        for (int c = 0; c < 3; c++)
          canvas->rgb[y][x][c] = (float) (rgb[c] * (y > shore ? 0.72 + 0.04 * wave : 1.0));
      }
  add_noise (canvas, 0.015);
}

typedef struct {
  const char *name, *title, *description, *command;
  void (*draw) (Canvas *canvas);
} Sample;

#define INPUT "gegl:nop id=input " /* for the second input of a step */

static const Sample samples[] = {
  { "blobs", N_ ("Blobs"), N_ ("Smooth, segment and count"),
    INPUT "capra:gaussian-blur std-dev-x=1.5 std-dev-y=1.5 capra:threshold method=otsu "
          "capra:label min-size=20 capra:measure aux=[ ref=input ]",
    draw_blobs },
  { "coins", N_ ("Coins"), N_ ("Measure whole objects"),
    INPUT "capra:threshold method=otsu capra:label exclude-edges=true min-size=100 "
          "capra:measure aux=[ ref=input ]",
    draw_coins },
  { "page", N_ ("Page of text"), N_ ("Remove uneven light"),
    INPUT "capra:box-blur radius=12 gegl:subtract aux=[ ref=input ] capra:threshold method=otsu gegl:invert-linear",
    draw_page },
  { "landscape", N_ ("Landscape"), N_ ("Soften"), "capra:gaussian-blur std-dev-x=4 std-dev-y=4", draw_landscape },
};

CapraSampleImage *
capra_sample_image_get (guint index)
{
  CapraSampleImage *sample = NULL;

  if (index >= G_N_ELEMENTS (samples))
    return NULL;
  sample = g_new (CapraSampleImage, 1);
  *sample = (CapraSampleImage){ samples[index].name, _ (samples[index].title), _ (samples[index].description),
                                samples[index].command };
  return sample;
}

static cairo_status_t
append (gpointer array, const guchar *bytes, guint length)
{
  g_byte_array_append (array, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

/* (transfer full): the image as a PNG file */
static GByteArray *
draw (const Sample *sample)
{
  g_autofree Canvas *canvas = g_new0 (Canvas, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  guint8 *pixels = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  GByteArray *png = g_byte_array_new ();

  canvas->random = g_rand_new_with_seed (1);
  sample->draw (canvas);
  g_rand_free (canvas->random);
  cairo_surface_flush (surface);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        guint32 pixel = 0;

        for (int c = 0; c < 3; c++)
          pixel = pixel << 8 | (guint32) lrintf (CLAMP (canvas->rgb[y][x][c], 0.0f, 1.0f) * 255.0f);
        ((guint32 *) (gpointer) (pixels + (gsize) y * (gsize) stride))[x] = pixel;
      }
  cairo_surface_mark_dirty (surface);
  cairo_surface_write_to_png_stream (surface, append, png);
  cairo_surface_destroy (surface);
  return png;
}

static const Sample *
find_sample (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    if (g_str_equal (samples[i].name, name))
      return &samples[i];
  return NULL;
}

GFile *
capra_sample_image_make (const char *name, GError **error)
{
  const Sample *sample = find_sample (name);
  g_autofree char *folder = g_build_filename (g_get_user_cache_dir (), "capra", "samples-" VERSION, NULL);
  g_autofree char *file = g_strconcat (name, ".png", NULL), *path = g_build_filename (folder, file, NULL);
  g_autoptr (GByteArray) png = NULL;

  if (!sample)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("Unknown sample image “%s”"), name);
      return NULL;
    }
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return g_file_new_for_path (path);
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), _ ("Cannot create the folder %s: %s"),
                   folder, g_strerror (errno));
      return NULL;
    }
  png = draw (sample);
  if (!capra_write_data (path, (const char *) png->data, png->len, error))
    return NULL;
  return g_file_new_for_path (path);
}
