/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joining files that other programs have written, or that are damaged on purpose. */
#include "ui/batch/join.h"

#include <glib/gstdio.h>
#include <hdf5.h>
#include <string.h>
#include <unistd.h>

#define ROWS 4
#define COLUMNS 3

/* How the texts of attributes are stored. */
typedef enum { VARIABLE, FIXED } Texts;

static char *folder;

static char *
get_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
add_texts (hid_t object, const char *name, Texts texts, const char *const *values, hsize_t count)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = count > 1 ? H5Screate_simple (1, &count, NULL) : H5Screate (H5S_SCALAR);
  hid_t attribute;
  char bytes[2][16] = { "" };

  H5Tset_size (type, texts == VARIABLE ? H5T_VARIABLE : sizeof bytes[0]);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  for (hsize_t i = 0; i < count; i++)
    g_strlcpy (bytes[i], values[i], sizeof bytes[i]);
  g_assert_cmpint (H5Awrite (attribute, type, texts == VARIABLE ? (const void *) values : (const void *) bytes), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static void
add_set (hid_t group, const char *name, hid_t type, int rank, const void *values)
{
  const hsize_t sizes[] = { ROWS, COLUMNS };
  hid_t space = H5Screate_simple (rank, sizes, NULL);
  hid_t set = H5Dcreate2 (group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Dwrite (set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (set);
  H5Sclose (space);
}

/* A stack of frames, @step apart. Returns the open file. */
static hid_t
create_stack (const char *name, guint64 first, guint64 step, Texts texts, const char *class)
{
  static const char *const axes[] = { "frame", "y" };
  g_autofree char *path = get_path (name);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2 (file, "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  guint64 frames[ROWS];
  gint32 values[ROWS][COLUMNS];

  g_assert_cmpint (group, >=, 0);
  for (guint i = 0; i < ROWS; i++)
    {
      frames[i] = first + i * step;
      for (guint k = 0; k < COLUMNS; k++)
        values[i][k] = (gint32) (10 * frames[i] + k);
    }
  add_texts (group, "NX_class", texts, &class, 1);
  add_texts (group, "axes", texts, axes, 2);
  add_set (group, "frame", H5T_NATIVE_UINT64, 1, frames);
  add_set (group, "values", H5T_NATIVE_INT32, 2, values);
  H5Gclose (group);
  return file;
}

/* The same with all frames from @first on. */
static hid_t
create_part (const char *name, guint64 first, Texts texts, const char *class)
{
  return create_stack (name, first, 1, texts, class);
}

/* Says that all parts together have the frames from @first to @end - 1. */
static void
set_batch (hid_t file, guint64 first, guint64 end)
{
  const hsize_t count = 2;
  const guint64 range[] = { first, end };
  hid_t set = H5Dopen2 (file, "data/frame", H5P_DEFAULT), space = H5Screate_simple (1, &count, NULL);
  hid_t attribute = H5Acreate2 (set, "batch", H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT);

  g_assert_cmpint (H5Awrite (attribute, H5T_NATIVE_UINT64, range), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Dclose (set);
}

/* Joins the parts @name-0.h5 and @name-1.h5. */
static gboolean
join (const char *name, const char *output, GError **error)
{
  g_autofree char *missing = NULL;

  g_autofree char *first = g_strdup_printf ("%s/%s-0.h5", folder, name), *path = get_path (output);
  g_autofree char *second = g_strdup_printf ("%s/%s-1.h5", folder, name);
  char *parts[] = { second, first, NULL };

  return capra_join (path, parts, 2, FALSE, &missing, error);
}

static void
assert_joined (const char *output)
{
  g_autofree char *path = get_path (output);
  hid_t file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2 (file, "data/values", H5P_DEFAULT);
  hid_t space = H5Dget_space (set);
  gint32 values[2 * ROWS][COLUMNS];

  g_assert_cmpint (H5Sget_simple_extent_npoints (space), ==, G_N_ELEMENTS (values) * COLUMNS);
  g_assert_cmpint (H5Dread (set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  for (gint i = 0; i < 2 * ROWS; i++)
    for (gint k = 0; k < COLUMNS; k++)
      g_assert_cmpint (values[i][k], ==, 10 * i + k);
  H5Sclose (space);
  H5Dclose (set);
  H5Fclose (file);
}

static void
create_parts (const char *name, Texts texts, const char *class)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *part = g_strdup_printf ("%s-%u.h5", name, i);

      H5Fclose (create_part (part, i * ROWS, texts, class));
    }
}

/* h5py writes texts of variable length by default, other programs texts of one length. */
static void
test_texts (void)
{
  g_autoptr (GError) error = NULL;

  create_parts ("variable", VARIABLE, "NXdata");
  g_assert_true (join ("variable", "variable.h5", &error));
  assert_joined ("variable.h5");
  create_parts ("fixed", FIXED, "NXdata");
  g_assert_true (join ("fixed", "fixed.h5", &error));
  assert_joined ("fixed.h5");
}

/* A name that is a pattern in virtual data sets. */
static void
test_percent (void)
{
  g_autoptr (GError) error = NULL;

  create_parts ("100%b", FIXED, "NXdata");
  g_assert_true (join ("100%b", "percent.h5", &error));
  assert_joined ("percent.h5");
}

static void
test_links (void)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *part = g_strdup_printf ("links-%u.h5", i);
      hid_t file = create_part (part, i * ROWS, FIXED, "NXdata");

      H5Lcreate_hard (file, "data", file, "data/itself", H5P_DEFAULT, H5P_DEFAULT);
      H5Lcreate_hard (file, "/", file, "data/root", H5P_DEFAULT, H5P_DEFAULT);
      H5Lcreate_soft ("/", file, "data/soft", H5P_DEFAULT, H5P_DEFAULT);
      H5Lcreate_soft ("/missing", file, "data/broken", H5P_DEFAULT, H5P_DEFAULT);
      H5Lcreate_external ("missing.h5", "/data", file, "data/external", H5P_DEFAULT, H5P_DEFAULT);
      H5Fclose (file);
    }
  g_assert_true (join ("links", "links.h5", &error));
  assert_joined ("links.h5");
}

static void
test_refused (void)
{
  static const struct {
    const char *parts, *output, *message;
  } cases[] = {
    { "other", "other.h5", "contains no stack of frames" },
    { "same", "./same-1.h5", "both written and joined" },
    { "twice", "twice.h5", "given twice" },
  };
  g_autofree char *link = get_path ("twice-1.h5");

  create_parts ("other", FIXED, "NXcollection");
  create_parts ("same", FIXED, "NXdata");
  create_parts ("twice", FIXED, "NXdata");
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (symlink ("twice-0.h5", link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (join (cases[i].parts, cases[i].output, &error));
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
}

/* Two parts of a batch, and what is said of them. */
typedef struct {
  guint64 first[2], step, batch[2][2]; /* 0, 0: unknown */
  const char *missing;                 /* with --incomplete */
  const char *message;                 /* else an error */
} Frames;

static const Frames frames_cases[] = {
  { { 0, 4 }, 1, { { 0, 0 }, { 0, 0 } }, NULL, NULL },
  { { 0, 8 }, 1, { { 0, 0 }, { 0, 0 } }, "4 to 7", NULL },
  { { 0, 5 }, 1, { { 0, 0 }, { 0, 0 } }, "4", NULL },
  { { 3, 7 }, 1, { { 3, 11 }, { 3, 11 } }, NULL, NULL },
  { { 3, 8 }, 1, { { 1, 20 }, { 1, 20 } }, "1 to 2, 7, 12 to 19", NULL },
  { { 0, 8 }, 2, { { 0, 0 }, { 0, 0 } }, NULL, NULL },
  { { 0, 12 }, 2, { { 0, 0 }, { 0, 0 } }, "8 to 10", NULL },
  { { 0, 3 }, 1, { { 0, 0 }, { 0, 0 } }, NULL, "frame 3 is in" },
  { { 5, 5 }, 1, { { 0, 0 }, { 0, 0 } }, NULL, "frame 5 is in" },
  { { 0, 4 }, 1, { { 0, 8 }, { 0, 9 } }, NULL, "another batch" },
  { { 0, 4 }, 1, { { 0, 8 }, { 0, 0 } }, NULL, "another batch" },
};

/* Frames that are missing, or in both parts. */
static void
test_frames (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (frames_cases); i++)
    {
      const Frames *row = &frames_cases[i];
      g_autofree char *one = get_path ("frames-0.h5"), *other = get_path ("frames-1.h5"), *path = NULL, *missing = NULL;
      char *parts[] = { other, one, NULL };
      g_autofree char *output = g_strdup_printf ("frames-of-%u.h5", i), *text = NULL;
      g_autoptr (GError) error = NULL;

      for (guint k = 0; k < 2; k++)
        {
          hid_t file = create_stack (k ? "frames-1.h5" : "frames-0.h5", row->first[k], row->step, FIXED, "NXdata");

          if (row->batch[k][1] > 0)
            set_batch (file, row->batch[k][0], row->batch[k][1]);
          H5Fclose (file);
        }
      path = get_path (output);
      g_test_message ("%u", i);
      g_assert_cmpint (join ("frames", output, &error), ==, !row->missing && !row->message);
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, !row->missing && !row->message);
      text = g_strdup_printf ("no part has the frames %s;", row->missing);
      if (row->missing || row->message)
        g_assert_nonnull (strstr (error->message, row->message ? row->message : text));
      g_clear_error (&error);
      g_assert_cmpint (capra_join (path, parts, 2, TRUE, &missing, &error), ==, !row->message);
      g_assert_cmpstr (missing, ==, row->missing);
    }
}

static void
test_order (void)
{
  static const guint64 frames[ROWS] = { 0, 1, 3, 2 };
  hid_t file = create_part ("order-0.h5", 0, FIXED, "NXdata"), set = H5Dopen2 (file, "data/frame", H5P_DEFAULT);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (H5Dwrite (set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, frames), >=, 0);
  H5Dclose (set);
  H5Fclose (file);
  H5Fclose (create_part ("order-1.h5", ROWS, FIXED, "NXdata"));
  g_assert_false (join ("order", "order.h5", &error));
  g_assert_nonnull (strstr (error->message, "do not increase"));
}

static void
remove_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = get_path (name);

      g_assert_null (strstr (name, ".part"));
      g_unlink (path);
    }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("capra-join-XXXXXX", NULL);
  g_test_add_func ("/join/texts", test_texts);
  g_test_add_func ("/join/percent", test_percent);
  g_test_add_func ("/join/links", test_links);
  g_test_add_func ("/join/refused", test_refused);
  g_test_add_func ("/join/frames", test_frames);
  g_test_add_func ("/join/order", test_order);
  status = g_test_run ();
  remove_files ();
  g_free (folder);
  return status;
}
