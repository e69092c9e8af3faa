/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Curves as NeXus: an NXdata group with a row for each frame or azimuth. */
#include <hdf5.h>
#include <string.h>

#include "formats/curves/curves-nexus.h"
#include "formats/hdf5/hdf5-frames.h"

struct _CapraCurvesNexus {
  hid_t file, sets[CAPRA_CURVES_N], status; /* status is -1 if the rows are azimuths */
};

static const char *const names[CAPRA_CURVES_N] = { "intensity", "std", "sem" };

static void
set_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute = -1;

  H5Tset_size (type, strlen (text) + 1);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, text);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

/* The names of the axes of the curves. */
static void
set_axes (hid_t group, const char *rows, const char *columns)
{
  const char *values[] = { rows, columns };
  const hsize_t n[] = { G_N_ELEMENTS (values) };
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate_simple (1, n, NULL), attribute = -1;

  H5Tset_size (type, H5T_VARIABLE);
  attribute = H5Acreate2 (group, "axes", type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, values);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static hid_t
create_set (hid_t group, const char *name, hid_t type, int dimensions, const hsize_t *shape)
{
  hid_t space = H5Screate_simple (dimensions, shape, NULL);
  hid_t set = H5Dcreate2 (group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  H5Sclose (space);
  return set;
}

static void
write_axis (hid_t group, const char *name, hid_t type, hsize_t n, const void *values, const char *units)
{
  hid_t set = create_set (group, name, type, 1, &n);

  H5Dwrite (set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  if (units)
    set_text (set, "units", units);
  H5Dclose (set);
}

static hid_t
create_group (hid_t parent, const char *name, const char *class)
{
  hid_t group = H5Gcreate2 (parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

  set_text (group, "NX_class", class);
  return group;
}

/* The group of the curves, with its axes. */
static hid_t
create_data (hid_t entry, const CapraCurvesInfo *info)
{
  g_auto (GStrv) unit = g_strsplit (info->unit, "_", 2);
  const char *units = g_str_equal (unit[1], "nm^-1") ? "1/nm" : unit[1], *rows = info->azimuths ? "chi" : "frame";
  g_autofree guint32 *frames = g_new (guint32, info->n);
  hid_t data = create_group (entry, "data", "NXdata");

  set_text (data, "signal", "intensity");
  set_axes (data, rows, unit[0]);
  for (guint i = 0; i < info->n; i++)
    frames[i] = info->first + i;
  if (info->azimuths)
    write_axis (data, rows, H5T_NATIVE_DOUBLE, info->n, info->azimuths, "deg");
  else
    write_axis (data, rows, H5T_NATIVE_UINT32, info->n, frames, NULL);
  write_axis (data, unit[0], H5T_NATIVE_DOUBLE, info->bins, info->radial, units);
  return data;
}

static gboolean
create (CapraCurvesNexus *nexus, const char *path, const CapraCurvesInfo *info)
{
  const hsize_t shape[] = { info->n, info->bins };
  hid_t entry = -1, data = -1;

  nexus->file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (nexus->file < 0)
    return FALSE;
  set_text (nexus->file, "default", "entry");
  entry = create_group (nexus->file, "entry", "NXentry");
  set_text (entry, "default", "data");
  set_text (entry, "source", info->source);
  set_text (entry, "source_data_set", info->data_set);
  if (info->header)
    set_text (entry, "settings", info->header);
  data = create_data (entry, info);
  for (guint c = 0; c < CAPRA_CURVES_N; c++)
    nexus->sets[c] = create_set (data, names[c], H5T_NATIVE_FLOAT, 2, shape);
  if (!info->azimuths)
    nexus->status = create_set (data, "good", H5T_NATIVE_UINT8, 1, shape);
  H5Gclose (data);
  H5Gclose (entry);
  return nexus->sets[CAPRA_CURVES_N - 1] >= 0 && (info->azimuths || nexus->status >= 0);
}

static gboolean
close_all (CapraCurvesNexus *nexus)
{
  gboolean closed = TRUE;

  for (guint c = 0; c < CAPRA_CURVES_N; c++)
    closed &= nexus->sets[c] >= 0 && H5Dclose (nexus->sets[c]) >= 0;
  closed &= nexus->status < 0 || H5Dclose (nexus->status) >= 0;
  closed &= nexus->file >= 0 && H5Fclose (nexus->file) >= 0;
  g_free (nexus);
  return closed;
}

CapraCurvesNexus *
capra_curves_nexus_new (const char *path, const CapraCurvesInfo *info)
{
  CapraCurvesNexus *nexus = g_new (CapraCurvesNexus, 1);
  gboolean created = FALSE;

  *nexus = (CapraCurvesNexus){ -1, { -1, -1, -1 }, -1 };
  capra_hdf5_lock ();
  created = create (nexus, path, info);
  if (!created)
    close_all (nexus);
  capra_hdf5_unlock ();
  return created ? nexus : NULL;
}

static gboolean
write_rows (hid_t set, hid_t type, int dimensions, const hsize_t *start, const hsize_t *count, const void *values)
{
  hid_t space = H5Dget_space (set), memory = H5Screate_simple (dimensions, count, NULL);
  gboolean done = FALSE;

  H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
  done = H5Dwrite (set, type, memory, space, H5P_DEFAULT, values) >= 0;
  H5Sclose (memory);
  H5Sclose (space);
  return done;
}

gboolean
capra_curves_nexus_write (CapraCurvesNexus *nexus, guint from, guint n, guint bins, float *const *curves,
                          const guint8 *good)
{
  const hsize_t start[] = { from, 0 }, count[] = { n, bins };
  gboolean done = TRUE;

  capra_hdf5_lock ();
  for (guint c = 0; c < CAPRA_CURVES_N && done; c++)
    done = write_rows (nexus->sets[c], H5T_NATIVE_FLOAT, 2, start, count, curves[c]);
  if (nexus->status >= 0 && done)
    done = write_rows (nexus->status, H5T_NATIVE_UINT8, 1, start, count, good);
  capra_hdf5_unlock ();
  return done;
}

gboolean
capra_curves_nexus_close (CapraCurvesNexus *nexus)
{
  gboolean closed = FALSE;

  capra_hdf5_lock ();
  closed = close_all (nexus);
  capra_hdf5_unlock ();
  return closed;
}
