/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra:hdf5-load: frames that are plain, compressed with bitshuffle and LZ4, or stored several to a chunk; errors. */
#include <glib/gstdio.h>
#include <hdf5.h>
#include <string.h>

#include "tests/support/graph.h"
#include "ui/cli/check/reference-bitshuffle.h"
#include "tests/support/support.h"

#define WIDTH 61
#define HEIGHT 35
#define COUNT (WIDTH * HEIGHT)
#define FRAMES 3
#define FILTER 32008

static char *folder;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* The values of a frame are less than 2^24, so that floats represent them. */
static guint32
get_value (guint frame, guint i)
{
  return (i % 7 == 0 ? i * 4001 : i / 9) + frame * 100;
}

static void
assert_frame (const float *pixels, guint frame)
{
  for (guint i = 0; i < COUNT; i++)
    g_assert_cmpfloat (pixels[i], ==, (float) get_value (frame, i));
}

/* Writes a file with frames of u32 in chunks of @chunk frames; 0: without chunks. */
static void
write_values (const char *name, hsize_t chunk)
{
  const hsize_t shape[] = { FRAMES, HEIGHT, WIDTH }, chunks[] = { chunk, HEIGHT, WIDTH };
  g_autofree char *path = get_path (name);
  g_autofree guint32 *values = g_new (guint32, FRAMES * COUNT);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (3, shape, NULL), set = -1;

  for (guint i = 0; i < FRAMES * COUNT; i++)
    values[i] = get_value (i / COUNT, i % COUNT);
  if (chunk)
    H5Pset_chunk (list, 3, chunks);
  set = H5Dcreate2 (file, "data", H5T_STD_U32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (set, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (set);
  H5Sclose (space);
  H5Pclose (list);
  g_assert_cmpint (H5Fclose (file), >=, 0);
}

/* Writes a file with a frame in each chunk, compressed with bitshuffle and LZ4. @type: of the stored values; @block:
 * values of a block; @damaged: the frame whose chunk is damaged, FRAMES for none */
static void
write_bitshuffle (const char *name, hid_t type, guint block, guint damaged)
{
  const hsize_t shape[] = { FRAMES, HEIGHT, WIDTH }, chunks[] = { 1, HEIGHT, WIDTH };
  guint element = (guint) H5Tget_size (type);
  const unsigned parameters[] = { 0, 3, element, block, 2 };
  g_autofree char *path = get_path (name);
  g_autofree guint8 *values = g_malloc (COUNT * element);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (3, shape, NULL), set = -1;

  H5Pset_chunk (list, 3, chunks);
  /* An optional filter may be missing here, since the chunks are written as they are. */
  H5Pset_filter (list, FILTER, H5Z_FLAG_OPTIONAL, G_N_ELEMENTS (parameters), parameters);
  set = H5Dcreate2 (file, "data", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (guint frame = 0; frame < FRAMES; frame++)
    {
      const hsize_t offset[] = { frame, 0, 0 };
      g_autoptr (GByteArray) chunk = NULL;

      for (guint i = 0; i < COUNT; i++)
        {
          guint64 value = get_value (frame, i);
          double number = (double) value;

          /* The lowest bytes come first. */
          memcpy (values + i * element, H5Tget_class (type) == H5T_FLOAT ? (void *) &number : &value, element);
        }
      chunk = reference_bitshuffle_encode (values, COUNT, element, block, reference_lz4_random, random);
      if (frame == damaged)
        memset (chunk->data + 16, 255, 40);
      g_assert_cmpint (H5Dwrite_chunk (set, H5P_DEFAULT, 0, offset, chunk->len, chunk->data), >=, 0);
    }
  H5Dclose (set);
  H5Sclose (space);
  H5Pclose (list);
  g_assert_cmpint (H5Fclose (file), >=, 0);
}

static GeglNode *
load_new (GeglNode *graph, const char *name, int frame)
{
  g_autofree char *path = get_path (name);

  return gegl_node_new_child (graph, "operation", "capra:hdf5-load", "path", path, "frame", frame, NULL);
}

/* All frames of a file, of which each is loaded by itself. */
static void
assert_frames (const char *name)
{
  GeglNode *graph = gegl_node_new ();
  GeglNode *load = load_new (graph, name, 0);
  GeglRectangle box = gegl_node_get_bounding_box (load);

  g_assert_cmpint (box.width, ==, WIDTH);
  g_assert_cmpint (box.height, ==, HEIGHT);
  for (guint frame = 0; frame < FRAMES; frame++)
    {
      g_autofree float *pixels = NULL;
      g_autofree char *error = NULL;

      gegl_node_set (load, "frame", frame, NULL);
      pixels = graph_render (load, NULL, "Y float");
      error = graph_error (load);
      g_assert_cmpstr (error, ==, "");
      assert_frame (pixels, frame);
    }
  g_object_unref (graph);
}

static void
test_plain (void)
{
  write_values ("plain.h5", 0);
  assert_frames ("plain.h5");
  write_values ("chunks.h5", 1);
  assert_frames ("chunks.h5");
}

/* Without a device, the operation reads floats through libhdf5. */
static void
test_floats (void)
{
  g_autofree char *path = get_path ("floats.h5");
  g_autofree float *pixels = g_new (float, COUNT);
  g_autoptr (CapraHdf5Frames) frames = NULL;
  g_autoptr (GError) error = NULL;

  write_values ("floats.h5", 1);
  frames = capra_hdf5_frames_open (path, "/data", &error);
  g_assert_no_error (error);
  for (guint frame = 0; frame < FRAMES; frame++)
    {
      g_assert_true (capra_hdf5_frames_read_floats (frames, frame, pixels, &error));
      assert_frame (pixels, frame);
    }
}

static void
test_several (void)
{
  write_values ("several.h5", 2);
  assert_frames ("several.h5");
}

/* The encoded frame is uploaded, which is smaller than the decoded one, and decoded on the device. */
static void
test_bitshuffle (void)
{
  GeglNode *graph = gegl_node_new ();
  GeglNode *load = NULL, *blur = NULL;
  const hid_t types[] = { H5T_STD_U64LE, H5T_STD_I64LE, H5T_IEEE_F64LE, H5T_STD_U32LE };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      if (types[i] == H5T_IEEE_F64LE && !support_has_doubles ())
        continue;
      write_bitshuffle ("bitshuffle.h5", types[i], i % 2 ? 512 : 136, FRAMES);
      assert_frames ("bitshuffle.h5");
    }
  load = load_new (graph, "bitshuffle.h5", 1);
  blur = graph_node (graph, load, "capra:box-blur", "radius", 1, NULL);
  graph_forget ();
  g_free (graph_render (blur, NULL, "Y float"));
  g_assert_cmpuint (graph_bytes ("upload"), >, 0);
  g_assert_cmpuint (graph_bytes ("upload"), <, COUNT * sizeof (float));
  g_object_unref (graph);
}

/* gegl:load finds the operation by the ending of the file. */
static void
test_loader (void)
{
  GeglNode *graph = gegl_node_new ();
  g_autofree char *path = get_path ("one.h5");
  g_autofree float *pixels = NULL;
  const hsize_t shape[] = { HEIGHT, WIDTH };
  g_autofree guint32 *values = g_new (guint32, COUNT);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), space = H5Screate_simple (2, shape, NULL);
  hid_t set = H5Dcreate2 (file, "image", H5T_STD_U32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  for (guint i = 0; i < COUNT; i++)
    values[i] = get_value (2, i);
  H5Dwrite (set, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose (set);
  H5Sclose (space);
  g_assert_cmpint (H5Fclose (file), >=, 0);
  pixels = graph_render (gegl_node_new_child (graph, "operation", "gegl:load", "path", path, NULL), NULL, "Y float");
  assert_frame (pixels, 2);
  g_object_unref (graph);
}

static void
test_errors (void)
{
  static const struct {
    const char *file;
    int frame;
    const char *message;
  } cases[] = { { "plain.h5", 3, "frame 3" },
                { "none.h5", 0, "none.h5" },
                { "text.h5", 0, "not an HDF5 file" },
                { "damaged.h5", 1, "damaged" } };
  g_autofree char *text = get_path ("text.h5");

  write_values ("plain.h5", 0);
  write_bitshuffle ("damaged.h5", H5T_STD_U32LE, 512, 1);
  g_assert_true (g_file_set_contents (text, "text", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("*%s*", cases[i].message), *error = NULL;
      GeglNode *graph = gegl_node_new ();
      GeglNode *load = NULL;
      float pixel = 1.0f;

      g_test_expect_message ("GEGL-capra", G_LOG_LEVEL_WARNING, pattern);
      load = load_new (graph, cases[i].file, cases[i].frame);
      gegl_node_blit (load, 1.0, GEGL_RECTANGLE (3, 1, 1, 1), babl_format ("Y float"), &pixel, GEGL_AUTO_ROWSTRIDE,
                      GEGL_BLIT_DEFAULT);
      g_test_assert_expected_messages ();
      g_assert_cmpfloat (pixel, ==, 0.0f);
      error = graph_error (load);
      g_assert_nonnull (strstr (error, cases[i].message));
      g_object_unref (graph);
    }
}

int
main (int argc, char *argv[])
{
  int status = 0;

  g_test_init (&argc, &argv, NULL);
  graph_init (&argc, &argv);
  H5PLset_loading_state (0); /* a plug-in for the filter would change its parameters, and decode chunks on the CPU */
  folder = g_dir_make_tmp ("capra-hdf5-XXXXXX", NULL);
  g_test_add_func ("/hdf5-load/plain", test_plain);
  g_test_add_func ("/hdf5-load/floats", test_floats);
  g_test_add_func ("/hdf5-load/several-frames", test_several);
  g_test_add_func ("/hdf5-load/bitshuffle", test_bitshuffle);
  g_test_add_func ("/hdf5-load/loader", test_loader);
  g_test_add_func ("/hdf5-load/errors", test_errors);
  status = g_test_run ();
  gegl_exit ();
  support_folder_remove (folder);
  return status;
}
