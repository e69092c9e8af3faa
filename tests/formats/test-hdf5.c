/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the HDF5 reader, with files that libhdf5 writes. */
#include <glib/gstdio.h>
#include <hdf5.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/support.h"

#define WIDTH 17
#define HEIGHT 9
#define COUNT (WIDTH * HEIGHT)
#define FRAMES 6

static char *folder;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static hid_t
create (const char *name)
{
  g_autofree char *path = get_path (name);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (file, >=, 0);
  return file;
}

/* Value @i of frame @frame. */
static guint32
get_value (guint64 frame, guint i)
{
  return (guint32) (frame * 7 + i * 13) % 120;
}

/* Writes frames from @first on as the data set @name, with the stored type @type, and chunks of @chunk frames (0: no
 * chunks). */
static void
write_frames (hid_t file, const char *name, hid_t type, guint64 first, hsize_t frames, hsize_t chunk, guint deflate)
{
  hsize_t dims[3] = { frames, HEIGHT, WIDTH }, chunks[3] = { chunk, HEIGHT, WIDTH };
  g_autofree guint32 *values = g_new (guint32, frames *COUNT);
  hid_t space = H5Screate_simple (3, dims, NULL), creation = H5Pcreate (H5P_DATASET_CREATE), dataset;
  hid_t links = H5Pcreate (H5P_LINK_CREATE);

  for (guint i = 0; i < frames * COUNT; i++)
    values[i] = get_value (first + i / COUNT, i % COUNT);
  H5Pset_create_intermediate_group (links, 1);
  if (chunk)
    H5Pset_chunk (creation, 3, chunks);
  if (deflate)
    H5Pset_deflate (creation, deflate);
  dataset = H5Dcreate2 (file, name, type, space, links, creation, H5P_DEFAULT);
  g_assert_cmpint (dataset, >=, 0);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (dataset);
  H5Pclose (links);
  H5Pclose (creation);
  H5Sclose (space);
}

static CapraHdf5Frames *
open_frames (const char *name, const char *dataset)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;
  CapraHdf5Frames *frames = capra_hdf5_frames_open (path, dataset, &error);

  g_assert_no_error (error);
  return frames;
}

static void
assert_open_fails (const char *name, const char *dataset, int code)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;

  g_assert_null (capra_hdf5_frames_open (path, dataset, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, code);
}

/* Reads all frames; @encoding: how they are stored. Plain chunks have the values. */
static void
assert_frames (CapraHdf5Frames *frames, guint64 count, CapraHdf5Encoding encoding)
{
  const CapraHdf5Shape *shape = capra_hdf5_frames_get_shape (frames);

  g_assert_cmpuint (shape->width, ==, WIDTH);
  g_assert_cmpuint (shape->height, ==, HEIGHT);
  g_assert_cmpuint (shape->frames, ==, count);
  for (guint64 frame = 0; frame < count; frame++)
    {
      guint64 values[COUNT], stored[COUNT];
      float floats[COUNT];
      g_autoptr (GError) error = NULL;
      CapraHdf5Chunk chunk;

      g_assert_true (capra_hdf5_frames_read_floats (frames, frame, floats, &error));
      for (guint i = 0; i < COUNT; i++)
        g_assert_cmpfloat (floats[i], ==, get_value (frame, i));
      g_assert_true (capra_hdf5_frames_get_chunk (frames, frame, &chunk, &error));
      g_assert_cmpint (chunk.encoding, ==, encoding);
      g_assert_true (capra_hdf5_frames_read (frames, frame, values, &error));
      if (encoding != CAPRA_HDF5_PLAIN)
        continue;
      g_assert_cmpuint (chunk.length, ==, COUNT * shape->element);
      g_assert_true (capra_hdf5_chunk_read (&chunk, stored, chunk.length, &error));
      g_assert_cmpmem (stored, chunk.length, values, chunk.length);
    }
}

/* All types, without chunks, with one to three frames a chunk, and with a compressed frame a chunk. */
static void
test_types (void)
{
  const struct {
    hid_t stored;
    CapraType type;
    guint element;
    gboolean plain;
  } types[] = { { H5T_STD_U8LE, CAPRA_U8, 1, TRUE },    { H5T_STD_I8LE, CAPRA_I8, 1, TRUE },
                { H5T_STD_U16LE, CAPRA_U16, 2, TRUE },  { H5T_STD_I16LE, CAPRA_I16, 2, TRUE },
                { H5T_STD_U32LE, CAPRA_U32, 4, TRUE },  { H5T_STD_I32LE, CAPRA_I32, 4, TRUE },
                { H5T_IEEE_F32LE, CAPRA_F32, 4, TRUE }, { H5T_STD_U64LE, CAPRA_F32, 8, TRUE },
                { H5T_STD_I64LE, CAPRA_F32, 8, TRUE },  { H5T_IEEE_F64LE, CAPRA_F32, 8, TRUE },
                { H5T_STD_U16BE, CAPRA_U16, 2, FALSE }, { H5T_STD_I64BE, CAPRA_F32, 8, FALSE },
                { H5T_IEEE_F64BE, CAPRA_F32, 8, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint c = 0; c < 5; c++)
      {
        hid_t file = create ("types.h5");
        g_autoptr (CapraHdf5Frames) frames = NULL;

        write_frames (file, "data", types[i].stored, 0, FRAMES, c % 4 + c / 4, c == 4 ? 5 : 0);
        H5Fclose (file);
        frames = open_frames ("types.h5", "data");
        g_assert_cmpint (capra_hdf5_frames_get_shape (frames)->type, ==, types[i].type);
        g_assert_cmpuint (capra_hdf5_frames_get_shape (frames)->element, ==, types[i].element);
        assert_frames (frames, FRAMES, c <= 1 && types[i].plain ? CAPRA_HDF5_PLAIN : CAPRA_HDF5_OTHER);
      }
}

/* Integers of 64 bits and doubles keep their values; as floats they are rounded to the nearest. */
static void
test_64_bits (void)
{
  static const guint64 integers[] = { 0, 16777217, G_MAXUINT32, G_MAXUINT64, G_GUINT64_CONSTANT (1) << 63, 3 };
  static const double numbers[] = { 0.1, -1e-300, 1e300, -INFINITY, 16777217, 3e38 };
  const hsize_t dims[] = { 2, 3 };

  for (guint kind = 0; kind < 2; kind++)
    {
      const void *values = kind ? (const void *) numbers : integers;
      hid_t file = create ("wide.h5"), space = H5Screate_simple (2, dims, NULL);
      hid_t dataset = H5Dcreate2 (file, "data", kind ? H5T_IEEE_F64LE : H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT,
                                  H5P_DEFAULT);
      g_autoptr (CapraHdf5Frames) frames = NULL;
      guint64 got[6];
      float floats[6];

      H5Dwrite (dataset, kind ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
      H5Dclose (dataset);
      H5Sclose (space);
      H5Fclose (file);
      frames = open_frames ("wide.h5", "");
      g_assert_true (capra_hdf5_frames_read (frames, 0, got, NULL));
      g_assert_cmpmem (got, sizeof got, values, sizeof got);
      g_assert_true (capra_hdf5_frames_read_floats (frames, 0, floats, NULL));
      for (guint i = 0; i < 6; i++)
        g_assert_cmpfloat (floats[i], ==, kind ? (float) numbers[i] : (float) integers[i]);
    }
}

/* Chunks that another program has encoded: their place and encoding. */
static void
test_bitshuffle (void)
{
  static const struct {
    unsigned parameters[5]; /* of the filter */
    CapraHdf5Encoding encoding;
  } cases[] = { { { 0, 4, 4, 0, 2 }, CAPRA_HDF5_BITSHUFFLE_LZ4 },
                { { 0, 4, 4, 16, 0 }, CAPRA_HDF5_BITSHUFFLE_PLANES },
                { { 0, 4, 4, 0, 3 }, CAPRA_HDF5_OTHER },   /* zstd */
                { { 0, 4, 2, 0, 2 }, CAPRA_HDF5_OTHER } }; /* not of the data set's values */
  g_autofree char *text = g_strnfill (COUNT * sizeof (guint32), 'c');
  char got[COUNT * sizeof (guint32)];

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      hsize_t dims[3] = { 3, HEIGHT, WIDTH }, chunks[3] = { 1, HEIGHT, WIDTH };
      hid_t file = create ("bitshuffle.h5"), space = H5Screate_simple (3, dims, NULL);
      hid_t creation = H5Pcreate (H5P_DATASET_CREATE), dataset;
      g_autoptr (CapraHdf5Frames) frames = NULL;
      CapraHdf5Chunk chunk;

      H5Pset_chunk (creation, 3, chunks);
      H5Pset_filter (creation, 32008, H5Z_FLAG_OPTIONAL, 5, cases[i].parameters);
      dataset = H5Dcreate2 (file, "data", H5T_STD_U32LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
      for (guint frame = 0; frame < 3; frame += 2) /* the filter is skipped for the second one */
        g_assert_cmpint (H5Dwrite_chunk (dataset, H5P_DEFAULT, frame / 2, (hsize_t[]){ frame, 0, 0 }, sizeof got, text),
                         >=, 0);
      H5Dclose (dataset);
      H5Pclose (creation);
      H5Sclose (space);
      H5Fclose (file);

      frames = open_frames ("bitshuffle.h5", "");
      for (guint frame = 0; frame < 3; frame += 2)
        {
          g_assert_true (capra_hdf5_frames_get_chunk (frames, frame, &chunk, NULL));
          g_assert_cmpint (chunk.encoding, ==, frame == 0 ? cases[i].encoding : CAPRA_HDF5_PLAIN);
          g_assert_cmpuint (chunk.length, ==, sizeof got);
          g_assert_cmpuint (chunk.block, ==,
                            cases[i].parameters[2] == 4 && frame == 0 ? cases[i].parameters[3] : chunk.block);
          g_assert_true (capra_hdf5_chunk_read (&chunk, got, sizeof got, NULL));
          g_assert_cmpmem (got, sizeof got, text, sizeof got);
        }
      g_assert_true (capra_hdf5_frames_get_chunk (frames, 1, &chunk, NULL));
      g_assert_cmpint (chunk.encoding, ==, CAPRA_HDF5_MISSING);
    }
}

static void
set_attribute (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, strlen (text));
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, text);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

/* The attributes default and signal, or the class of groups. */
static void
test_nexus (void)
{
  for (guint named = 0; named < 2; named++)
    {
      hid_t file = create ("nexus.nxs"), group;
      g_autoptr (CapraHdf5Frames) frames = NULL;

      write_frames (file, "/scan/plots/counts", H5T_STD_U16LE, 0, FRAMES, 1, 0);
      write_frames (file, "/scan/plots/other", H5T_STD_U16LE, 5, 2, 1, 0);
      if (named)
        set_attribute (file, "default", "scan");
      group = H5Gopen2 (file, "/scan", H5P_DEFAULT);
      set_attribute (group, "NX_class", "NXentry");
      if (named)
        set_attribute (group, "default", "plots");
      H5Gclose (group);
      group = H5Gopen2 (file, "/scan/plots", H5P_DEFAULT);
      set_attribute (group, "NX_class", "NXdata");
      set_attribute (group, "signal", "counts");
      H5Gclose (group);
      H5Fclose (file);
      frames = open_frames ("nexus.nxs", "");
      g_assert_cmpstr (capra_hdf5_frames_get_dataset (frames), ==, "/scan/plots/counts");
      assert_frames (frames, FRAMES, CAPRA_HDF5_PLAIN);
    }
  /* Without attributes two data sets are ambiguous. */
  {
    hid_t file = create ("two.h5");

    write_frames (file, "/a", H5T_STD_U16LE, 0, 2, 1, 0);
    write_frames (file, "/b", H5T_STD_U16LE, 0, 2, 1, 0);
    H5Fclose (file);
    assert_open_fails ("two.h5", "", CAPRA_FORMAT_ERROR_NOT_FOUND);
  }
}

/* The files of an Eiger detector: a master file with links to files with data. */
static void
test_eiger (void)
{
  hid_t file, group;
  g_autoptr (CapraHdf5Frames) frames = NULL;
  g_autofree char *second = get_path ("x_data_000002.h5");

  for (guint i = 0; i < 2; i++)
    {
      file = create (i ? "x_data_000002.h5" : "x_data_000001.h5");
      write_frames (file, "/entry/data/data", H5T_STD_U32LE, i * FRAMES, FRAMES, 1, 0);
      H5Fclose (file);
    }
  file = create ("x_master.h5");
  group = H5Gcreate2 (file, "/entry", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  set_attribute (group, "NX_class", "NXentry");
  H5Gclose (group);
  group = H5Gcreate2 (file, "/entry/data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  set_attribute (group, "NX_class", "NXdata");
  H5Lcreate_external ("x_data_000001.h5", "/entry/data/data", group, "data_000001", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external ("x_data_000002.h5", "/entry/data/data", group, "data_000002", H5P_DEFAULT, H5P_DEFAULT);
  H5Gclose (group);
  H5Fclose (file);

  frames = open_frames ("x_master.h5", "");
  assert_frames (frames, 2 * FRAMES, CAPRA_HDF5_PLAIN);
  g_clear_pointer (&frames, capra_hdf5_frames_close);
  frames = open_frames ("x_master.h5", "/entry/data/data_000001");
  assert_frames (frames, FRAMES, CAPRA_HDF5_PLAIN);
  g_assert_cmpint (g_remove (second), ==, 0);
  assert_open_fails ("x_master.h5", "", CAPRA_FORMAT_ERROR_DAMAGED);
}

/* A virtual data set of two files, in the wrong order; with a gap, it is read through libhdf5. */
static void
test_virtual (void)
{
  hsize_t dims[3] = { 2 * FRAMES, HEIGHT, WIDTH }, part[3] = { FRAMES, HEIGHT, WIDTH };

  for (guint i = 0; i < 2; i++)
    {
      hid_t file = create (i ? "v2.h5" : "v1.h5");

      write_frames (file, "/data", H5T_STD_U16LE, i * FRAMES, FRAMES, 1, 0);
      H5Fclose (file);
    }
  for (guint gap = 0; gap < 2; gap++)
    {
      hid_t file = create ("virtual.h5"), space = H5Screate_simple (3, dims, NULL);
      hid_t source = H5Screate_simple (3, part, NULL), creation = H5Pcreate (H5P_DATASET_CREATE);
      g_autoptr (CapraHdf5Frames) frames = NULL;
      CapraHdf5Chunk chunk;

      for (guint i = 0; i < 2 - gap; i++)
        {
          H5Sselect_hyperslab (space, H5S_SELECT_SET, (hsize_t[]){ (1 - i) * FRAMES, 0, 0 }, NULL, part, NULL);
          H5Pset_virtual (creation, space, i ? "v1.h5" : "v2.h5", "/data", source);
        }
      H5Sselect_all (space);
      H5Dclose (H5Dcreate2 (file, "/all", H5T_STD_U16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
      H5Pclose (creation);
      H5Sclose (source);
      H5Sclose (space);
      H5Fclose (file);
      frames = open_frames ("virtual.h5", "");
      if (!gap)
        {
          assert_frames (frames, 2 * FRAMES, CAPRA_HDF5_PLAIN);
          continue;
        }
      g_assert_true (capra_hdf5_frames_get_chunk (frames, FRAMES, &chunk, NULL));
      g_assert_cmpint (chunk.encoding, ==, CAPRA_HDF5_OTHER);
    }
}

/* Values in a file of their own. */
static void
test_external (void)
{
  g_autofree char *raw = get_path ("values.raw");
  hsize_t dims[3] = { FRAMES, HEIGHT, WIDTH };
  hid_t file = create ("external.h5"), space = H5Screate_simple (3, dims, NULL);
  hid_t creation = H5Pcreate (H5P_DATASET_CREATE), dataset;
  g_autoptr (CapraHdf5Frames) frames = NULL;
  guint16 values[FRAMES * COUNT];

  for (guint i = 0; i < FRAMES * COUNT; i++)
    values[i] = (guint16) get_value (i / COUNT, i % COUNT);
  H5Pset_external (creation, raw, 0, sizeof values);
  dataset = H5Dcreate2 (file, "/data", H5T_STD_U16LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (dataset);
  H5Pclose (creation);
  H5Sclose (space);
  H5Fclose (file);
  frames = open_frames ("external.h5", "");
  assert_frames (frames, FRAMES, CAPRA_HDF5_OTHER);
}

static void
write_simple (const char *name, const char *dataset, int rank, const hsize_t *dims, hid_t type)
{
  hid_t file = create (name), space = H5Screate_simple (rank, dims, NULL);

  H5Dclose (H5Dcreate2 (file, dataset, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose (space);
  H5Fclose (file);
}

static void
test_bad_files (void)
{
  g_autofree char *pipe = get_path ("pipe.h5"), *sub = get_path ("folder.h5"), *text = get_path ("text.h5");
  hid_t string = H5Tcopy (H5T_C_S1);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (g_mkdir (sub, 0700), ==, 0);
  g_assert_true (g_file_set_contents (text, "not HDF5", -1, NULL));
  assert_open_fails ("missing.h5", "", CAPRA_FORMAT_ERROR_READ);
  assert_open_fails ("pipe.h5", "", CAPRA_FORMAT_ERROR_READ);
  assert_open_fails ("folder.h5", "", CAPRA_FORMAT_ERROR_READ);
  assert_open_fails ("text.h5", "", CAPRA_FORMAT_ERROR_DAMAGED);
  write_simple ("line.h5", "line", 1, (hsize_t[]){ 5 }, H5T_STD_U16LE);
  assert_open_fails ("line.h5", "line", CAPRA_FORMAT_ERROR_UNSUPPORTED);
  assert_open_fails ("line.h5", "", CAPRA_FORMAT_ERROR_NOT_FOUND);
  assert_open_fails ("line.h5", "other", CAPRA_FORMAT_ERROR_NOT_FOUND);
  H5Tset_size (string, 4);
  write_simple ("words.h5", "words", 2, (hsize_t[]){ 5, 5 }, string);
  assert_open_fails ("words.h5", "words", CAPRA_FORMAT_ERROR_UNSUPPORTED);
  write_simple ("none.h5", "none", 3, (hsize_t[]){ 0, 5, 5 }, H5T_STD_U16LE);
  assert_open_fails ("none.h5", "none", CAPRA_FORMAT_ERROR_RANGE);
  write_simple ("large.h5", "large", 2, (hsize_t[]){ 3000000, 3000000 }, H5T_STD_U8LE);
  assert_open_fails ("large.h5", "large", CAPRA_FORMAT_ERROR_RANGE);
  H5Tclose (string);
}

/* Frames that are not there, and a file that is cut off while it is open. */
static void
test_frames_missing (void)
{
  g_autofree char *path = get_path ("cut.h5");
  hid_t file = create ("cut.h5");
  g_autoptr (CapraHdf5Frames) frames = NULL;
  g_autoptr (GError) error = NULL;
  CapraHdf5Chunk chunk;
  guint16 values[COUNT];
  struct stat found;

  write_frames (file, "data", H5T_STD_U16LE, 0, FRAMES, 1, 0);
  H5Fclose (file);
  frames = open_frames ("cut.h5", "");
  g_assert_cmpint (capra_hdf5_frames_check (frames, FRAMES - 1, &error), ==, FRAMES - 1);
  g_assert_cmpint (capra_hdf5_frames_check (frames, FRAMES, &error), ==, -1);
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE);
  g_clear_error (&error);
  g_assert_cmpint (capra_hdf5_frames_check (frames, -1, &error), ==, -1);
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE);
  g_clear_error (&error);

  g_assert_true (capra_hdf5_frames_get_chunk (frames, FRAMES - 1, &chunk, NULL));
  g_assert_cmpint (stat (path, &found), ==, 0);
  g_assert_cmpint (truncate (path, (off_t) (chunk.offset + 10)), ==, 0);
  g_assert_false (capra_hdf5_chunk_read (&chunk, values, sizeof values, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_CHANGED);
  g_clear_error (&error);
  g_assert_false (capra_hdf5_frames_get_chunk (frames, FRAMES - 1, &chunk, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED);
  g_clear_error (&error);
  g_assert_false (capra_hdf5_frames_read (frames, FRAMES - 1, values, &error));
  g_assert_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED);
}

static gpointer
read_all (gpointer data)
{
  assert_frames (data, 2 * FRAMES, CAPRA_HDF5_PLAIN);
  return NULL;
}

static void
test_threads (void)
{
  hid_t file = create ("threads.h5");
  g_autoptr (CapraHdf5Frames) frames = NULL;
  GThread *threads[4];

  write_frames (file, "data", H5T_STD_U16LE, 0, 2 * FRAMES, 1, 0);
  H5Fclose (file);
  frames = open_frames ("threads.h5", "");
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_all, frames);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  /* A filter that is installed would change its parameters in files that the tests write. */
  H5PLset_loading_state (0);
  folder = g_dir_make_tmp ("capra-hdf5-XXXXXX", NULL);
  g_test_add_func ("/hdf5/types", test_types);
  g_test_add_func ("/hdf5/64-bits", test_64_bits);
  g_test_add_func ("/hdf5/bitshuffle", test_bitshuffle);
  g_test_add_func ("/hdf5/nexus", test_nexus);
  g_test_add_func ("/hdf5/eiger", test_eiger);
  g_test_add_func ("/hdf5/virtual", test_virtual);
  g_test_add_func ("/hdf5/external", test_external);
  g_test_add_func ("/hdf5/bad-files", test_bad_files);
  g_test_add_func ("/hdf5/frames-missing", test_frames_missing);
  g_test_add_func ("/hdf5/threads", test_threads);
  status = g_test_run ();
  support_folder_remove (folder);
  return status;
}
