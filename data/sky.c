/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an artificial image of the sky as a radio telescope sees it, as a FITS file: noise, point sources with the
 * profile of the beam, some extended sources, and on request a slope of the background. The same seed gives the same
 * image. The sources can be written to a table, to compare them with those that are found. */
#include <glib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CARD 80
#define BLOCK 2880

#define NOISE 0.0133         /* standard deviation, in Jy/beam */
#define FAINTEST (3 * NOISE) /* peak of the faintest sources */
#define BRIGHTEST 3.0        /* of the brightest */
#define SLOPE_OF_COUNTS 1.1  /* sources brighter than S are proportional to S to the power of minus this */
#define SOURCES_PER_PIXEL 6e-5
#define EXTENDED 0.1 /* part of the sources */
#define BEAM 2.5     /* sigma in pixels */
#define PIXEL_DEGREES (6.0 / 3600)
#define CENTER_RA 201.36
#define CENTER_DEC 43.02

typedef struct {
  int size, seed;
  double slope;
  char *projection, *table;
} Options;

typedef struct {
  double x, y, peak, along, across, angle; /* sigmas in pixels, angle in radians */
} Source;

static double
normal (GRand *random)
{
  double u = 1.0 - g_rand_double (random), v = g_rand_double (random);

  return sqrt (-2.0 * log (u)) * cos (2.0 * G_PI * v);
}

static Source
make_source (GRand *random, int size)
{
  Source s = { g_rand_double (random) * size, g_rand_double (random) * size, 0, BEAM, BEAM, 0 };

  s.peak = FAINTEST * pow (1.0 - g_rand_double (random), -1 / SLOPE_OF_COUNTS);
  s.peak = MIN (s.peak, BRIGHTEST);
  if (g_rand_double (random) < EXTENDED)
    {
      s.along = BEAM * (2 + 2 * g_rand_double (random));
      s.across = BEAM * (1 + g_rand_double (random));
      s.angle = G_PI * g_rand_double (random);
    }
  return s;
}

static void
add_source (float *image, int size, const Source *s)
{
  int reach = (int) ceil (6 * s->along);

  for (int j = MAX (0, (int) s->y - reach); j < MIN (size, (int) s->y + reach + 1); j++)
    for (int i = MAX (0, (int) s->x - reach); i < MIN (size, (int) s->x + reach + 1); i++)
      {
        double u = ((i - s->x) * cos (s->angle) + (j - s->y) * sin (s->angle)) / s->along;
        double v = ((j - s->y) * cos (s->angle) - (i - s->x) * sin (s->angle)) / s->across;

        image[(gsize) j * size + i] += (float) (s->peak * exp (-(u * u + v * v) / 2));
      }
}

/* @sources: (out) (element-type Source) */
static float *
make_image (const Options *o, GArray *sources)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) o->seed);
  gsize count = (gsize) o->size * o->size;
  float *image = g_new (float, count);
  int n_sources = (int) ceil (SOURCES_PER_PIXEL * count);

  for (gsize i = 0; i < count; i++)
    image[i] = (float) (NOISE * normal (random) + o->slope * ((double) (i % o->size) / o->size - 0.5));
  for (int i = 0; i < n_sources; i++)
    {
      Source source = make_source (random, o->size);

      add_source (image, o->size, &source);
      g_array_append_val (sources, source);
    }
  return image;
}

static void add_card (GString *header, const char *name, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
add_card (GString *header, const char *name, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list arguments;
  gsize end = header->len + CARD;

  va_start (arguments, format);
  value = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_string_append_printf (header, "%-8s", name);
  if (*value)
    g_string_append_printf (header, *value == '\'' ? "= %-20s" : "= %20s", value);
  while (header->len < end)
    g_string_append_c (header, ' ');
}

static GString *
make_header (const Options *o)
{
  GString *header = g_string_new (NULL);
  double width = BEAM * sqrt (8 * log (2)) * PIXEL_DEGREES;

  add_card (header, "SIMPLE", "T");
  add_card (header, "BITPIX", "-32");
  add_card (header, "NAXIS", "2");
  add_card (header, "NAXIS1", "%d", o->size);
  add_card (header, "NAXIS2", "%d", o->size);
  add_card (header, "BUNIT", "'Jy/beam'");
  add_card (header, "OBJECT", "'artificial sky'");
  add_card (header, "CTYPE1", "'RA---%s'", o->projection);
  add_card (header, "CRPIX1", "%.1f", o->size / 2 + 1.0);
  add_card (header, "CRVAL1", "%.10f", CENTER_RA);
  add_card (header, "CDELT1", "%.12f", -PIXEL_DEGREES);
  add_card (header, "CUNIT1", "'deg'");
  add_card (header, "CTYPE2", "'DEC--%s'", o->projection);
  add_card (header, "CRPIX2", "%.1f", o->size / 2 + 1.0);
  add_card (header, "CRVAL2", "%.10f", CENTER_DEC);
  add_card (header, "CDELT2", "%.12f", PIXEL_DEGREES);
  add_card (header, "CUNIT2", "'deg'");
  add_card (header, "EQUINOX", "2000.0");
  add_card (header, "BMAJ", "%.10f", width);
  add_card (header, "BMIN", "%.10f", width);
  add_card (header, "BPA", "0.0");
  add_card (header, "END", "%s", "");
  while (header->len % BLOCK)
    g_string_append_c (header, ' ');
  return header;
}

static gboolean
write_fits (const char *path, const Options *o, const float *image, GError **error)
{
  GString *data = make_header (o);
  gsize count = (gsize) o->size * o->size;
  gboolean written = FALSE;

  for (gsize i = 0; i < count; i++)
    {
      guint32 bits;

      memcpy (&bits, &image[i], sizeof bits);
      bits = GUINT32_TO_BE (bits);
      g_string_append_len (data, (const char *) &bits, sizeof bits);
    }
  while (data->len % BLOCK)
    g_string_append_c (data, '\0');
  written = g_file_set_contents (path, data->str, (gssize) data->len, error);
  g_string_free (data, TRUE);
  return written;
}

/* Rows as those of capra:measure, whose first row of pixels is the top one, which is the last one of the file. The sum
 * is that of all pixels of a source, also below the threshold; axes and orientation are those of scikit-image. */
static gboolean
write_table (const char *path, const Options *o, const GArray *sources, GError **error)
{
  g_autoptr (GString) text = g_string_new ("x,y,peak,sum,axis_major_length,axis_minor_length,orientation\n");

  for (guint i = 0; i < sources->len; i++)
    {
      const Source *s = &g_array_index (sources, Source, i);
      double values[] = {
        s->x,          o->size - 1 - s->y,  s->peak, 2 * G_PI * s->peak * s->along * s->across, 4 * s->along,
        4 * s->across, G_PI / 2 + s->angle,
      };

      for (guint v = 0; v < G_N_ELEMENTS (values); v++)
        g_string_append_printf (text, v ? ",%.9g" : "%.9g", values[v]);
      g_string_append_c (text, '\n');
    }
  return g_file_set_contents (path, text->str, (gssize) text->len, error);
}

int
main (int argc, char **argv)
{
  Options o = { 2048, 1, 0, NULL, NULL };
  const GOptionEntry entries[] = {
    { "size", 'n', 0, G_OPTION_ARG_INT, &o.size, "Width and height in pixels (16 to 32768, default 2048)", "PIXELS" },
    { "seed", 's', 0, G_OPTION_ARG_INT, &o.seed, "Number that selects the image (default 1)", "NUMBER" },
    { "slope", 0, 0, G_OPTION_ARG_DOUBLE, &o.slope, "Rise of the background across the image, in Jy/beam (default 0)",
      "JY" },
    { "projection", 'p', 0, G_OPTION_ARG_STRING, &o.projection, "SIN or TAN (default SIN)", "NAME" },
    { "table", 't', 0, G_OPTION_ARG_FILENAME, &o.table, "Write the sources to FILE.csv, too", "FILE.csv" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE.fits - write an artificial image of the sky");
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (Source));
  g_autofree float *image = NULL;
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "capra-sky: %s\n", error->message);
      return 2;
    }
  o.projection = o.projection ? o.projection : g_strdup ("SIN");
  if (argc != 2 || o.size < 16 || o.size > 32768
      || (!g_str_equal (o.projection, "SIN") && !g_str_equal (o.projection, "TAN")))
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

      fputs (help, stderr);
      return 2;
    }
  image = make_image (&o, sources);
  if (!write_fits (argv[1], &o, image, &error) || (o.table && !write_table (o.table, &o, sources, &error)))
    {
      fprintf (stderr, "capra-sky: cannot write: %s\n", error->message);
      return 1;
    }
  g_free (o.projection);
  g_free (o.table);
  return 0;
}
