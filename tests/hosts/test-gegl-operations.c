/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `gegl` program: every operation on files, compared with references. */
#include <math.h>
#include <string.h>

#include "tests/hosts/reference.h"

#define WIDTH 203
#define HEIGHT 131

/* For a float TIFF with values up to 1: 1e-5 for the operation, and the rounding of the conversion to perceptual values
 * and back. */
#define TIFF_TOLERANCE 1.2e-5
/* The precision of 16-bit perceptual values, in linear light. */
#define PNG_TOLERANCE 3e-5

static const char *gray_path, *color_path, *png_path, *alpha_path, *mask_path;

static void
make_images (void)
{
  g_autoptr (HostsImage) gray = hosts_image_sample (WIDTH, HEIGHT, 1);
  g_autoptr (HostsImage) color = hosts_image_sample (WIDTH, HEIGHT, 3);
  g_autoptr (HostsImage) alpha = hosts_image_sample (WIDTH, HEIGHT, 4);
  g_autoptr (HostsImage) mask = hosts_image_sample (WIDTH, HEIGHT, 1);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    mask->values[i] = mask->values[i] > 0.47;
  hosts_image_save (gray, gray_path = hosts_path ("gray.tif"), "Y");
  hosts_image_save (color, color_path = hosts_path ("color.tif"), "RGB");
  hosts_image_save (color, png_path = hosts_path ("color.png"), "RGB");
  hosts_image_save (alpha, alpha_path = hosts_path ("alpha.tif"), "RGBA");
  hosts_image_save (mask, mask_path = hosts_path ("mask.tif"), "Y");
}

static void
test_gaussian (void)
{
  const char *output = hosts_path ("gaussian.tif");
  g_autoptr (HostsImage) color = hosts_image_load (color_path, "RGB");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) color_expected = reference_gaussian (color, 2.5, 1.25, 4.0, REFERENCE_CLAMP);
  g_autoptr (HostsImage) gray_expected = reference_gaussian (gray, 12.0, 0.0, 3.0, REFERENCE_MIRROR);
  g_autoptr (HostsImage) color_found = NULL, gray_found = NULL;

  hosts_gegl_succeed (NULL, "%s -o %s -- capra:gaussian-blur std-dev-x=2.5 std-dev-y=1.25", color_path, output);
  color_found = hosts_image_load (output, "RGB");
  hosts_assert_close (color_found, color_expected, TIFF_TOLERANCE);

  hosts_gegl_succeed (NULL,
                      "%s -o %s -- capra:gaussian-blur std-dev-x=12 std-dev-y=0 filter=fir truncate=3 "
                      "abyss-policy=mirror",
                      gray_path, output);
  gray_found = hosts_image_load (output, "Y");
  hosts_assert_close (gray_found, gray_expected, TIFF_TOLERANCE);
}

/* Without clipping, the image grows by the radius on all sides, over transparent pixels. */
static void
test_gaussian_extent (void)
{
  const char *output = hosts_path ("extent.tif");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) wide = hosts_image_new (WIDTH + 16, HEIGHT + 16, 1);
  g_autoptr (HostsImage) expected = NULL, found = NULL;

  for (int y = 0; y < HEIGHT; y++)
    memcpy (wide->values + (y + 8) * wide->width + 8, gray->values + y * WIDTH, WIDTH * sizeof (double));
  expected = reference_gaussian (wide, 2.0, 2.0, 4.0, REFERENCE_NONE);
  hosts_gegl_succeed (NULL,
                      "%s -o %s -- capra:gaussian-blur std-dev-x=2 std-dev-y=2 abyss-policy=none "
                      "clip-extent=false",
                      gray_path, output);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, TIFF_TOLERANCE);
}

static void
test_box (void)
{
  const char *output = hosts_path ("box.png"), *output_alpha = hosts_path ("box.tif");
  g_autoptr (HostsImage) image = hosts_image_load (png_path, "RGB");
  g_autoptr (HostsImage) alpha = hosts_image_load (alpha_path, "RaGaBaA");
  g_autoptr (HostsImage) expected = reference_box (image, 6, REFERENCE_CLAMP);
  g_autoptr (HostsImage) alpha_expected = reference_box (alpha, 3, REFERENCE_WRAP);
  g_autoptr (HostsImage) found = NULL, alpha_found = NULL;

  hosts_gegl_succeed (NULL, "%s -o %s -- capra:box-blur radius=6", png_path, output);
  found = hosts_image_load (output, "RGB");
  hosts_assert_close (found, expected, PNG_TOLERANCE);

  hosts_gegl_succeed (NULL, "%s -o %s -- capra:box-blur radius=3 abyss-policy=wrap", alpha_path, output_alpha);
  alpha_found = hosts_image_load (output_alpha, "RaGaBaA");
  hosts_assert_close (alpha_found, alpha_expected, TIFF_TOLERANCE);
}

static void
test_convolve (void)
{
  const double matrix[] = { 1, 2, 3, 0, -1, 4, 2, 5, 1 }, turned[] = { 1, 5, 2, 4, -1, 0, 3, 2, 1 };
  const char *output = hosts_path ("convolve.tif");
  const char *file = hosts_write ("matrix.txt", "1 2 3\n0 -1 4\n2 5 1\n");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) straight = reference_convolve (gray, matrix, 3, 3, REFERENCE_WRAP);
  g_autoptr (HostsImage) correlation = reference_convolve (gray, turned, 3, 3, REFERENCE_CLAMP);
  g_autoptr (HostsImage) strided = hosts_image_new ((WIDTH + 4) / 5, (HEIGHT + 4) / 5, 1);
  g_autoptr (HostsImage) found = NULL, found_correlation = NULL, found_strided = NULL;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      straight->values[i] = straight->values[i] / 20 + 0.125;
      correlation->values[i] /= 17;
    }
  for (int y = 0; y < strided->height; y++)
    for (int x = 0; x < strided->width; x++)
      strided->values[y * strided->width + x] = correlation->values[5 * y * WIDTH + 5 * x];

  hosts_gegl_succeed (NULL,
                      "%s -o %s -- capra:convolve 'matrix=1 2 3; 0 -1 4; 2 5 1' divisor=20 "
                      "offset=0.125 border=wrap",
                      gray_path, output);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, straight, TIFF_TOLERANCE);

  hosts_gegl_succeed (NULL, "%s -o %s -- capra:convolve path=%s correlate=true divisor=17 border=clamp", gray_path,
                      output, file);
  found_correlation = hosts_image_load (output, "Y");
  hosts_assert_close (found_correlation, correlation, TIFF_TOLERANCE);

  hosts_gegl_succeed (NULL,
                      "%s -o %s -- capra:convolve path=%s correlate=true divisor=17 border=clamp "
                      "stride-x=5 stride-y=5",
                      gray_path, output, file);
  found_strided = hosts_image_load (output, "Y");
  hosts_assert_close (found_strided, strided, TIFF_TOLERANCE);
}

/* The matrix as an image on the aux pad. */
static void
test_convolve_aux (void)
{
  const char *output = hosts_path ("aux.tif"), *weights_path = hosts_path ("weights.tif");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) weights = hosts_image_new (5, 3, 1);
  g_autoptr (HostsImage) expected = NULL, found = NULL;

  for (int i = 0; i < 15; i++)
    weights->values[i] = (i + 1) / 120.0;
  hosts_image_save (weights, weights_path, "Y");
  expected = reference_convolve (gray, weights->values, 5, 3, REFERENCE_MIRROR);
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:convolve border=mirror aux=[ gegl:load path=%s ]", gray_path, output,
                      weights_path);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, TIFF_TOLERANCE);
}

static void
test_threshold (void)
{
  const char *output = hosts_path ("threshold.tif"), *found_path = hosts_path ("otsu.tif");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  double otsu = reference_otsu (gray);
  g_autoptr (HostsImage) expected = hosts_image_new (WIDTH, HEIGHT, 1);
  g_autoptr (HostsImage) expected_otsu = hosts_image_new (WIDTH, HEIGHT, 1);
  g_autoptr (HostsImage) found = NULL, found_otsu = NULL;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      expected->values[i] = gray->values[i] >= 0.2f && gray->values[i] <= 0.6f;
      expected_otsu->values[i] = gray->values[i] > otsu;
    }
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:threshold value=0.2 high=0.6", gray_path, output);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, 0);
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:threshold method=otsu", gray_path, found_path);
  found_otsu = hosts_image_load (found_path, "Y");
  hosts_assert_close (found_otsu, expected_otsu, 0);
}

static void
assert_numbers (const char *path, const HostsImage *mask, int connectivity)
{
  guint32 count = 0;
  int width = 0, height = 0;
  g_autofree guint32 *expected = reference_label (mask, connectivity, &count);
  g_autofree guint32 *found = hosts_numbers_load (path, &width, &height);

  g_assert_cmpuint (count, >, 20);
  g_assert_cmpint (width, ==, mask->width);
  g_assert_cmpint (height, ==, mask->height);
  for (int i = 0; i < width * height; i++)
    if (found[i] != expected[i])
      g_error ("pixel %d,%d is %u, not %u", i % width, i / width, found[i], expected[i]);
}

static void
test_label_numbers (void)
{
  const char *output = hosts_path ("numbers.tif"), *chained = hosts_path ("chained.tif");
  g_autoptr (HostsImage) mask = hosts_image_load (mask_path, "Y");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");

  hosts_gegl_succeed (NULL, "%s -o %s -- capra:label rendering=numbers", mask_path, output);
  assert_numbers (output, mask, 8);
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:label rendering=numbers connectivity=4", mask_path, output);
  assert_numbers (output, mask, 4);

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    gray->values[i] = gray->values[i] >= 0.5f;
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:threshold value=0.5 capra:label rendering=numbers", gray_path, chained);
  assert_numbers (chained, gray, 8);
}

/* Each region has one color, which differs from those of its neighbors. The background is transparent. */
static void
test_label_colors (void)
{
  const char *output = hosts_path ("colors.png");
  g_autoptr (HostsImage) mask = hosts_image_load (mask_path, "Y");
  g_autoptr (HostsImage) found = NULL;
  guint32 count = 0;
  g_autofree guint32 *labels = reference_label (mask, 8, &count);
  g_autofree double *colors = g_new0 (double, 4 * (count + 1));
  g_autofree gboolean *known = g_new0 (gboolean, count + 1);

  hosts_gegl_succeed (NULL, "%s -o %s -- capra:label", mask_path, output);
  found = hosts_image_load (output, "RaGaBaA");
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      const double *color = found->values + 4 * i;

      if (labels[i] && !known[labels[i]])
        memcpy (colors + 4 * labels[i], color, sizeof (double[4]));
      known[labels[i]] = TRUE;
      g_assert_cmpmem (color, sizeof (double[4]), colors + 4 * labels[i], sizeof (double[4]));
    }
  for (guint32 i = 1; i <= count; i++)
    g_assert_cmpfloat (colors[4 * i] + colors[4 * i + 1] + colors[4 * i + 2], >, 0.05);
  for (guint32 i = 2; i <= count; i++)
    g_assert_false (memcmp (colors + 4 * i, colors + 4 * i - 4, sizeof (double[4])) == 0);
}

/* Measuring operations pass their input through. */
static void
test_pass (void)
{
  const char *numbers = hosts_path ("passed.tif"), *image = hosts_path ("passed-image.tif");
  g_autoptr (HostsImage) mask = hosts_image_load (mask_path, "Y");
  g_autoptr (HostsImage) color = hosts_image_load (color_path, "RGB");
  g_autoptr (HostsImage) passed = NULL;

  hosts_gegl_succeed (NULL,
                      "%s -o %s -- capra:label rendering=numbers capra:measure "
                      "aux=[ gegl:load path=%s ]",
                      mask_path, numbers, gray_path);
  assert_numbers (numbers, mask, 8);
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:statistics", color_path, image);
  passed = hosts_image_load (image, "RGB");
  hosts_assert_close (passed, color, 0);
}

/* A graph from a file, on an image larger than a chunk of the program (2048x1024). */
static void
test_xml (void)
{
  const char *input = hosts_path ("large.tif"), *output = hosts_path ("large-out.tif");
  g_autoptr (HostsImage) image = hosts_image_sample (2100, 1100, 1);
  g_autoptr (HostsImage) loaded = NULL, blurred = NULL, expected = NULL, found = NULL;
  g_autofree char *xml = NULL;
  const char *graph;

  hosts_image_save (image, input, "Y");
  xml = g_strdup_printf (
    "<?xml version='1.0' encoding='UTF-8'?>\n<gegl>\n"
    "  <node operation='capra:box-blur'><params><param name='radius'>2</param></params></node>\n"
    "  <node operation='capra:gaussian-blur'>\n    <params>\n"
    "      <param name='std-dev-x'>1.5</param>\n      <param name='std-dev-y'>0.75</param>\n"
    "    </params>\n  </node>\n"
    "  <node operation='gegl:load'><params><param name='path'>%s</param></params></node>\n</gegl>\n",
    input);
  graph = hosts_write ("graph.xml", xml);
  hosts_gegl_succeed (NULL, "-i %s -o %s", graph, output);

  loaded = hosts_image_load (input, "Y");
  blurred = reference_gaussian (loaded, 1.5, 0.75, 4.0, REFERENCE_CLAMP);
  expected = reference_box (blurred, 2, REFERENCE_CLAMP);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, expected, 2 * TIFF_TOLERANCE);
}

/* Replacing gegl: by capra: in a graph gives the same picture, unless GEGL uses its recursive filter, which is not
 * exact. */
static void
test_native (void)
{
  const char *native = hosts_path ("native.tif"), *ours = hosts_path ("ours.tif");
  g_autoptr (HostsImage) expected = NULL, found = NULL;

  hosts_gegl_succeed (NULL, "%s -o %s -- gegl:gaussian-blur std-dev-x=4 std-dev-y=2 filter=fir", color_path, native);
  hosts_gegl_succeed (NULL, "%s -o %s -- capra:gaussian-blur std-dev-x=4 std-dev-y=2", color_path, ours);
  expected = hosts_image_load (native, "RGB");
  found = hosts_image_load (ours, "RGB");
  hosts_assert_close (found, expected, 1e-3);
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  make_images ();
  g_test_add_func ("/gegl/gaussian-blur", test_gaussian);
  g_test_add_func ("/gegl/label/numbers", test_label_numbers);
  g_test_add_func ("/gegl/xml", test_xml);
  if (!g_test_slow ())
    return hosts_end ();
  g_test_add_func ("/gegl/gaussian-blur/extent", test_gaussian_extent);
  g_test_add_func ("/gegl/box-blur", test_box);
  g_test_add_func ("/gegl/convolve", test_convolve);
  g_test_add_func ("/gegl/convolve/aux", test_convolve_aux);
  g_test_add_func ("/gegl/threshold", test_threshold);
  g_test_add_func ("/gegl/label/colors", test_label_colors);
  g_test_add_func ("/gegl/pass", test_pass);
  g_test_add_func ("/gegl/native", test_native);
  return hosts_end ();
}
