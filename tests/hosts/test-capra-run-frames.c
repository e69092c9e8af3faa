/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `capra run` on the frames of files: pages of TIFF, planes of FITS, frames of HDF5, together and damaged. */
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <hdf5.h>
#include <tiffio.h>

#include "tests/hosts/hosts.h"

#define PAGES 5
#define PLANES 4
#define FRAMES 6
#define BAD 3 /* the frame of the HDF5 file that is damaged */
#define WIDTH 20
#define HEIGHT 10
#define CARD 80
#define BLOCK 2880

static guint
count_lines (const char *text, const char *start)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint count = 0;

  for (guint i = 0; lines[i]; i++)
    count += g_str_has_prefix (lines[i], start);
  return count;
}

static void
write_pages (const char *path)
{
  TIFF *tiff = TIFFOpen (path, "w");

  g_assert_nonnull (tiff);
  for (int page = 0; page < PAGES; page++)
    {
      TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, 20);
      TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, 10);
      TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 16);
      TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
      TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
      for (uint32_t y = 0; y < 10; y++)
        {
          guint16 row[20];

          for (guint x = 0; x < 20; x++)
            row[x] = (guint16) (1000 * page + 20 * (int) y + (int) x);
          g_assert_cmpint (TIFFWriteScanline (tiff, row, y, 0), ==, 1);
        }
      TIFFWriteDirectory (tiff);
    }
  TIFFClose (tiff);
}

/* The first sample of the .npy file of a page. */
static guint16
read_first (const char *folder, int page)
{
  g_autofree char *path = g_strdup_printf ("%s/pages-%d.npy", folder, page), *bytes = NULL;
  guint16 value;
  gsize length;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  memcpy (&value, bytes + length - 20 * 10 * sizeof value, sizeof value);
  return value;
}

static void
test_pages (void)
{
  const char *path = hosts_path ("pages.tif"), *folder = hosts_path ("pages");
  g_autoptr (HostsRun) all = NULL, some = NULL, outside = NULL, nonsense = NULL, colors = NULL;

  /* The folder is made. */
  all = hosts_capra_run (NULL, "-q --data %s --frames=all -o %s/{name}-{frame}.npy -- gegl:nop", path, folder);
  hosts_assert_success (all);
  for (int page = 0; page < PAGES; page++)
    g_assert_cmpuint (read_first (folder, page), ==, 1000 * page);
  some = hosts_capra_run (NULL, "-p --data %s --frames=1-:2 -o %s/some-{frame}.npy -- gegl:nop", path, folder);
  hosts_assert_error (some, 0, "frame 3");
  g_assert_cmpuint (count_lines (some->err, "["), ==, 2);
  colors = hosts_capra_run (NULL, "-q %s --frames=3 -o %s/colors.tif -- gegl:nop", path, folder);
  hosts_assert_success (colors);
  outside = hosts_capra_run (NULL, "%s --frames=7 -o %s/x.tif -- gegl:nop", path, folder);
  hosts_assert_error (outside, 2, "pages.tif is 4");
  nonsense = hosts_capra_run (NULL, "%s --frames=3-1 -o %s/x.tif -- gegl:nop", path, folder);
  hosts_assert_error (nonsense, 2, "is not a range of frames");
}

/* Floats with the row from the bottom as FITS has them: 1000 * plane + 20 * row + column. */
static GString *
make_cube (void)
{
  static const char *const cards[] = { "SIMPLE  =                    T",
                                       "BITPIX  =                  -32",
                                       "NAXIS   =                    3",
                                       "NAXIS1  =                   20",
                                       "NAXIS2  =                   10",
                                       "NAXIS3  =                    4",
                                       "END" };
  GString *file = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cards); i++)
    g_string_append_printf (file, "%-*s", CARD, cards[i]);
  while (file->len % BLOCK)
    g_string_append_c (file, ' ');
  for (guint i = 0; i < PLANES * WIDTH * HEIGHT; i++)
    {
      union {
        float value;
        guint32 bits;
      } number = { .value = (float) (1000 * (i / (WIDTH * HEIGHT)) + i % (WIDTH * HEIGHT)) };
      guint32 big = GUINT32_TO_BE (number.bits);

      g_string_append_len (file, (const char *) &big, sizeof big);
    }
  while (file->len % BLOCK)
    g_string_append_c (file, '\0');
  return file;
}

/* Frames of 16 bits, compressed; one chunk is none. */
static void
write_hdf5 (const char *path)
{
  const hsize_t sizes[] = { FRAMES, HEIGHT, WIDTH }, chunk[] = { 1, HEIGHT, WIDTH }, bad[] = { BAD, 0, 0 };
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple (3, sizes, NULL);
  hid_t list = H5Pcreate (H5P_DATASET_CREATE), set;
  guint16 values[FRAMES][HEIGHT][WIDTH];

  for (guint i = 0; i < FRAMES * HEIGHT * WIDTH; i++)
    ((guint16 *) values)[i] = (guint16) (1000 * (i / (WIDTH * HEIGHT)) + i % (WIDTH * HEIGHT));
  H5Pset_chunk (list, 3, chunk);
  H5Pset_deflate (list, 3);
  set = H5Dcreate2 (file, "data", H5T_NATIVE_UINT16, space, H5P_DEFAULT, list, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  g_assert_cmpint (H5Dwrite_chunk (set, H5P_DEFAULT, 0, bad, 7, "garbage"), >=, 0);
  H5Dclose (set);
  H5Pclose (list);
  H5Sclose (space);
  H5Fclose (file);
}

/* The first value of frame @frame of the results in @folder. */
static double
read_value (const char *folder, const char *name, int frame)
{
  g_autofree char *path = g_strdup_printf ("%s/%s-%d.tif", folder, name, frame);
  TIFF *tiff = TIFFOpen (path, "r");
  guint32 width = 0, height = 0;
  guint16 bits = 0;
  union {
    float real[WIDTH];
    guint16 whole[2 * WIDTH];
  } row;

  g_test_message ("%s", path);
  g_assert_nonnull (tiff);
  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetField (tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  g_assert_true (width == WIDTH && height == HEIGHT && (bits == 16 || bits == 32));
  g_assert_cmpint (TIFFReadScanline (tiff, &row, 0, 0), ==, 1);
  TIFFClose (tiff);
  return bits == 16 ? row.whole[0] : (double) row.real[0];
}

/* Files of all kinds at once. What cannot be read is reported and left out. */
static void
test_mixed (void)
{
  const char *folder = hosts_path ("mixed");
  g_autofree char *bad = g_strdup (hosts_write ("bad.png", "\x89PNG\r\n\x1a\nno image"));
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "--data %s %s %s %s --frames=all -o %s/ --jobs=2 -- gegl:nop",
                                              hosts_path ("cube.fits"), hosts_path ("pages.tif"), bad,
                                              hosts_path ("stack.h5"), folder);

  hosts_assert_error (run, 1, "2 of 16 images failed");
  g_assert_cmpuint (count_lines (run->err, "capra run: "), ==, 3);
  g_assert_nonnull (strstr (run->err, "stack.h5, frame 3: "));
  for (int plane = 0; plane < PLANES; plane++) /* the first row is the last one in the file */
    g_assert_cmpfloat (read_value (folder, "cube", plane), ==, 1000.0 * plane + WIDTH * (HEIGHT - 1));
  for (int frame = 0; frame < FRAMES; frame++)
    if (frame != BAD)
      g_assert_cmpfloat (read_value (folder, "stack", frame), ==, 1000.0 * frame);
  for (int page = 0; page < PAGES; page++)
    g_assert_cmpfloat (read_value (folder, "pages", page), ==, 1000.0 * page);
}

/* The planes behind the end of a file that was cut. */
static void
test_cut (void)
{
  g_autoptr (GString) cube = make_cube ();
  g_autofree char *path = g_strdup (hosts_path ("cut.fits")),
                  *existing = g_build_filename (hosts_path ("cut"), "cut-0.tif", NULL);
  g_autofree char *missing = g_build_filename (hosts_path ("cut"), "cut-2.tif", NULL);
  g_autoptr (HostsRun) run = NULL, stopped = NULL;

  g_assert_true (g_file_set_contents (path, cube->str, BLOCK + 2 * WIDTH * HEIGHT * 4 + 100, NULL));
  run = hosts_capra_run (NULL, "-q %s --frames=all -o %s/ -- gegl:nop", path, hosts_path ("cut"));
  hosts_assert_error (run, 1, "2 of 4 images failed");
  hosts_assert_error (run, 1, "is cut off");
  g_assert_true (g_file_test (existing, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (missing, G_FILE_TEST_EXISTS));
  stopped = hosts_capra_run (NULL, "-q %s --frames=2- -o %s/ --jobs=1 --stop-on-error -- gegl:nop", path,
                             hosts_path ("stopped"));
  hosts_assert_error (stopped, 1, "1 of 2 images failed, 1 were not processed");
}

/* A data set that does not exist is named. */
static void
test_missing (void)
{
  g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q %s --dataset=/nothing --frames=all -o %s/ -- gegl:nop",
                                              hosts_path ("stack.h5"), hosts_path ("missing"));

  hosts_assert_error (run, 1, "has no data set or group /nothing");
}

static void
write_flat (hid_t file, const char *name, guint16 value)
{
  const hsize_t sizes[] = { HEIGHT, WIDTH };
  hid_t space = H5Screate_simple (2, sizes, NULL);
  hid_t set = H5Dcreate2 (file, name, H5T_NATIVE_UINT16, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  guint16 values[HEIGHT][WIDTH];

  for (guint i = 0; i < HEIGHT * WIDTH; i++)
    ((guint16 *) values)[i] = value;
  g_assert_cmpint (H5Dwrite (set, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (set);
  H5Sclose (space);
}

/* A file whose NeXus attribute names a default, and a second data set. */
static void
write_default (const char *path)
{
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate (H5S_SCALAR);
  hid_t type = H5Tcopy (H5T_C_S1), attribute = -1;

  write_flat (file, "first", 25);
  write_flat (file, "second", 50);
  H5Tset_size (type, strlen ("second"));
  attribute = H5Acreate2 (file, "default", type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Awrite (attribute, type, "second"), >=, 0);
  H5Aclose (attribute);
  H5Tclose (type);
  H5Sclose (space);
  H5Fclose (file);
}

/* The default of a file, or the data set that is named, without frames. */
static void
test_dataset (void)
{
  static const struct {
    const char *option;
    float value;
  } cases[] = { { "", 50 }, { "--dataset=/first", 25 }, { "--dataset=/second", 50 } };
  const char *path = hosts_path ("default.h5"), *output = hosts_path ("default.npy");

  write_default (path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HostsRun) run = hosts_capra_run (NULL, "-q --data %s %s --overwrite -o %s -- gegl:nop",
                                                  cases[i].option, path, output);
      g_autofree char *bytes = NULL;
      gsize length = 0;
      float value = 0.0f;

      hosts_assert_success (run);
      g_assert_true (g_file_get_contents (output, &bytes, &length, NULL));
      memcpy (&value, bytes + length - sizeof value, sizeof value);
      g_assert_cmpfloat (value, ==, cases[i].value);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GString) cube = NULL;

  hosts_begin (&argc, &argv);
  cube = make_cube ();
  g_assert_true (g_file_set_contents (hosts_path ("cube.fits"), cube->str, (gssize) cube->len, NULL));
  write_pages (hosts_path ("pages.tif"));
  write_hdf5 (hosts_path ("stack.h5"));
  g_test_add_func ("/capra-run-frames/pages", test_pages);
  g_test_add_func ("/capra-run-frames/mixed", test_mixed);
  g_test_add_func ("/capra-run-frames/cut", test_cut);
  g_test_add_func ("/capra-run-frames/missing", test_missing);
  g_test_add_func ("/capra-run-frames/data-set", test_dataset);
  return hosts_end ();
}
