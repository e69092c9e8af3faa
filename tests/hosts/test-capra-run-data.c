/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run --data`: thresholds, labels, tables and results as raw values. NumPy arrays and PNG files are read and
 * written byte by byte here. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "tests/hosts/hosts.h"

#define WIDTH 97
#define HEIGHT 83
#define COUNT (WIDTH * HEIGHT)
#define HEAD 128 /* bytes before the samples of an array */

static guint16 image[COUNT];
static const char *path;

/* The second 16-bit array of tests/algorithms/test-threshold-whole.c. */
static void
write_image (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *header = g_strdup_printf ("{'descr': '<u2', 'fortran_order': False, 'shape': (%d, %d), }", HEIGHT,
                                             WIDTH);
  guint32 state = 2;

  for (int i = 0; i < COUNT; i++)
    {
      double u;

      state = state * 1664525u + 1013904223u;
      u = (state >> 8) / 16777216.0;
      image[i] = (guint16) ((0.25 * u + ((i % WIDTH / 8 + i / WIDTH / 8) % 3 == 0 ? 0.5 * u * u + 0.3 : 0)) * 60000);
    }
  g_byte_array_append (bytes, (const guint8 *) "\x93NUMPY\1\0v\0", 10);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) strlen (header));
  while (bytes->len < HEAD)
    g_byte_array_append (bytes, (const guint8 *) (bytes->len == HEAD - 1 ? "\n" : " "), 1);
  g_byte_array_append (bytes, (const guint8 *) image, sizeof image);
  path = hosts_path ("image.npy");
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

/* The samples of an array whose header names this type. */
static gpointer
read_array (const char *name, const char *type, gsize size)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (hosts_path (name), &bytes, &length, NULL));
  g_assert_cmpuint (length, ==, HEAD + COUNT * size);
  g_assert_nonnull (g_strstr_len (bytes + 10, HEAD - 10, type));
  return g_memdup2 (bytes + HEAD, COUNT * size);
}

/* The thresholds of scikit-image 0.19.3 for the integer array give the same masks. */
static void
test_thresholds (void)
{
  static const struct {
    const char *method;
    double value;
  } cases[] = { { "otsu", 25761 },    { "mean", 16854.0701 }, { "triangle", 12334 },
                { "li", 18164.1264 }, { "yen", 12377 },       { "isodata", 25771 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autoptr (HostsRun) ended = hosts_capra_run (NULL, "--data %s -o %s -- capra:threshold method=%s", path,
                                                    hosts_path ("mask.npy"), cases[c].method);
      g_autofree guint16 *mask = NULL;

      hosts_assert_success (ended);
      mask = read_array ("mask.npy", "'<u2'", 2);
      for (int i = 0; i < COUNT; i++)
        if (mask[i] != (image[i] > cases[c].value))
          g_error ("%s: pixel %d of value %u is %u", cases[c].method, i, image[i], mask[i]);
    }
}

/* Tables have raw values; labels are rendered as numbers by default. */
static void
test_tables (void)
{
  const char *table = hosts_path ("table.csv");
  g_autoptr (HostsRun) statistics = hosts_capra_run (NULL, "--data %s --tables=%s -- capra:statistics", path, table);
  g_autoptr (HostsRun) labels = NULL;
  g_autofree char *csv = hosts_read (table);
  g_autofree guint8 *numbers = NULL;
  double sum = 0;
  guint16 most = 0;
  guint8 last = 0;

  hosts_assert_success (statistics);
  for (int i = 0; i < COUNT; i++)
    {
      sum += image[i];
      most = MAX (most, image[i]);
    }
  g_assert_cmpfloat (hosts_csv_get (csv, 0, "max"), ==, most);
  g_assert_cmpfloat_with_epsilon (hosts_csv_get (csv, 0, "mean"), sum / COUNT, 1e-3);

  labels = hosts_capra_run (NULL, "--data %s -o %s -- capra:threshold value=20000 capra:label connectivity=4", path,
                            hosts_path ("labels.npy"));
  hosts_assert_success (labels);
  numbers = read_array ("labels.npy", "'|u1'", 1);
  for (int i = 0; i < COUNT; i++)
    {
      g_assert_cmpint (numbers[i] > 0, ==, image[i] >= 20000);
      g_assert_cmpint (numbers[i], <=, last + 1);
      last = MAX (last, numbers[i]);
    }
  g_assert_cmpint (last, >, 5);
}

/* Graphs that load files themselves, have branches that only GEGL can read, or are stored in a PNG. */
static void
test_graphs (void)
{
  const char *png = hosts_path ("image.png"), *kept = hosts_path ("kept.png");
  g_autofree char *sum = g_strdup_printf (
    "<gegl><gegl:crop width='97' height='83'/><gegl:add><gegl:nop/><gegl:load path='%s'/></gegl:add></gegl>", png);
  g_autoptr (HostsRun) to_png = hosts_capra_run (NULL, "--data %s -o %s -- gegl:crop width=97 height=83", path, png);
  g_autoptr (HostsRun) doubled = NULL, masked = NULL, again = NULL;
  g_autofree guint16 *mask = NULL;
  g_autofree float *twice = NULL;

  hosts_assert_success (to_png);
  doubled = hosts_capra_run (NULL, "--data %s -o %s --graph=%s", path, hosts_path ("twice.npy"),
                             hosts_write ("sum.xml", sum));
  hosts_assert_success (doubled);
  twice = read_array ("twice.npy", "'<f4'", 4); /* above 65535 */
  for (int i = 0; i < COUNT; i++)
    g_assert_cmpfloat (twice[i], ==, 2.0 * image[i]);

  masked = hosts_capra_run (NULL, "--data %s -o %s -- capra:threshold method=isodata", path, kept);
  hosts_assert_success (masked);
  again = hosts_capra_run (NULL, "%s -o %s --graph=%s", path, hosts_path ("again.npy"),
                           kept); /* the stored graph selects raw values */
  hosts_assert_success (again);
  mask = read_array ("again.npy", "'<u2'", 2);
  for (int i = 0; i < COUNT; i++)
    g_assert_cmpint (mask[i], ==, image[i] > 25771);
}

static void
test_failures (void)
{
  const char *cut = hosts_path ("cut.npy");
  g_autofree char *bytes = NULL;
  gsize length;
  g_autoptr (HostsRun) fractions = hosts_capra_run (NULL, "--data %s -o %s -- gegl:box-blur radius=2", path,
                                                    hosts_path ("f.png"));
  g_autoptr (HostsRun) rounded = hosts_capra_run (NULL, "--data --bits=16 %s -o %s -- gegl:box-blur radius=2", path,
                                                  hosts_path ("r.png"));
  g_autoptr (HostsRun) narrow = hosts_capra_run (NULL, "--data --bits=8 %s -o %s -- gegl:nop", path,
                                                 hosts_path ("n.tif"));
  g_autoptr (HostsRun) jpeg = hosts_capra_run (NULL, "--data %s -o %s -- gegl:nop", path, hosts_path ("j.jpg"));
  g_autoptr (HostsRun) picture = hosts_capra_run (NULL, "%s -o %s -- gegl:nop", path, hosts_path ("p.png"));
  g_autoptr (HostsRun) damaged = NULL;

  hosts_assert_error (fractions, 1, "--bits");
  hosts_assert_success (rounded);
  hosts_assert_error (narrow, 1, "8 bits store values from 0 to 255");
  hosts_assert_error (jpeg, 1, ".npy");
  hosts_assert_error (picture, 1, "--data");
  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_true (g_file_set_contents (cut, bytes, (gssize) length - 1, NULL));
  damaged = hosts_capra_run (NULL, "--data %s -o %s -- gegl:nop", cut, hosts_path ("c.tif"));
  hosts_assert_error (damaged, 1, "incomplete");
  g_assert_false (g_file_test (hosts_path ("f.png"), G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  hosts_begin (&argc, &argv);
  write_image ();
  g_test_add_func ("/capra-run-data/thresholds", test_thresholds);
  g_test_add_func ("/capra-run-data/tables", test_tables);
  g_test_add_func ("/capra-run-data/graphs", test_graphs);
  g_test_add_func ("/capra-run-data/failures", test_failures);
  return hosts_end ();
}
