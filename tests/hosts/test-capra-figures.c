/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of `capra run` and `capra plot`: colors of values, sources of tables, FITS headers, refused options. */
#include <math.h>
#include <string.h>

#include "tests/hosts/hosts.h"

#define SECONDS 120
#define WIDTH 96
#define HEIGHT 64
#define CARD 80
#define BLOCK 2880

static const char *sky_path, *pair_path;

/* Runs a shell command in the home folder; $CAPRA is the program, $SKY and $PAIR are arrays. */
static HostsRun *run_shell (const char *format, ...) G_GNUC_PRINTF (1, 2);

static HostsRun *
run_shell (const char *format, ...)
{
  g_autofree char *settings = g_strdup_printf ("GEGL_PATH=%s\nCAPRA=%s\nSKY=%s\nPAIR=%s\n",
                                               g_getenv ("CAPRA_TEST_GEGL_PATH"), g_getenv ("CAPRA_PROGRAM"), sky_path,
                                               pair_path);
  g_autofree char *line = NULL, *folder = g_path_get_dirname (sky_path), *whole = NULL;
  va_list list;

  va_start (list, format);
  line = g_strdup_vprintf (format, list);
  va_end (list);
  whole = g_strdup_printf ("cd %s && %s", folder, line);
  return hosts_run (settings, SECONDS, (const char *[]){ "sh", "-c", whole, NULL });
}

/* 32-bit floats as NumPy stores them. */
static const char *
write_array (const char *name, int width, int height, const float *values)
{
  g_autofree char *shape = g_strdup_printf ("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", height,
                                            width);
  g_autoptr (GString) file = g_string_new_len ("\x93NUMPY\x01\x00\x76\x00", 10);

  g_string_append_printf (file, "%-117s\n", shape);
  g_assert_cmpuint (file->len, ==, 128);
  g_string_append_len (file, (const char *) values, (gssize) ((gsize) width * (gsize) height * sizeof *values));
  g_assert_true (g_file_set_contents (hosts_path (name), file->str, (gssize) file->len, NULL));
  return hosts_path (name);
}

/* Five sources on an even background. */
static float *
make_sky (void)
{
  float *values = g_new0 (float, WIDTH *HEIGHT);

  for (int s = 0; s < 5; s++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        values[y * WIDTH + x] += (float) exp (-0.2 * (pow (x - 10 - 17 * s, 2) + pow (y - 12 - 9 * s, 2)));
  return values;
}

static void
add_card (GString *file, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list list;

  va_start (list, format);
  text = g_strdup_vprintf (format, list);
  va_end (list);
  g_string_append_printf (file, "%-80s", text);
}

static void
pad (GString *file, char with)
{
  while (file->len % BLOCK)
    g_string_append_c (file, with);
}

/* With or without world coordinates. */
static void
write_fits (const char *name, gboolean world)
{
  g_autoptr (GString) file = g_string_new (NULL);
  g_autofree float *values = make_sky ();

  add_card (file, "SIMPLE  = %20s", "T");
  add_card (file, "BITPIX  = %20d", -32);
  add_card (file, "NAXIS   = %20d", 2);
  add_card (file, "NAXIS1  = %20d", WIDTH);
  add_card (file, "NAXIS2  = %20d", HEIGHT);
  add_card (file, "BUNIT   = 'JY/BEAM '");
  if (world)
    {
      static const char *const types[] = { "RA---TAN", "DEC--TAN" };

      for (int i = 0; i < 2; i++)
        {
          add_card (file, "CTYPE%d  = '%s'", i + 1, types[i]);
          add_card (file, "CRPIX%d  = %20.3f", i + 1, i ? HEIGHT / 2.0 : WIDTH / 2.0);
          add_card (file, "CRVAL%d  = %20.3f", i + 1, i ? -30.0 : 0.1);
          add_card (file, "CDELT%d  = %20.5f", i + 1, i ? 0.01 : -0.01);
        }
    }
  add_card (file, "END");
  pad (file, ' ');
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      guint32 bits;

      memcpy (&bits, &values[i], sizeof bits);
      bits = GUINT32_TO_BE (bits);
      g_string_append_len (file, (const char *) &bits, sizeof bits);
    }
  pad (file, '\0');
  g_assert_true (g_file_set_contents (hosts_path (name), file->str, (gssize) file->len, NULL));
}

static double
to_linear (int byte)
{
  return byte <= 10 ? byte / 255.0 / 12.92 : pow ((byte / 255.0 + 0.055) / 1.055, 2.4);
}

static void
assert_color (const HostsImage *image, double x, double y, guint32 color)
{
  const double *pixel = image->values + 3 * ((int) (y * image->height) * image->width + (int) (x * image->width));

  for (int c = 0; c < 3; c++)
    g_assert_cmpfloat_with_epsilon (pixel[c], to_linear ((int) (color >> 8 * (2 - c) & 255)), 0.004);
}

/* The ends of the color map, for limits by value and by percentile. */
static void
test_colors (void)
{
  static const char *const limits[] = { "", "--limits=-1,3", "--limits=0%,100%", "--limits=,3 --stretch=log" };

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (HostsRun) run = run_shell ("$CAPRA run -q --data $PAIR --figure=pair.png --axes=none "
                                            "--color-map=viridis --figure-size=600x400 %s",
                                            limits[i]);
      g_autoptr (HostsImage) figure = NULL;

      hosts_assert_success (run);
      figure = hosts_image_load (hosts_path ("pair.png"), "RGB");
      g_assert_cmpint (figure->width, <=, 600);
      assert_color (figure, 0.2, 0.5, 0x440154);
      assert_color (figure, 0.6, 0.5, 0xfde725);
      assert_color (figure, 0.002, 0.002, 0xffffff);
    }
}

#define GRAPH "capra:threshold value=0.5 capra:label capra:measure"

/* The table of the graph marks the same sources as the same table in a file. */
static void
test_sources (void)
{
  g_autoptr (HostsRun) plain = run_shell ("$CAPRA run -q --data $SKY --figure=plain.png");
  g_autoptr (HostsRun) own = run_shell ("$CAPRA run -q --data $SKY --figure=own.png --sources=graph --number-sources "
                                        "-- " GRAPH);
  g_autoptr (HostsRun) made = run_shell ("$CAPRA run -q --data $SKY --figure=with.png --sources=graph --number-sources "
                                         "--tables=sources.csv -- " GRAPH);
  g_autoptr (HostsRun) read = run_shell ("$CAPRA run -q --data $SKY --figure=read.png --sources=sources.csv "
                                         "--number-sources");
  g_autoptr (HostsRun) printed = run_shell ("$CAPRA run -q --data $SKY --figure=printed.png --sources=graph "
                                            "--number-sources --tables=- -- " GRAPH);
  g_autoptr (HostsRun) same = run_shell ("cmp own.png with.png && cmp own.png read.png && cmp own.png printed.png && "
                                         "! cmp -s own.png plain.png");
  g_autoptr (HostsRun) none = run_shell ("$CAPRA run -q --data $SKY --figure=none.png --sources=graph -- "
                                         "capra:threshold value=5 capra:label capra:measure && cmp none.png plain.png");
  g_autofree char *csv = NULL;

  hosts_assert_success (plain);
  hosts_assert_success (own);
  g_assert_cmpstr (own->out, ==, "");
  hosts_assert_success (made);
  hosts_assert_success (read);
  hosts_assert_success (printed);
  g_assert_nonnull (strstr (printed->out, "centroid_x"));
  hosts_assert_success (same);
  hosts_assert_success (none);
  csv = hosts_read (hosts_path ("sources.csv"));
  g_assert_cmpuint (hosts_csv_rows (csv), ==, 5);
}

/* The result of a graph, also beside an output, and several images. */
static void
test_results (void)
{
  g_autoptr (HostsRun) one = run_shell ("$CAPRA run -q --data $SKY -o result.npy --figure=result.svg -- "
                                        "gegl:invert-linear && head -c 5 result.svg");
  g_autoptr (HostsRun) two = run_shell ("mkdir -p many && $CAPRA run -q --data $SKY $PAIR --figure='many/{name}.pdf' "
                                        "&& ls many");
  g_autoptr (HostsRun) labels = run_shell ("$CAPRA run -q --data $SKY --figure=labels.png --figure-image=result -- "
                                           "capra:threshold value=0.5 capra:label");
  g_autoptr (HostsRun) inverse = run_shell ("$CAPRA run -q --data result.npy --figure=a.png && "
                                            "$CAPRA run -q --data $SKY --figure=b.png -- gegl:invert-linear && "
                                            "cmp a.png b.png");

  g_autoptr (HostsRun) once = run_shell (
    "$CAPRA run -q --data $SKY -o once.npy --figure=once.png "
    "--figure-image=result --timings=times.txt -- capra:gaussian-blur && "
    "sed -n 's/^download *\\([0-9]*\\) .*/\\1/p' times.txt && $CAPRA run -q --data "
    "$SKY -o alone.npy -- capra:gaussian-blur && cmp once.npy alone.npy");

  hosts_assert_success (one);
  g_assert_cmpstr (one->out, ==, "<?xml");
  hosts_assert_success (once);
  g_assert_cmpstr (once->out, ==, "1\n");
  hosts_assert_success (two);
  g_assert_cmpstr (two->out, ==, "pair.pdf\nsky.pdf\n");
  hosts_assert_success (labels);
  hosts_assert_success (inverse);
}

static void
test_fits (void)
{
  g_autoptr (HostsRun) sky = NULL, pixels = NULL, differ = NULL, missing = NULL, table = NULL, input = NULL,
                       scaled = NULL;

  if (g_strcmp0 (g_getenv ("CAPRA_TEST_FITS"), "1") != 0)
    {
      g_test_skip ("without CFITSIO");
      return;
    }
  write_fits ("world.fits", TRUE);
  write_fits ("plain.fits", FALSE);
  hosts_write ("positions.csv", "ra,dec\n0.1,-30\n");
  sky = run_shell ("$CAPRA run -q --figure=world.png --axes=sky -- capra:fits-load path=world.fits");
  pixels = run_shell ("$CAPRA run -q --figure=pixels.png --axes=pixels -- capra:fits-load path=world.fits");
  differ = run_shell ("! cmp -s world.png pixels.png");
  missing = run_shell ("$CAPRA run -q --figure=x.png --axes=sky -- capra:fits-load path=plain.fits");
  table = run_shell ("$CAPRA run -q --figure=t.png --sources=positions.csv -- capra:fits-load path=world.fits && "
                     "! cmp -s t.png world.png");
  hosts_assert_success (sky);
  hosts_assert_success (pixels);
  hosts_assert_success (differ);
  hosts_assert_success (table);
  input = run_shell ("$CAPRA run -q world.fits --figure=input.png && cmp input.png world.png");
  hosts_assert_success (input);
  scaled = run_shell ("$CAPRA run -q world.fits --figure=half.png -- gegl:scale-ratio x=0.5 y=0.5 && "
                      "$CAPRA run -q world.fits --figure=pixels-half.png --axes=pixels -- gegl:scale-ratio x=0.5 y=0.5 "
                      "&& cmp half.png pixels-half.png");
  hosts_assert_success (scaled);
  g_assert_cmpint (missing->status, !=, 0);
  g_assert_null (hosts_read (hosts_path ("x.png")));
}

/* --tables=- prints the keywords of an input, and of a file that the graph loads, before the tables. */
static void
test_keywords (void)
{
  static const char *const arguments[] = { "world.fits --tables=- -- gegl:nop",
                                           "--tables=- -- capra:fits-load path=world.fits",
                                           "world.fits --tables=- -- capra:statistics" };

  if (g_strcmp0 (g_getenv ("CAPRA_TEST_FITS"), "1") != 0)
    {
      g_test_skip ("without CFITSIO");
      return;
    }
  write_fits ("world.fits", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (arguments); i++)
    {
      g_autoptr (HostsRun) run = run_shell ("$CAPRA run -q %s", arguments[i]);
      const char *keyword = NULL;

      hosts_assert_success (run);
      keyword = strstr (run->out, "\nCTYPE1  = 'RA---TAN'");
      g_assert_nonnull (keyword);
      g_assert_true ((strstr (keyword, "mean") != NULL) == (i == 2));
    }
  {
    g_autoptr (HostsRun) refused = run_shell ("$CAPRA run -q world.fits --tables=none.csv -- gegl:nop");

    hosts_assert_error (refused, 2, "--tables");
  }
}

static void
test_refused (void)
{
  static const struct {
    int status;
    const char *arguments, *says;
  } cases[] = {
    { 2, "--data $SKY --stretch=log -o x.npy -- gegl:nop", "need --figure" },
    { 2, "--data $SKY --figure=x.png --stretch=cubic", "--stretch" },
    { 2, "--data $SKY --figure=x.png --color-map=jet", "--color-map" },
    { 2, "--data $SKY --figure=x.png --limits=3,1", "--limits" },
    { 2, "--data $SKY --figure=x.png --limits=1%,200%", "--limits" },
    { 2, "--data $SKY --figure=x.png --limits=1", "--limits" },
    { 2, "--data $SKY --figure=x.png --axes=polar", "--axes" },
    { 2, "--data $SKY --figure=x.png --figure-image=other", "--figure-image" },
    { 2, "--data $SKY --figure=x.png --figure-size=10x10", "not a size" },
    { 2, "--data $SKY --figure=x.png --number-sources", "--sources" },
    { 2, "--data $SKY --figure=x.png --sources=graph -- gegl:nop", "capra:measure" },
    { 2, "--data $SKY $PAIR --figure=x.png", "{name}" },
    { 1, "--data $SKY --figure=x.png --axes=sky", "FITS" },
    { 2, "--data $SKY --figure=x.jpg", ".png, .svg or .pdf" },
    { 1, "--data $SKY --figure=x.png --sources=missing.csv", "missing.csv" },
    { 1, "--data $SKY --figure=x.png --sources=bad.csv", "centroid_x" },
    { 1, "--data $SKY --figure=missing/x.png", "missing" },
  };

  hosts_write ("bad.csv", "a,b\n1,2\n");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HostsRun) run = run_shell ("$CAPRA run -q %s", cases[i].arguments);
      g_autofree char *left = hosts_read (hosts_path ("x.png"));

      hosts_assert_error (run, cases[i].status, cases[i].says);
      g_assert_null (left);
    }
}

static void
test_plot (void)
{
  static const struct {
    int status;
    const char *arguments, *says;
  } cases[] = {
    { 2, "curve.dat", "no output" },
    { 2, "-o x.png", "no files" },
    { 2, "curve.dat -o x.png --log=z", "--log" },
    { 2, "curve.dat -o x.png --columns=1", "--columns" },
    { 2, "curve.dat -o x.png --legend=a,b", "--legend" },
    { 2, "curve.dat -o x.gif", ".png, .svg or .pdf" },
    { 1, "curve.dat -o x.png --columns=1,flux", "flux" },
    { 1, "curve.dat -o x.png --frame=1", "no block of numbers 1: its blocks are 0 to 0, see --frame" },
    { 1, "nothing.dat -o x.png", "nothing.dat" },
    { 1, "words.dat -o x.png", "words.dat" },
    { 1, "negative.dat -o x.png --log=y", "positive" },
  };
  g_autoptr (HostsRun) one = NULL, more = NULL, chosen = NULL;

  hosts_write ("curve.dat", "# pyFAI\n#  q_nm^-1  I  sigma\n0.1 5 1\n0.2 7 1\n0.3 6 2\n");
  hosts_write ("negative.dat", "1 -1\n2 -2\n");
  hosts_write ("words.dat", "some text\nmore text\n");
  one = run_shell ("$CAPRA plot curve.dat -o curve.png --log=y && head -c 4 curve.png | tail -c 3");
  hosts_assert_success (one);
  g_assert_cmpstr (one->out, ==, "PNG");
  chosen = run_shell (
    "$CAPRA plot curve.dat -o chosen.png --log=y --columns=q_nm^-1,2,sigma && cmp curve.png chosen.png");
  hosts_assert_success (chosen);
  more = run_shell ("$CAPRA plot curve.dat negative.dat -o both.pdf --legend='a,b' --title=T --x-label='x (1)' && "
                    "head -c 4 both.pdf");
  hosts_assert_success (more);
  g_assert_cmpstr (more->out, ==, "%PDF");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HostsRun) run = run_shell ("$CAPRA plot %s", cases[i].arguments);

      hosts_assert_error (run, cases[i].status, cases[i].says);
    }
}

int
main (int argc, char **argv)
{
  const float pair[] = { -1.0f, 3.0f };
  g_autofree float *sky = NULL;

  hosts_begin (&argc, &argv);
  sky = make_sky ();
  sky_path = write_array ("sky.npy", WIDTH, HEIGHT, sky);
  pair_path = write_array ("pair.npy", 2, 1, pair);
  g_test_add_func ("/capra-figures/plot", test_plot);
  if (!g_test_slow ())
    return hosts_end ();
  g_test_add_func ("/capra-figures/colors", test_colors);
  g_test_add_func ("/capra-figures/sources", test_sources);
  g_test_add_func ("/capra-figures/results", test_results);
  g_test_add_func ("/capra-figures/fits", test_fits);
  g_test_add_func ("/capra-figures/keywords", test_keywords);
  g_test_add_func ("/capra-figures/refused", test_refused);
  return hosts_end ();
}
