/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fault-files: written byte by byte, but for HDF5, which needs its library. */
#include "tests/plugin/compute/fault-files.h"

#include <string.h>

#ifdef HAVE_HDF5
#include <hdf5.h>
#endif

#include "formats/fits/fits.h"
#include "tests/support/support-filter.h"
#include "ui/cli/check/reference-bitshuffle.h"

#define BLOCK 2880

static char *folder;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
write_file (const char *name, const char *data, gsize length)
{
  g_autofree char *path = get_path (name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, data, (gssize) length, &error);
  g_assert_no_error (error);
}

static void
write_fits (gint side)
{
  g_autofree char *header = g_strdup_printf ("%-80s%-80s%-80sNAXIS1  = %20d%50sNAXIS2  = %20d%50s%-80s",
                                             "SIMPLE  =                    T", "BITPIX  =                  -32",
                                             "NAXIS   =                    2", side, "", side, "", "END");
  gsize n = (gsize) side * (gsize) side, length = BLOCK + (n * 4 + BLOCK - 1) / BLOCK * BLOCK;
  g_autofree char *data = g_malloc0 (length);
  g_autofree float *noise = support_noise (n, 0.1, 1.0, 17);

  memset (data, ' ', BLOCK);
  memcpy (data, header, strlen (header));
  for (gsize i = 0; i < n; i++)
    {
      guint32 bits;

      memcpy (&bits, &noise[i], sizeof bits);
      bits = GUINT32_TO_BE (bits);
      memcpy (data + BLOCK + 4 * i, &bits, sizeof bits);
    }
  write_file ("image.fits", data, length);
}

static void
write_geometry (gint side)
{
  g_autofree char *text = g_strdup_printf ("poni_version: 2\nDetector: Detector\n"
                                           "Detector_config: {\"pixel1\": 1e-4, \"pixel2\": 1e-4}\n"
                                           "Distance: 0.05\nPoni1: %g\nPoni2: %g\nRot1: 0\nRot2: 0\nRot3: 0\n"
                                           "Wavelength: 1e-10\n",
                                           side * 0.4e-4, side * 0.5e-4);

  write_file ("geometry.poni", text, strlen (text));
}

#ifdef HAVE_HDF5
/* A frame in a chunk, compressed with bitshuffle and LZ4, which the device decodes. */
static void
write_hdf5 (gint side)
{
  const hsize_t shape[] = { 1, (hsize_t) side, (hsize_t) side }, offset[] = { 0, 0, 0 };
  const unsigned parameters[] = { 0, 3, sizeof (guint32), 2048, 2 };
  gsize n = (gsize) side * (gsize) side;
  g_autofree char *path = get_path ("frames.h5");
  g_autofree guint32 *values = g_new (guint32, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  g_autoptr (GByteArray) chunk = NULL;
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (3, shape, NULL), set = -1;

  for (gsize i = 0; i < n; i++)
    values[i] = (guint32) (i % 7 == 0 ? i * 11 : i / 9);
  chunk = reference_bitshuffle_encode ((const guint8 *) values, n, sizeof *values, 2048, reference_lz4_random, random);
  H5Pset_chunk (list, 3, shape);
  /* An optional filter may be missing here, since the chunk is written as it is. */
  H5Pset_filter (list, 32008, H5Z_FLAG_OPTIONAL, G_N_ELEMENTS (parameters), parameters);
  set = H5Dcreate2 (file, "data", H5T_STD_U32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite_chunk (set, H5P_DEFAULT, 0, offset, chunk->len, chunk->data), >=, 0);
  H5Dclose (set);
  H5Sclose (space);
  H5Pclose (list);
  g_assert_cmpint (H5Fclose (file), >=, 0);
}
#endif

void
fault_files_write (gint side)
{
  g_autoptr (GError) error = NULL;

  folder = g_dir_make_tmp ("capra-test-XXXXXX", &error);
  g_assert_no_error (error);
  write_geometry (side);
  if (capra_fits_is_supported ())
    write_fits (side);
#ifdef HAVE_HDF5
  write_hdf5 (side);
#endif
}

char *
fault_files_replace (const char *chain)
{
  static const struct {
    const char *name, *file;
  } files[] = { { "FITS", "image.fits" }, { "HDF5", "frames.h5" }, { "PONI", "geometry.poni" } };
  GString *replaced = g_string_new (chain);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = get_path (files[i].file);

      if (g_string_replace (replaced, files[i].name, path, 0) > 0 && !g_file_test (path, G_FILE_TEST_EXISTS))
        {
          g_string_free (replaced, TRUE);
          return NULL;
        }
    }
  return g_string_free (replaced, FALSE);
}

void
fault_files_remove (void)
{
  support_folder_remove (folder);
}
