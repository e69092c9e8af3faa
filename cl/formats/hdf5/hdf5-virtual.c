/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: the sources of virtual data sets. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "formats/hdf5/hdf5-private.h"

#define MAX_NAME 4096
#define MAX_SOURCES 1000000

/* The frames of a data set that a selection has, which must consist of whole frames. */
static gboolean
get_frames (hid_t space, const CapraHdf5Segment *segment, guint64 *first, guint64 *count)
{
  hsize_t start[H5S_MAX_RANK] = { 0 }, end[H5S_MAX_RANK] = { 0 };
  int rank = H5Sget_simple_extent_ndims (space);
  hssize_t points = H5Sget_select_npoints (space);

  /* libhdf5 does not store the size of a source of which all is used. */
  if (H5Sget_select_type (space) == H5S_SEL_ALL)
    {
      *first = 0;
      *count = segment->count;
      return segment->rank <= 3;
    }
  if (rank != segment->rank || rank < 2 || rank > 3 || points <= 0 || H5Sget_select_bounds (space, start, end) < 0)
    return FALSE;
  for (int i = rank - 2; i < rank; i++)
    if (start[i] != 0 || end[i] + 1 != segment->dims[i])
      return FALSE;
  *first = rank == 3 ? start[0] : 0;
  *count = rank == 3 ? end[0] - start[0] + 1 : 1;
  return *first + *count <= segment->count
         && (guint64) points == *count * segment->dims[rank - 1] * segment->dims[rank - 2];
}

/* Opens a source's file: @name as it is, or in the folder of the file at @path. */
static hid_t
open_source_file (const char *path, const char *name, hid_t access)
{
  g_autofree char *folder = g_path_get_dirname (path), *base = g_path_get_basename (name);
  g_autofree char *beside = g_build_filename (folder, name, NULL), *moved = g_build_filename (folder, base, NULL);
  const char *const candidates[] = { g_path_is_absolute (name) ? name : beside, moved };
  hid_t file = -1;

  if (g_str_equal (name, "."))
    return H5Fopen (path, H5F_ACC_RDONLY, access);
  for (guint i = 0; i < G_N_ELEMENTS (candidates) && file < 0; i++)
    file = H5Fopen (candidates[i], H5F_ACC_RDONLY, access);
  return file;
}

/* Describes source @index. Sets @usable to FALSE if its frames must be read through libhdf5. */
static gboolean
open_source (const CapraHdf5Segment *whole, const char *path, hid_t access, hid_t creation, size_t index,
             CapraHdf5Segment *source, gboolean *usable, GError **error)
{
  char file_name[MAX_NAME] = "", name[MAX_NAME] = "";
  hid_t file = -1, dataset = -1, to = H5Pget_virtual_vspace (creation, index);
  hid_t from = H5Pget_virtual_srcspace (creation, index);
  guint64 count = 0, frames = 0;
  gboolean opened = FALSE;

  *usable = FALSE;
  if (H5Pget_virtual_filename (creation, index, file_name, sizeof file_name) > 0
      && H5Pget_virtual_dsetname (creation, index, name, sizeof name) > 0 && !strchr (file_name, '%')
      && !strchr (name, '%'))
    {
      file = open_source_file (path, file_name, access);
      dataset = file >= 0 ? H5Dopen2 (file, name, H5P_DEFAULT) : -1;
      if (dataset < 0)
        g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND,
                     _ ("cannot open %s of %s, a source of a virtual data set of %s"), name, file_name, path);
      else
        opened = capra_hdf5_segment_init (source, dataset, file_name, name, error);
      *usable = opened && get_frames (to, whole, &source->first, &count)
                && get_frames (from, source, &source->source, &frames) && frames == count
                && capra_hdf5_segment_is_like (source, whole);
    }
  else
    opened = TRUE;
  source->count = frames;
  if (file >= 0)
    H5Fclose (file); /* the data set keeps it open */
  if (!*usable)
    capra_hdf5_segment_clear (source);
  H5Sclose (to);
  H5Sclose (from);
  return opened;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  const CapraHdf5Segment *first = a, *second = b;

  return first->first < second->first ? -1 : first->first > second->first;
}

/* Whether the sources follow each other without gaps, which would have the fill value. */
static gboolean
are_complete (GArray *segments, guint64 count)
{
  guint64 next = 0;

  for (guint i = 0; i < segments->len; i++)
    {
      const CapraHdf5Segment *segment = &g_array_index (segments, CapraHdf5Segment, i);

      if (segment->first != next)
        return FALSE;
      next += segment->count;
    }
  return next == count;
}

gboolean
capra_hdf5_virtual_expand (const CapraHdf5Segment *segment, const char *path, hid_t access, GArray *segments,
                           GError **error)
{
  hid_t creation = H5Dget_create_plist (segment->dataset);
  size_t n = 0;
  gboolean usable = H5Pget_layout (creation) == H5D_VIRTUAL && H5Pget_virtual_count (creation, &n) >= 0
                    && n <= MAX_SOURCES;
  gboolean good = TRUE;

  for (size_t i = 0; i < n && usable && good; i++)
    {
      CapraHdf5Segment source = { 0 };

      good = open_source (segment, path, access, creation, i, &source, &usable, error);
      if (usable)
        g_array_append_val (segments, source);
    }
  H5Pclose (creation);
  g_array_sort (segments, compare);
  if (!usable || !good || !are_complete (segments, segment->count))
    g_array_set_size (segments, 0);
  return good;
}
