/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the curves of all frames, some hundred at once. */
#include "ui/cli/integrate/curves-file.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BUFFERED 256 /* frames */
#define N_CURVES 3   /* CAPRA_AZIMUTHAL_INTENSITY, _STD, _SEM */

struct _CurvesFile {
  char *path, *temporary;
  CurvesInfo info;
  FILE *text;
  hid_t file, sets[N_CURVES], status;
  float *curves[N_CURVES]; /* of the buffered frames */
  guint8 *good;
  guint written, buffered;
};

static const char *const names[] = { "intensity", "std", "sem" };

static gboolean
fail (const CurvesFile *file, int code, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "cannot write %s: %s", file->path,
               code ? g_strerror (code) : "the HDF5 library reported an error");
  return FALSE;
}

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

/* The names of the axes of a curve. */
static void
set_axes (hid_t group, const char *axis)
{
  const char *values[] = { "frame", axis };
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

static gboolean
create_nexus (CurvesFile *file)
{
  const CurvesInfo *info = &file->info;
  const hsize_t shape[] = { info->n, info->bins };
  g_auto (GStrv) unit = g_strsplit (info->unit, "_", 2);
  const char *units = g_str_equal (unit[1], "nm^-1") ? "1/nm" : unit[1];
  g_autofree guint32 *frames = g_new (guint32, info->n);
  hid_t entry = -1, data = -1;

  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  file->file = H5Fcreate (file->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file->file < 0)
    return FALSE;
  set_text (file->file, "default", "entry");
  entry = create_group (file->file, "entry", "NXentry");
  set_text (entry, "default", "data");
  set_text (entry, "source", info->source);
  set_text (entry, "source_data_set", info->data_set);
  data = create_group (entry, "data", "NXdata");
  set_text (data, "signal", "intensity");
  set_axes (data, unit[0]);
  for (guint i = 0; i < info->n; i++)
    frames[i] = info->first + i;
  write_axis (data, "frame", H5T_NATIVE_UINT32, info->n, frames, NULL);
  write_axis (data, unit[0], H5T_NATIVE_DOUBLE, info->bins, info->radial, units);
  for (guint c = 0; c < N_CURVES; c++)
    file->sets[c] = create_set (data, names[c], H5T_NATIVE_FLOAT, 2, shape);
  file->status = create_set (data, "good", H5T_NATIVE_UINT8, 1, shape);
  H5Gclose (data);
  H5Gclose (entry);
  return file->status >= 0;
}

static void
write_text_header (CurvesFile *file)
{
  const CurvesInfo *info = &file->info;

  fprintf (file->text, "# Azimuthal integration of %s, %s, by Capra %s\n", info->source, info->data_set, CAPRA_VERSION);
  fprintf (file->text,
           "# A block for each frame; columns: %s, intensity, standard deviation, standard error of the mean\n",
           info->unit);
}

CurvesFile *
curves_file_new (const char *path, const CurvesInfo *info, GError **error)
{
  static const char *const nexus[] = { ".h5", ".hdf5", ".nxs", ".nx5" };
  g_autoptr (CurvesFile) file = g_new0 (CurvesFile, 1);
  gboolean is_nexus = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (nexus); i++)
    is_nexus |= g_str_has_suffix (path, nexus[i]);
  file->path = g_strdup (path);
  file->temporary = g_strdup_printf ("%s.%d.part", path, (int) getpid ());
  file->info = *info;
  file->file = -1;
  for (guint c = 0; c < N_CURVES; c++)
    file->curves[c] = g_new (float, (gsize) BUFFERED * info->bins);
  file->good = g_new (guint8, BUFFERED);
  if (is_nexus)
    {
      gboolean created = FALSE;

      capra_hdf5_lock ();
      created = create_nexus (file);
      capra_hdf5_unlock ();
      if (!created)
        {
          fail (file, 0, error);
          return NULL;
        }
    }
  else
    {
      file->text = g_fopen (file->temporary, "we");
      if (!file->text)
        {
          fail (file, errno, error);
          return NULL;
        }
      write_text_header (file);
    }
  return g_steal_pointer (&file);
}

/* Other threads may read frames through libhdf5 at the same time. */
static gboolean
write_nexus (CurvesFile *file)
{
  const hsize_t start[] = { file->written, 0 }, count[] = { file->buffered, file->info.bins };
  gboolean done = TRUE;

  capra_hdf5_lock ();
  for (guint c = 0; c <= N_CURVES && done; c++)
    {
      int dimensions = c < N_CURVES ? 2 : 1;
      hid_t set = c < N_CURVES ? file->sets[c] : file->status, space = H5Dget_space (set);
      hid_t memory = H5Screate_simple (dimensions, count, NULL);

      H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
      done = H5Dwrite (set, c < N_CURVES ? H5T_NATIVE_FLOAT : H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT,
                       c < N_CURVES ? (void *) file->curves[c] : file->good)
             >= 0;
      H5Sclose (memory);
      H5Sclose (space);
    }
  capra_hdf5_unlock ();
  return done;
}

static void
write_text (CurvesFile *file)
{
  gsize bins = file->info.bins;

  for (guint i = 0; i < file->buffered; i++)
    {
      fprintf (file->text, "\n\n# frame %u%s\n", file->info.first + file->written + i,
               file->good[i] ? "" : ", which is damaged");
      for (gsize b = 0; b < bins; b++)
        fprintf (file->text, "%.9g %.7g %.7g %.7g\n", file->info.radial[b], file->curves[0][i * bins + b],
                 file->curves[1][i * bins + b], file->curves[2][i * bins + b]);
    }
}

static gboolean
flush (CurvesFile *file, GError **error)
{
  if (file->text)
    write_text (file);
  if (file->text ? ferror (file->text) != 0 : !write_nexus (file))
    return fail (file, file->text ? errno : 0, error);
  file->written += file->buffered;
  file->buffered = 0;
  return TRUE;
}

gboolean
curves_file_append (CurvesFile *file, guint n, const float *values, const gboolean *good, GError **error)
{
  gsize bins = file->info.bins;

  for (guint i = 0; i < n; i++)
    {
      for (guint c = 0; c < N_CURVES; c++)
        memcpy (file->curves[c] + file->buffered * bins, values + (i * CAPRA_AZIMUTHAL_N_PLANES + c) * bins,
                bins * sizeof (float));
      file->good[file->buffered++] = (guint8) good[i];
      if (file->buffered == BUFFERED && !flush (file, error))
        return FALSE;
    }
  return TRUE;
}

/* Closes the HDF5 file; FALSE if that fails, as on a full disk. */
static gboolean
close_nexus (CurvesFile *file)
{
  gboolean closed = TRUE;

  capra_hdf5_lock ();
  for (guint c = 0; c < N_CURVES; c++)
    closed &= H5Dclose (file->sets[c]) >= 0;
  closed &= H5Dclose (file->status) >= 0;
  closed &= H5Fclose (file->file) >= 0;
  capra_hdf5_unlock ();
  file->file = -1;
  return closed;
}

gboolean
curves_file_finish (CurvesFile *file, GError **error)
{
  int failed = 0;

  if (file->buffered > 0 && !flush (file, error))
    return FALSE;
  if (file->text)
    {
      failed = fclose (file->text) != 0 ? errno : 0;
      file->text = NULL;
      if (failed)
        return fail (file, failed, error);
    }
  else if (!close_nexus (file))
    return fail (file, 0, error);
  if (g_rename (file->temporary, file->path) != 0)
    return fail (file, errno, error);
  g_clear_pointer (&file->temporary, g_free);
  return TRUE;
}

void
curves_file_free (CurvesFile *file)
{
  if (file->file >= 0)
    close_nexus (file);
  if (file->text)
    fclose (file->text);
  if (file->temporary)
    g_unlink (file->temporary);
  for (guint c = 0; c < N_CURVES; c++)
    g_free (file->curves[c]);
  g_free (file->good);
  g_free (file->temporary);
  g_free (file->path);
  g_free (file);
}
