/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run`: chains and graphs against references, batches, tables, timings, and errors. */
#include <string.h>

#include <glib/gstdio.h>

#include "tests/hosts/reference.h"

#define WIDTH 203
#define HEIGHT 131
/* The error of converting linear values to the perceptual ones in a TIFF and back. */
#define ROUND_TRIP 3e-6

static const char *gray_path;

static void
test_chain (void)
{
  const char *path = hosts_path ("blurred.tif"), *png = hosts_path ("blurred.png"), *again = hosts_path ("again.tif");
  g_autoptr (HostsImage) image = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) expected = reference_gaussian (image, 3, 2, 4, REFERENCE_CLAMP);
  g_autoptr (HostsRun) to_tiff = hosts_capra_run (
    NULL, "%s -o %s -- capra:gaussian-blur std-dev-x=3 std-dev-y=2 truncate=4", gray_path, path);
  g_autoptr (HostsImage) result = NULL, repeated = NULL;
  g_autoptr (HostsRun) to_png = NULL, from_png = NULL;

  hosts_assert_success (to_tiff);
  result = hosts_image_load (path, "Y");
  hosts_assert_close (result, expected, ROUND_TRIP);

  /* The graph in a saved PNG runs on another image. */
  to_png = hosts_capra_run (NULL, "%s -o %s -- capra:gaussian-blur std-dev-x=3 std-dev-y=2 truncate=4", gray_path, png);
  hosts_assert_success (to_png);
  from_png = hosts_capra_run (NULL, "%s -o %s --graph %s", gray_path, again, png);
  hosts_assert_success (from_png);
  repeated = hosts_image_load (again, "Y");
  hosts_assert_close (repeated, expected, ROUND_TRIP);
}

/* The labels of the blurred image, measured on the image itself: the input is connected to an aux pad. */
static const char measuring[]
  = "<gegl>\n"
    "  <node operation='capra:measure'><clone ref='input'/></node>\n"
    "  <node operation='capra:label'><params><param name='rendering'>numbers</param></params></node>\n"
    "  <node operation='capra:threshold'><params><param name='value'>0.47</param></params></node>\n"
    "  <node operation='gegl:nop' id='input'/>\n"
    "</gegl>\n";

static void
assert_regions (const char *path, HostsImage *image)
{
  g_autofree char *csv = hosts_read (path);
  g_autoptr (HostsImage) mask = hosts_image_new (image->width, image->height, 1);
  g_autofree guint32 *labels = NULL;
  g_autofree ReferenceRegion *regions = NULL;
  guint32 count = 0;

  g_assert_nonnull (csv);
  for (int i = 0; i < image->width * image->height; i++)
    mask->values[i] = image->values[i] >= 0.47;
  labels = reference_label (mask, 8, &count);
  regions = reference_measure (labels, count, image);
  g_assert_cmpuint (hosts_csv_rows (csv), ==, count);
  for (guint32 i = 0; i < count; i++)
    {
      g_assert_cmpfloat (hosts_csv_get (csv, i, "area"), ==, regions[i].area);
      g_assert_cmpfloat_with_epsilon (hosts_csv_get (csv, i, "mean"), regions[i].mean, 1e-5);
    }
}

/* Three images at once, each with a result and a table. */
static void
test_batch (void)
{
  const char *folder = hosts_path ("frames"), *graph = hosts_write ("measure.xml", measuring);
  g_autofree char *tables = g_build_filename (folder, "{name}-{n}.csv", NULL);
  g_autoptr (GString) inputs = g_string_new (NULL);
  g_autoptr (HostsRun) batch = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("frame%d.tif", i);
      g_autoptr (HostsImage) frame = hosts_image_sample (WIDTH - 20 * i, HEIGHT + 10 * i, 1);
      const char *path = hosts_path (name);

      hosts_image_save (frame, path, "Y");
      g_string_append_printf (inputs, "%s ", path);
    }
  batch = hosts_capra_run (NULL, "%s -o %s/ -g %s --tables=%s", inputs->str, folder, graph, tables);
  hosts_assert_success (batch);
  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("frame%d.tif", i);
      g_autofree char *result = g_build_filename (folder, name, NULL);
      g_autofree char *table = g_strdup_printf ("%s/frame%d-%d.csv", folder, i, i);
      g_autoptr (HostsImage) frame = hosts_image_load (hosts_path (name), "Y");
      g_autofree guint32 *numbers = NULL;
      int width, height;

      assert_regions (table, frame);
      numbers = hosts_numbers_load (result, &width, &height);
      g_assert_cmpint (width, ==, frame->width);
      g_assert_cmpint (height, ==, frame->height);
    }
}

/* Branches that only GEGL can read, as XML and as a chain; and a graph that loads its image itself. */
static void
test_branches (void)
{
  g_autofree char *xml = g_strdup_printf (
    "<gegl><gegl:add><gegl:invert-linear/><gegl:load path='%s'/></gegl:add></gegl>", gray_path);
  const char *branched = hosts_write ("branched.xml", xml);
  const char *own = hosts_write ("own.xml", "<gegl><capra:box-blur radius='0'/><gegl:load path='gray.tif'/></gegl>");
  const char *path = hosts_path ("branches.tif");
  g_autoptr (HostsImage) image = hosts_image_load (gray_path, "Y");
  g_autoptr (HostsImage) ones = hosts_image_new (WIDTH, HEIGHT, 1);
  g_autoptr (HostsRun) by_xml = hosts_capra_run (NULL, "%s -o %s --graph=%s", gray_path, path, branched);
  g_autoptr (HostsRun) by_chain = NULL, by_itself = NULL;
  g_autoptr (HostsImage) first = NULL, second = NULL, third = NULL;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    ones->values[i] = 1; /* an image and its inverse */
  hosts_assert_success (by_xml);
  first = hosts_image_load (path, "Y");
  hosts_assert_close (first, ones, ROUND_TRIP);

  g_remove (path);
  by_chain = hosts_capra_run (NULL, "%s -o %s -- gegl:add aux=[ gegl:load path=%s gegl:invert-linear ]", gray_path,
                              path, gray_path);
  hosts_assert_success (by_chain);
  second = hosts_image_load (path, "Y");
  hosts_assert_close (second, ones, ROUND_TRIP);

  g_remove (path);
  by_itself = hosts_capra_run (NULL, "-o %s -g %s", path, own); /* its path is relative to the graph's folder */
  hosts_assert_success (by_itself);
  third = hosts_image_load (path, "Y");
  hosts_assert_close (third, image, ROUND_TRIP);
}

/* GEGL lists operations under the GPL only to programs that declare this license. */
static void
test_gpl_operation (void)
{
  const char *path = hosts_path ("gpl.tif");
  g_autoptr (HostsImage) expected = hosts_image_load (gray_path, "RGB"), found = NULL;
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "%s -o %s -- gegl:channel-mixer rr-gain=0.5 gg-gain=0.25 bb-gain=0",
                                              gray_path, path);

  hosts_assert_success (run);
  for (int i = 0; i < 3 * WIDTH * HEIGHT; i++)
    expected->values[i] *= i % 3 == 0 ? 0.5 : i % 3 == 1 ? 0.25 : 0;
  found = hosts_image_load (path, "RGB");
  hosts_assert_close (found, expected, ROUND_TRIP);
}

/* The PNG at @path names the device, and contains the timings of the whole run. */
static void
assert_kept (const char *path)
{
  g_autofree char *bytes = NULL;
  const char *device = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  for (gsize i = 0; i < length; i++)
    bytes[i] = bytes[i] ? bytes[i] : ' ';
  g_assert_nonnull (strstr (bytes, "capra:graph "));
  device = strstr (bytes, "capra:device "); /* after the pixels, which can contain any bytes */
  g_assert_nonnull (device);
  g_assert_nonnull (strstr (device, "#1"));
  g_assert_null (strstr (device, "#0"));
  g_assert_true (g_regex_match_simple ("\"name\"\\s*:\\s*\"upload\",\\s*\"count\"\\s*:\\s*1,", bytes, G_REGEX_RAW, 0));
}

static void
test_reports (void)
{
  const char *path = hosts_path ("reports.png"), *json = hosts_path ("timings.json");
  g_autoptr (HostsRun) printed = hosts_capra_run (NULL, "%s -o %s -t --device=1 -- capra:box-blur", gray_path, path);
  g_autoptr (HostsRun) written = hosts_capra_run (NULL, "%s --tables=- --timings=%s -p -- capra:statistics", gray_path,
                                                  json);
  g_autoptr (HostsRun) help = hosts_capra_run (NULL, "--help"), version = hosts_capra_run (NULL, "--version");
  g_autofree char *text = hosts_read (json);

  hosts_assert_success (printed);
  g_assert_nonnull (strstr (printed->out, "median"));
  assert_kept (path);
  hosts_assert_error (written, 0, "[1/1]");
  g_assert_cmpuint (hosts_csv_rows (written->out), ==, 1);
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "\"name\""));
  g_assert_nonnull (strstr (help->out, "--graph"));
  g_assert_true (g_str_has_prefix (version->out, "capra "));
}

static void
test_failures (void)
{
  const char *path = hosts_path ("failed.png"), *broken = hosts_write ("broken.xml", "<gegl><gegl:in");
  const char *empty = hosts_write ("empty.png", ""), *cut = hosts_write ("cut.gif", "GIF89a\x10");
  static const struct {
    int status;
    const char *arguments, *says;
  } cases[] = {
    { 2, "GRAY", "no operations" },
    { 2, "GRAY -- gegl:invert-linear", "give --output" },
    { 2, "GRAY GRAY -o OUT -- gegl:invert-linear", "more than once" },
    { 2, "GRAY -o OUT --bits=12 -- gegl:invert-linear", "--bits" },
    { 2, "GRAY GRAY --tables=t.csv -- capra:statistics", "--tables" },
    { 2, "-o OUT -- gegl:invert-linear", "needs an input image" },
    { 2, "GRAY -o OUT -- gegl:color", "remove what loads them" },
    { 2, "GRAY -o OUT --nonsense -- gegl:invert-linear", "nonsense" },
    { 1, "GRAY -o OUT -- gegl:no-such", "\"gegl:no-such\": it is misspelt" },
    { 1, "GRAY -o OUT -- gegl:no-such", "not installed (\"gegl --list-all\" lists" },
    { 1, "GRAY -o OUT -- capra:gausian-blur", "did you mean \"capra:gaussian-blur\"?" },
    { 1, "GRAY -o OUT -- capra:box-blur size=3", "no property \"size\"; it has radius, abyss-policy" },
    { 1, "CUT -o OUT -- gegl:invert-linear", ": Cannot read the file: Unexpected end of GIF" },
    { 2, "GRAY -o OUT --jobs=-3 -- gegl:invert-linear", "--jobs=-3 is out of range: 1 to 256" },
    { 1, "GRAY -o OUT -- capra:box-blur radius=wide", "wide" },
    { 1, "GRAY -o OUT -- capra:box-blur radius=-3", "radius: -3 is out of range" },
    { 1, "GRAY -o OUT -- capra:convolve extent=fall", "same, full, valid" },
    { 1, "GRAY -o OUT -- gegl:add aux=[ gegl:no-such gegl:invert-linear ]", "gegl:no-such" },
    { 1, "GRAY -o OUT --graph=/nowhere.xml", "nowhere" },
    { 1, "GRAY -o OUT -g BROKEN", "capra run" },
    { 1, "GRAY -o OUT -d nonsense -- capra:box-blur", "nonsense" },
    { 1, "GRAY -o OUT -- capra:box-blur device=nonsense", "nonsense" },
    { 1, "GRAY -o OUT -- gegl:add aux=[ gegl:load path=GRAY capra:box-blur device=nonsense ]", "nonsense" },
    { 1, "/nowhere.png -o OUT -- gegl:invert-linear", "nowhere" },
    { 1, "EMPTY -o OUT -- gegl:invert-linear", "empty" },
    { 1, "GRAY -o /nowhere/out.png -- gegl:invert-linear", "folder" },
    { 1, "GRAY -o OUT -- gegl:crop x=5 width=0 height=0", "result is empty" },
    { 1, "GRAY -o OUT -- gegl:crop width=2 height=2 capra:convolve extent=valid", "larger than the image" },
    { 1, "GRAY -o OUT.nonsense -- gegl:invert-linear", ".nonsense\": unsupported file name extension" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) arguments = g_string_new (cases[i].arguments);
      g_autoptr (HostsRun) failed = NULL;

      g_string_replace (arguments, "GRAY", gray_path, 0);
      g_string_replace (arguments, "OUT", path, 0);
      g_string_replace (arguments, "BROKEN", broken, 0);
      g_string_replace (arguments, "EMPTY", empty, 0);
      g_string_replace (arguments, "CUT", cut, 0);
      /* GEGL 0.4.62 logs a critical message for an unknown operation. */
      failed = hosts_capra_run ("G_DEBUG=", "%s", arguments->str);
      hosts_assert_error (failed, cases[i].status, cases[i].says);
      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

/* An unreadable image does not stop the others; a missing device is reported clearly. */
static void
test_goes_on (void)
{
  const char *folder = hosts_path ("done");
  g_autofree char *good = g_build_filename (folder, "gray.tif", NULL);
  g_autoptr (HostsRun) half = NULL, none = NULL;

  half = hosts_capra_run (NULL, "/nowhere.png %s -o %s/ -- capra:box-blur", gray_path, folder);
  hosts_assert_error (half, 1, "nowhere");
  g_assert_true (g_file_test (good, G_FILE_TEST_EXISTS));
  g_remove (good);
  none = hosts_capra_run ("OCL_ICD_VENDORS=/nowhere", "%s -o %s/ -- capra:box-blur", gray_path, folder);
  hosts_assert_error (none, 1, "capra run: ");
  g_assert_false (g_file_test (good, G_FILE_TEST_EXISTS));
  g_test_message ("%s", none->err);
}

int
main (int argc, char **argv)
{
  g_autoptr (HostsImage) image = NULL;

  hosts_begin (&argc, &argv);
  image = hosts_image_sample (WIDTH, HEIGHT, 1);
  hosts_image_save (image, gray_path = hosts_path ("gray.tif"), "Y");
  g_test_add_func ("/capra-run/chain", test_chain);
  g_test_add_func ("/capra-run/failures", test_failures);
  if (g_test_slow ())
    {
      g_test_add_func ("/capra-run/batch", test_batch);
      g_test_add_func ("/capra-run/branches", test_branches);
      g_test_add_func ("/capra-run/gpl-operation", test_gpl_operation);
      g_test_add_func ("/capra-run/reports", test_reports);
      g_test_add_func ("/capra-run/goes-on", test_goes_on);
    }
  return hosts_end ();
}
