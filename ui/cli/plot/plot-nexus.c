/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot-nexus: curves in HDF5 files, as NeXus stores them. */
#include "ui/cli/plot/plot-nexus.h"

#include <hdf5.h>
#include <string.h>

#include "ui/pipeline/error.h"

#define MAX_DEPTH 8
#define MAX_TEXTS 64
#define MAX_TEXT 4096
#define MAX_POINTS (1 << 24)

static gboolean
fail (const char *path, const char *reason, GError **error)
{
  g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FILE, "cannot read \"%s\": %s", path, reason);
  return FALSE;
}

/* The last of the texts in an open attribute; NULL if it has none. */
static char *
read_texts (hid_t attribute, hid_t type, gsize count)
{
  gsize size = H5Tget_size (type);
  char *text = NULL;

  if (H5Tis_variable_str (type) > 0)
    {
      g_autofree char **values = g_new0 (char *, count);

      if (H5Aread (attribute, type, values) >= 0)
        text = g_strdup (values[count - 1]);
      for (gsize i = 0; i < count; i++)
        H5free_memory (values[i]);
    }
  else if (size <= MAX_TEXT)
    {
      g_autofree char *values = g_malloc0 (count * size);

      if (H5Aread (attribute, type, values) >= 0)
        text = g_strndup (values + (count - 1) * size, size);
    }
  return text;
}

/* (nullable): the text of an attribute, the last one if it has several. */
static char *
read_attribute (hid_t object, const char *name)
{
  hid_t attribute = H5Aexists (object, name) > 0 ? H5Aopen (object, name, H5P_DEFAULT) : -1;
  hid_t type = -1, space = -1;
  hssize_t count = 0;
  char *text = NULL;

  if (attribute < 0)
    return NULL;
  type = H5Aget_type (attribute);
  space = H5Aget_space (attribute);
  count = H5Sget_simple_extent_npoints (space);
  if (H5Tget_class (type) == H5T_STRING && count > 0 && count <= MAX_TEXTS)
    text = read_texts (attribute, type, (gsize) count);
  H5Sclose (space);
  H5Tclose (type);
  H5Aclose (attribute);
  return text;
}

/* Follows the attribute "default" from the root to a group with a signal. Negative if there is none. */
static hid_t
open_data (hid_t file)
{
  hid_t group = H5Gopen2 (file, "/", H5P_DEFAULT);

  for (int i = 0; i < MAX_DEPTH && group >= 0; i++)
    {
      g_autofree char *signal = read_attribute (group, "signal"), *next = NULL;
      hid_t inner;

      if (signal)
        return group;
      next = read_attribute (group, "default");
      inner = next ? H5Gopen2 (group, next, H5P_DEFAULT) : -1;
      H5Gclose (group);
      group = inner;
    }
  if (group >= 0)
    H5Gclose (group);
  return -1;
}

/* The frames of the curve's data set; 1 if it has one dimension. */
static guint64
count_frames (hid_t group)
{
  g_autofree char *signal = read_attribute (group, "signal");
  hid_t set = signal && H5Lexists (group, signal, H5P_DEFAULT) > 0 ? H5Dopen2 (group, signal, H5P_DEFAULT) : -1;
  hid_t space = set >= 0 ? H5Dget_space (set) : -1;
  hsize_t shape[2] = { 1, 1 };
  gboolean rows = space >= 0 && H5Sget_simple_extent_ndims (space) == 2;

  if (rows)
    H5Sget_simple_extent_dims (space, shape, NULL);
  if (space >= 0)
    H5Sclose (space);
  if (set >= 0)
    H5Dclose (set);
  return rows ? shape[0] : 1;
}

static void
fail_group (hid_t group, const char *path, guint frame, GError **error)
{
  guint64 count = count_frames (group);
  g_autofree char *reason = NULL;

  if (frame >= count)
    reason = g_strdup_printf ("it has no frame %u: its frames are 0 to %" G_GUINT64_FORMAT ", see --frame", frame,
                              count - 1);
  fail (path, reason ? reason : "its signal is not a curve, or has no axis with as many values", error);
}

/* A row of a data set with one or two dimensions. NULL if it is another one, or has not @count (0: any) values. */
static double *
read_row (hid_t group, const char *name, guint frame, gsize *count)
{
  hid_t set = H5Lexists (group, name, H5P_DEFAULT) > 0 ? H5Dopen2 (group, name, H5P_DEFAULT) : -1;
  hid_t space = set >= 0 ? H5Dget_space (set) : -1, memory = -1;
  int dimensions = space >= 0 ? H5Sget_simple_extent_ndims (space) : 0;
  hsize_t shape[2] = { 1, 1 }, start[2] = { 0, 0 }, size[2] = { 1, 1 };
  g_autofree double *values = NULL;
  gboolean good = dimensions == 1 || dimensions == 2;

  if (good)
    {
      hsize_t *last = &size[dimensions - 1];

      H5Sget_simple_extent_dims (space, shape, NULL);
      *last = shape[dimensions - 1];
      start[0] = dimensions == 2 ? frame : 0;
      good = *last > 0 && *last <= MAX_POINTS && (*count == 0 || *last == *count)
             && (dimensions == 1 || frame < shape[0]);
      memory = good ? H5Screate_simple (1, last, NULL) : -1;
      values = good ? g_new (double, *last) : NULL;
      good = good && H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0
             && H5Dread (set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
      if (good)
        *count = (gsize) *last;
    }
  if (memory >= 0)
    H5Sclose (memory);
  if (space >= 0)
    H5Sclose (space);
  if (set >= 0)
    H5Dclose (set);
  return good ? g_steal_pointer (&values) : NULL;
}

/* The name of the axis with its unit, as in text files: "q_nm^-1". */
static char *
name_axis (hid_t group, const char *axis)
{
  hid_t set = H5Dopen2 (group, axis, H5P_DEFAULT);
  g_autofree char *units = set >= 0 ? read_attribute (set, "units") : NULL;

  if (set >= 0)
    H5Dclose (set);
  if (!units)
    return g_strdup (axis);
  if (g_str_has_prefix (units, "1/"))
    return g_strdup_printf ("%s_%s^-1", axis, units + 2);
  return g_strdup_printf ("%s_%s", axis, units);
}

static void
add_column (CapraColumns *columns, GPtrArray *names, const char *name, const double *values)
{
  gsize n = columns->n_rows;

  columns->values = g_renew (double, columns->values, (columns->n_columns + 1) * n);
  memcpy (columns->values + columns->n_columns * n, values, n * sizeof *values);
  columns->n_columns++;
  g_ptr_array_add (names, g_strdup (name));
}

static CapraColumns *
read_group (hid_t group, guint frame)
{
  g_autofree char *signal = read_attribute (group, "signal"), *axis = read_attribute (group, "axes");
  g_autofree char *own_errors = g_strconcat (signal, "_errors", NULL);
  const char *const errors[] = { "sem", "std", "sigma", own_errors, "errors" };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree double *y = NULL, *x = NULL;
  g_autofree char *axis_name = NULL;
  CapraColumns *columns = NULL;
  gsize count = 0;

  y = read_row (group, signal, frame, &count);
  x = y && axis ? read_row (group, axis, 0, &count) : NULL;
  if (!x)
    return NULL;
  columns = g_new0 (CapraColumns, 1);
  columns->n_rows = count;
  axis_name = name_axis (group, axis);
  add_column (columns, names, axis_name, x);
  add_column (columns, names, signal, y);
  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_autofree double *values = strcmp (errors[i], signal) != 0 ? read_row (group, errors[i], frame, &count) : NULL;

      if (values)
        add_column (columns, names, i < 3 ? errors[i] : "error", values);
    }
  g_ptr_array_add (names, NULL);
  columns->names = (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
  return columns;
}

CapraColumns *
plot_nexus_read (const char *path, guint frame, GError **error)
{
  hid_t file, group;
  CapraColumns *columns = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      fail (path, "the file does not exist", error);
      return NULL;
    }
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  group = file >= 0 ? open_data (file) : -1;
  if (file < 0)
    fail (path, "it is not an HDF5 file, or it is damaged", error);
  else if (group < 0)
    fail (path, "no attributes of NeXus (default, signal) select a curve in it", error);
  else if (!(columns = read_group (group, frame)))
    fail_group (group, path, frame, error);
  if (group >= 0)
    H5Gclose (group);
  if (file >= 0)
    H5Fclose (file);
  return columns;
}
