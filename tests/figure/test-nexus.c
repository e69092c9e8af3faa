/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves in HDF5 files: found by the attributes of NeXus; other files are errors. */
#include <glib/gstdio.h>
#include <hdf5.h>
#include <string.h>

#include "ui/cli/plot/plot-nexus.h"

#define BINS 5
#define FRAMES 3

static void
set_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, strlen (text) + 1);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, text);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static void
set_texts (hid_t object, const char *name, const char **texts, hsize_t count)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate_simple (1, &count, NULL), attribute;

  H5Tset_size (type, H5T_VARIABLE);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, texts);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static hid_t
write_values (hid_t group, const char *name, int dimensions, const hsize_t *shape, const float *values)
{
  hid_t space = H5Screate_simple (dimensions, shape, NULL);
  hid_t set = H5Dcreate2 (group, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  H5Dwrite (set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Sclose (space);
  return set;
}

/* @units: of the axis; @bins: its length; @link: the value of "default" in the entry */
static char *
write_file (const char *units, hsize_t bins, const char *link)
{
  static const char *axes[] = { "frame", "q" };
  char *path = g_build_filename (g_get_tmp_dir (), "capra-nexus-test.h5", NULL);
  float values[FRAMES * BINS], axis[BINS];
  const hsize_t shape[] = { FRAMES, BINS };
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), entry, data, set;

  for (int i = 0; i < FRAMES * BINS; i++)
    values[i] = (float) i * 2;
  for (int i = 0; i < BINS; i++)
    axis[i] = (float) i + 0.5f;
  set_text (file, "default", "entry");
  entry = H5Gcreate2 (file, "entry", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  set_text (entry, "default", link);
  data = H5Gcreate2 (entry, "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  set_text (data, "signal", "intensity");
  set_texts (data, "axes", axes, 2);
  H5Dclose (write_values (data, "intensity", 2, shape, values));
  H5Dclose (write_values (data, "sem", 2, shape, values));
  H5Dclose (write_values (data, "std", 1, shape, values)); /* another shape: left out */
  set = write_values (data, "q", 1, &bins, axis);
  if (units)
    set_text (set, "units", units);
  H5Dclose (set);
  H5Gclose (data);
  H5Gclose (entry);
  H5Fclose (file);
  return path;
}

static void
test_read (void)
{
  static const struct {
    const char *units, *name;
  } cases[] = { { "1/nm", "q_nm^-1" }, { "deg", "q_deg" }, { NULL, "q" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint frame = 0; frame < FRAMES; frame++)
      {
        g_autofree char *path = write_file (cases[i].units, BINS, "data");
        g_autoptr (GError) error = NULL;
        g_autoptr (CapraColumns) columns = plot_nexus_read (path, frame, &error);

        g_assert_no_error (error);
        g_assert_cmpuint (columns->n_columns, ==, 3);
        g_assert_cmpuint (columns->n_rows, ==, BINS);
        g_assert_cmpstr (columns->names[0], ==, cases[i].name);
        g_assert_cmpint (capra_columns_find (columns, "sem"), ==, 2);
        for (guint b = 0; b < BINS; b++)
          {
            g_assert_cmpfloat (capra_columns_get (columns, 0)[b], ==, b + 0.5);
            g_assert_cmpfloat (capra_columns_get (columns, 1)[b], ==, 2.0 * (frame * BINS + b));
          }
        g_unlink (path);
      }
}

static void
assert_refused (const char *path, guint frame, const char *reason)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (plot_nexus_read (path, frame, &error));
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, reason));
}

static void
test_refused (void)
{
  g_autofree char *path = write_file (NULL, BINS, "data"), *text = NULL;
  gsize length;

  assert_refused ("/missing.h5", 0, "does not exist");
  g_assert_cmpint (FRAMES, ==, 3);
  assert_refused (path, FRAMES, "no frame 3: its frames are 0 to 2, see --frame");
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize cut = 0; cut < length; cut += length / 7)
    {
      g_assert_true (g_file_set_contents (path, text, (gssize) cut, NULL));
      assert_refused (path, 0, "cannot read");
    }
  g_free (write_file (NULL, BINS - 1, "data"));
  assert_refused (path, 0, "cannot read");
  g_free (write_file (NULL, BINS, "other"));
  assert_refused (path, 0, "cannot read");
  g_unlink (path);
  g_assert_true (plot_nexus_has_name ("a.nxs") && plot_nexus_has_name ("b.h5") && !plot_nexus_has_name ("h5.dat"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  g_test_add_func ("/nexus/read", test_read);
  g_test_add_func ("/nexus/refused", test_refused);
  return g_test_run ();
}
