/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The `gegl` program: tables, timings, the choice of devices, and errors for invalid input. */
#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#include "tests/hosts/reference.h"
#include "runtime/device/device.h"
#include "runtime/device/device-select.h"

#define WIDTH 203
#define HEIGHT 131
/* The error of converting linear values to the perceptual ones in a TIFF and back. */
#define ROUND_TRIP 3e-6

static const char *gray_path, *mask_path;

static void
make_images (void)
{
  g_autoptr (HostsImage) image = hosts_image_sample (WIDTH, HEIGHT, 1);

  hosts_image_save (image, gray_path = hosts_path ("gray.tif"), "Y");
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    image->values[i] = image->values[i] > 0.47;
  hosts_image_save (image, mask_path = hosts_path ("mask.tif"), "Y");
}

static void
assert_near (double value, double expected)
{
  if (!(fabs (value - expected) <= 1e-5 * fabs (expected)))
    g_error ("%.17g is not %.17g", value, expected);
}

static void
assert_regions (const char *csv)
{
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) mask = hosts_image_load (mask_path, "Y");
  guint32 count = 0;
  g_autofree guint32 *labels = reference_label (mask, 8, &count);
  g_autofree ReferenceRegion *regions = reference_measure (labels, count, gray);

  g_assert_cmpuint (hosts_csv_rows (csv), ==, count);
  for (guint32 i = 0; i < count; i++)
    {
      g_assert_cmpfloat (hosts_csv_get (csv, i, "label"), ==, i + 1);
      g_assert_cmpfloat (hosts_csv_get (csv, i, "area"), ==, regions[i].area);
      g_assert_cmpfloat (hosts_csv_get (csv, i, "min_x"), ==, regions[i].min_x);
      g_assert_cmpfloat (hosts_csv_get (csv, i, "min_y"), ==, regions[i].min_y);
      g_assert_cmpfloat (hosts_csv_get (csv, i, "max_x"), ==, regions[i].max_x);
      g_assert_cmpfloat (hosts_csv_get (csv, i, "max_y"), ==, regions[i].max_y);
      assert_near (hosts_csv_get (csv, i, "centroid_x"), regions[i].x);
      assert_near (hosts_csv_get (csv, i, "centroid_y"), regions[i].y);
      assert_near (hosts_csv_get (csv, i, "weighted_centroid_x"), regions[i].weighted_centroid_x);
      assert_near (hosts_csv_get (csv, i, "weighted_centroid_y"), regions[i].weighted_centroid_y);
      assert_near (hosts_csv_get (csv, i, "sum"), regions[i].sum);
      assert_near (hosts_csv_get (csv, i, "mean"), regions[i].mean);
      assert_near (hosts_csv_get (csv, i, "min"), regions[i].min);
      assert_near (hosts_csv_get (csv, i, "max"), regions[i].max);
      assert_near (hosts_csv_get (csv, i, "std"), regions[i].std);
    }
}

static void
assert_statistics (const char *csv)
{
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  double sum = 0, square = 0, low = INFINITY, high = -INFINITY;
  int count = WIDTH * HEIGHT;

  for (int i = 0; i < count; i++)
    {
      sum += gray->values[i];
      low = fmin (low, gray->values[i]);
      high = fmax (high, gray->values[i]);
    }
  for (int i = 0; i < count; i++)
    square += pow (gray->values[i] - sum / count, 2);
  g_assert_cmpuint (hosts_csv_rows (csv), ==, 1);
  g_assert_cmpfloat (hosts_csv_get (csv, 0, "count"), ==, count);
  assert_near (hosts_csv_get (csv, 0, "min"), low);
  assert_near (hosts_csv_get (csv, 0, "max"), high);
  assert_near (hosts_csv_get (csv, 0, "sum"), sum);
  assert_near (hosts_csv_get (csv, 0, "mean"), sum / count);
  assert_near (hosts_csv_get (csv, 0, "std"), sqrt (square / count));
}

/* Regions and statistics in one graph: the second table goes to file-2. Every run and both devices
 * give the same bytes. */
static void
test_tables_csv (void)
{
  const char *image = hosts_path ("tables.tif"), *csv = hosts_path ("table.csv");
  const char *second = hosts_path ("table-2.csv");
  g_autofree char *tables = g_strdup_printf ("CAPRA_TABLES=%s", csv);
  g_autofree char *first_run = NULL;

  for (int device = 0; device < 2; device++)
    {
      g_autofree char *rows = NULL, *whole = NULL;

      g_remove (csv);
      g_remove (second);
      hosts_gegl_succeed (tables,
                          "%s -o %s -- capra:label rendering=numbers device=%d "
                          "capra:measure device=%d aux=[ gegl:load path=%s capra:statistics device=%d ]",
                          mask_path, image, device, device, gray_path, device);
      rows = hosts_read (csv);
      whole = hosts_read (second);
      g_assert_nonnull (rows);
      g_assert_nonnull (whole);
      /* GEGL chooses the order. */
      assert_regions (hosts_csv_rows (rows) > 1 ? rows : whole);
      assert_statistics (hosts_csv_rows (rows) > 1 ? whole : rows);
      if (first_run)
        g_assert_cmpstr (rows, ==, first_run);
      else
        first_run = g_steal_pointer (&rows);
    }
}

/* The columns in every format, and no table unless one is requested. */
static void
test_tables_forms (void)
{
  const char *image = hosts_path ("forms.tif"), *json = hosts_path ("table.json");
  g_autofree char *tables = g_strdup_printf ("CAPRA_TABLES=%s", json);
  g_autofree char *text = NULL;
  g_autoptr (HostsRun) printed = NULL, silent = NULL;

  hosts_gegl_succeed (tables, "%s -o %s -- capra:statistics", gray_path, image);
  text = hosts_read (json);
  g_assert_nonnull (text);
  g_assert_cmpint (*g_strstrip (text), ==, '[');
  g_assert_nonnull (strstr (text, "\"count\""));
  g_assert_nonnull (strstr (text, "\"median\""));
  g_assert_nonnull (strstr (text, "26593")); /* 203 * 131 */

  printed = hosts_gegl ("CAPRA_TABLES=-", "%s -o %s -- capra:statistics", gray_path, image);
  g_assert_cmpint (printed->status, ==, 0);
  g_assert_nonnull (strstr (printed->out, "median"));
  g_assert_nonnull (strstr (printed->out, "26593"));

  silent = hosts_gegl (NULL, "%s -o %s -- capra:statistics", gray_path, image);
  g_assert_cmpint (silent->status, ==, 0);
  g_assert_cmpstr (silent->out, ==, "");
  g_assert_null (strstr (silent->err, "26593"));
}

static void
test_measure_save (void)
{
  const char *csv = hosts_path ("saved.csv");
  g_autofree char *text = NULL;

  hosts_gegl_succeed (NULL,
                      "%s -- capra:label rendering=numbers capra:measure-save path=%s "
                      "aux=[ gegl:load path=%s ]",
                      mask_path, csv, gray_path);
  text = hosts_read (csv);
  g_assert_nonnull (text);
  assert_regions (text);
}

static void
test_timings (void)
{
  const char *image = hosts_path ("timed.tif"), *json = hosts_path ("timings.json");
  g_autofree char *timings = g_strdup_printf ("CAPRA_TIMINGS=%s", json);
  g_autofree char *text = NULL;
  g_autoptr (HostsRun) printed = NULL;

  printed = hosts_gegl ("CAPRA_TIMINGS=-", "%s -o %s -- capra:box-blur", gray_path, image);
  g_assert_cmpint (printed->status, ==, 0);
  g_assert_nonnull (strstr (printed->out, "upload"));
  g_assert_nonnull (strstr (printed->out, "download"));
  g_assert_nonnull (strstr (printed->out, "median"));
  g_assert_nonnull (strstr (printed->out, "GB/s"));

  hosts_gegl_succeed (timings, "%s -o %s -- capra:box-blur", gray_path, image);
  text = hosts_read (json);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "\"upload\""));
  g_assert_nonnull (strstr (text, "\"download\""));
}

/* A failing run prints the cause, and passes the input through. */
static void
assert_passes (const char *settings, const char *operation, const char *message)
{
  const char *output = hosts_path ("passes.tif");
  g_autoptr (HostsImage) gray = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) found = NULL;
  g_autofree char *fatal = g_strdup_printf ("CAPRA_FATAL=1\n%s", settings ? settings : "");
  g_autoptr (HostsRun) run = NULL, fatal_run = NULL;

  g_remove (output);
  run = hosts_gegl (settings, "%s -o %s -- %s", gray_path, output, operation);
  if (run->status != 0 || !strstr (run->err, message))
    g_error ("%s: status %d, not \"%s\" but\n%s", operation, run->status, message, run->err);
  found = hosts_image_load (output, "Y");
  hosts_assert_close (found, gray, ROUND_TRIP);

  g_remove (output);
  fatal_run = hosts_gegl (fatal, "%s -o %s -- %s", gray_path, output, operation);
  if (fatal_run->status != 1 || !strstr (fatal_run->err, message))
    g_error ("CAPRA_FATAL=1 %s: status %d, not \"%s\" but\n%s", operation, fatal_run->status, message, fatal_run->err);
  g_assert_false (g_file_test (output, G_FILE_TEST_EXISTS));
}

static void
test_devices (void)
{
  const char *output = hosts_path ("device.tif");
  CapraDevice *device = capra_device_select ("0", NULL);
  const char *names[] = { "0", "1", "0:1", "auto", capra_device_get_info (device)->name };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    hosts_gegl_succeed (NULL, "%s -o %s -- capra:box-blur radius=1 'device=%s'", gray_path, output, names[i]);
  hosts_gegl_succeed ("CAPRA_DEVICE=1", "%s -o %s -- capra:box-blur radius=1", gray_path, output);

  assert_passes (NULL, "capra:box-blur device=no-such-device", "no-such-device");
  assert_passes (NULL, "capra:gaussian-blur device=7", "7");
  assert_passes ("CAPRA_DEVICE=no-such-device", "capra:box-blur", "no-such-device");
}

/* An image large enough to be split over both devices, and into bands when memory is short. */
static void
test_parts (void)
{
  const char *large = hosts_path ("large.tif"), *one = hosts_path ("one.tif"), *other = hosts_path ("other.tif");
  const char *settings[] = { "CAPRA_DEVICE=all", "CAPRA_DEVICE=1\nCAPRA_MEMORY_BUDGET=1536K" };
  const char *chain = "capra:gaussian-blur capra:convolve capra:threshold value=0.5";
  g_autoptr (HostsImage) sample = hosts_image_sample (700, 600, 1);
  g_autoptr (HostsImage) expected = NULL;
  g_autofree char *timings = NULL;

  hosts_image_save (sample, large, "Y");
  hosts_gegl_succeed ("CAPRA_DEVICE=0", "%s -o %s -- %s", large, one, chain);
  expected = hosts_image_load (one, "Y");
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autofree char *more = g_strdup_printf ("%s\nCAPRA_TIMINGS=%s", settings[i], hosts_path ("parts.json"));
      g_autoptr (HostsImage) image = NULL;

      hosts_gegl_succeed (more, "%s -o %s -- %s", large, other, chain);
      image = hosts_image_load (other, "Y");
      hosts_assert_close (image, expected, 0);
      g_free (timings);
      timings = hosts_read (hosts_path ("parts.json"));
      g_assert_true (i > 0 || (strstr (timings, "#0\"") && strstr (timings, "#1\"")));
    }
}

static void
test_no_platform (void)
{
  const char *empty = hosts_path ("no-vendors");
  g_autofree char *settings = g_strdup_printf ("OCL_ICD_VENDORS=%s", empty);

  g_mkdir_with_parents (empty, 0700);
  assert_passes (settings, "capra:gaussian-blur", "OpenCL");
  assert_passes ("POCL_DEVICES=", "capra:gaussian-blur", "OpenCL");
}

/* Not a folder, even for root. */
static void
test_unwritable (void)
{
  const char *output = hosts_path ("untimed.tif");
  g_autoptr (HostsRun) run = NULL;

  run = hosts_gegl ("CAPRA_TIMINGS=/no/such/folder/timings.json", "%s -o %s -- capra:box-blur", gray_path, output);
  g_assert_nonnull (strstr (run->err, "/no/such/folder/timings.json"));
  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (g_file_test (output, G_FILE_TEST_IS_REGULAR));
  hosts_run_free (g_steal_pointer (&run));
  run = hosts_gegl ("CAPRA_FATAL=1\nCAPRA_TIMINGS=/no/such/folder/timings.json", "%s -o %s -- capra:box-blur",
                    gray_path, output);
  g_assert_nonnull (strstr (run->err, "/no/such/folder/timings.json"));
  g_assert_cmpint (run->status, ==, 1);
  assert_passes ("CAPRA_TABLES=/no/such/folder/table.csv", "capra:statistics", "/no/such/folder/table.csv");
}

/* Settings that work but are likely mistakes cause a warning. */
static void
test_remarks (void)
{
  const char *graph = hosts_path ("remark.xml"), *output = hosts_path ("remark.tif");
  g_autofree char *xml = g_strdup_printf (
    "<gegl><node operation='capra:threshold'><node operation='gegl:crop'><params>"
    "<param name='x'>5</param><param name='y'>0</param><param name='width'>20</param>"
    "<param name='height'>20</param></params></node><node operation='gegl:load'><params>"
    "<param name='path'>%s</param></params></node></node>"
    "<node operation='gegl:load'><params><param name='path'>%s</param></params></node></gegl>",
    gray_path, gray_path);
  g_autoptr (HostsRun) cover = NULL, size = NULL;

  g_assert_true (g_file_set_contents (graph, xml, -1, NULL));
  cover = hosts_gegl (NULL, "%s -o %s", graph, output);
  g_assert_cmpint (cover->status, ==, 0);
  g_assert_nonnull (strstr (cover->err, "do not cover"));
  size = hosts_gegl (NULL,
                     "%s -o %s -- capra:gaussian-blur std-dev-x=1500 std-dev-y=1500 clip-extent=false "
                     "gegl:crop x=0 y=0 width=50 height=50",
                     gray_path, output);
  g_assert_cmpint (size->status, ==, 0);
  g_assert_nonnull (strstr (size->err, "clip-extent"));
}

static void
test_bad_matrix (void)
{
  assert_passes (NULL, "capra:convolve 'matrix=1 2 3; 4 5'", "matrix");
  assert_passes (NULL, "capra:convolve 'matrix=1 x 3'", "x");
  assert_passes (NULL, "capra:convolve matrix=", "matrix");
  assert_passes (NULL, "capra:convolve path=/no/such/matrix.txt", "/no/such/matrix.txt");
}

/* The input cannot stand for labels: a failing label operation gives zeros of the right size. */
static void
test_label_fails (void)
{
  const char *output = hosts_path ("zeros.tif");
  g_autoptr (HostsRun) run = hosts_gegl (NULL, "%s -o %s -- capra:label rendering=numbers device=no-such-device",
                                         mask_path, output);
  int width = 0, height = 0;
  g_autofree guint32 *numbers = hosts_numbers_load (output, &width, &height);

  g_assert_nonnull (strstr (run->err, "no-such-device"));
  g_assert_cmpint (width, ==, WIDTH);
  g_assert_cmpint (height, ==, HEIGHT);
  for (int i = 0; i < width * height; i++)
    g_assert_cmpuint (numbers[i], ==, 0);
}

/* Fractional labels are an error: no table is written, and the pixels are passed through. */
static void
test_fractions (void)
{
  const char *csv = hosts_path ("fractions.csv");
  g_autofree char *tables = g_strdup_printf ("CAPRA_TABLES=%s", csv);

  assert_passes (tables, "capra:measure", "label");
  g_assert_false (g_file_test (csv, G_FILE_TEST_EXISTS));
}

/* An unbounded input of an operation that needs all of it. */
static void
test_infinite (void)
{
  const char *output = hosts_path ("infinite.tif");
  g_autoptr (HostsRun) run = hosts_gegl (NULL,
                                         "-o %s -- gegl:checkerboard capra:threshold method=otsu gegl:crop width=50 "
                                         "height=40",
                                         output);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_nonnull (strstr (run->err, "capra:threshold"));
  g_assert_true (g_file_test (output, G_FILE_TEST_IS_REGULAR));
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  make_images ();
  g_test_add_func ("/gegl/tables/csv", test_tables_csv);
  g_test_add_func ("/gegl/tables/forms", test_tables_forms);
  g_test_add_func ("/gegl/measure-save", test_measure_save);
  g_test_add_func ("/gegl/timings", test_timings);
  g_test_add_func ("/gegl/devices", test_devices);
  g_test_add_func ("/gegl/parts", test_parts);
  g_test_add_func ("/gegl/no-platform", test_no_platform);
  g_test_add_func ("/gegl/unwritable", test_unwritable);
  g_test_add_func ("/gegl/remarks", test_remarks);
  g_test_add_func ("/gegl/bad-matrix", test_bad_matrix);
  g_test_add_func ("/gegl/label-fails", test_label_fails);
  g_test_add_func ("/gegl/fractions", test_fractions);
  g_test_add_func ("/gegl/infinite", test_infinite);
  return hosts_end ();
}
