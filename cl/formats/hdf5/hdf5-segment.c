/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: describes a data set: its frames, their type and how they are stored. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "formats/hdf5/hdf5-private.h"

#define BITSHUFFLE 32008
/* Its parameters: the version (two numbers), and then */
enum { PARAMETER_ELEMENT = 2, PARAMETER_BLOCK, PARAMETER_COMPRESSION, N_PARAMETERS };
enum { COMPRESSION_NONE = 0, COMPRESSION_LZ4 = 2 };

void
capra_hdf5_segment_clear (gpointer data)
{
  CapraHdf5Segment *segment = data;

  if (segment->dataset > 0)
    H5Dclose (segment->dataset);
}

/* Sets the type of the values. @little: whether they are stored as capra_hdf5_frames_read() returns them */
static gboolean
find_type (CapraHdf5Segment *segment, hid_t type, gboolean *little)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_I8, CAPRA_U16, CAPRA_I16, CAPRA_U32, CAPRA_I32 };
  size_t size = H5Tget_size (type);

  segment->is_float = H5Tget_class (type) == H5T_FLOAT;
  segment->is_signed = !segment->is_float && H5Tget_sign (type) == H5T_SGN_2;
  if (segment->is_float)
    segment->element = size <= 4 ? 4 : 8;
  else if (H5Tget_class (type) == H5T_INTEGER && size <= 8)
    segment->element = size <= 2 ? (guint) size : size <= 4 ? 4 : 8;
  else
    return FALSE;
  segment->type = segment->is_float || segment->element == 8 ? CAPRA_F32
                                                             : types[segment->element / 2 * 2 + segment->is_signed];
  *little = size == segment->element && (size == 1 || H5Tget_order (type) == H5T_ORDER_LE);
  if (segment->is_float)
    *little &= H5Tequal (type, size == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE) > 0;
  else
    *little &= H5Tget_precision (type) == 8 * size;
  return TRUE;
}

/* Sets the encoding from the filters. */
static void
read_filters (CapraHdf5Segment *segment, hid_t creation, gboolean little)
{
  guint values[N_PARAMETERS] = { 0 };
  size_t n = N_PARAMETERS;
  unsigned flags = 0;
  int n_filters = H5Pget_nfilters (creation);

  if (n_filters == 0 && little)
    segment->encoding = CAPRA_HDF5_PLAIN;
  if (n_filters != 1 || !little)
    return;
  segment->skipped = CAPRA_HDF5_PLAIN;
  if (H5Pget_filter2 (creation, 0, &flags, &n, values, 0, NULL, NULL) != BITSHUFFLE
      || values[PARAMETER_ELEMENT] != segment->element)
    return;
  segment->block = values[PARAMETER_BLOCK];
  if (values[PARAMETER_COMPRESSION] == COMPRESSION_LZ4)
    segment->encoding = CAPRA_HDF5_BITSHUFFLE_LZ4;
  else if (values[PARAMETER_COMPRESSION] == COMPRESSION_NONE)
    segment->encoding = CAPRA_HDF5_BITSHUFFLE_PLANES;
}

static void
read_storage (CapraHdf5Segment *segment, gboolean little)
{
  hid_t creation = H5Dget_create_plist (segment->dataset);
  hsize_t chunk[H5S_MAX_RANK] = { 0 };
  H5D_layout_t layout = H5Pget_layout (creation);

  segment->encoding = segment->skipped = CAPRA_HDF5_OTHER;
  if (layout == H5D_CHUNKED && H5Pget_chunk (creation, H5S_MAX_RANK, chunk) == segment->rank)
    {
      segment->one_frame = TRUE;
      for (int i = 0; i < segment->rank; i++)
        segment->one_frame &= chunk[i] == (i < segment->rank - 2 ? 1 : segment->dims[i]);
      read_filters (segment, creation, little);
    }
  else if (layout == H5D_CONTIGUOUS && H5Pget_external_count (creation) == 0 && little)
    {
      segment->contiguous = H5Dget_offset (segment->dataset) != HADDR_UNDEF;
      segment->encoding = CAPRA_HDF5_PLAIN;
    }
  H5Pclose (creation);
}

/* Reads the lengths of the axes. */
static gboolean
read_dims (CapraHdf5Segment *segment, const char *path, const char *name, GError **error)
{
  hid_t space = H5Dget_space (segment->dataset);

  segment->rank = H5Sget_simple_extent_ndims (space);
  segment->count = 1;
  if (segment->rank >= 2)
    H5Sget_simple_extent_dims (space, segment->dims, NULL);
  H5Sclose (space);
  if (segment->rank < 2)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
                   _ ("%s of %s has %d axes; frames need at least 2"), name, path, MAX (segment->rank, 0));
      return FALSE;
    }
  for (int i = 0; i < segment->rank; i++)
    if (segment->dims[i] == 0 || segment->dims[i] > G_MAXINT32
        || (i < segment->rank - 2 && !g_uint64_checked_mul (&segment->count, segment->count, segment->dims[i])))
      {
        g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                     _ ("%s of %s is empty or too large: axis %d has %" PRIu64 " elements"), name, path, i,
                     (guint64) segment->dims[i]);
        return FALSE;
      }
  if (segment->dims[segment->rank - 1] <= G_MAXINT32 / segment->dims[segment->rank - 2])
    return TRUE;
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE, _ ("the frames of %s are too large"), path);
  return FALSE;
}

gboolean
capra_hdf5_segment_init (CapraHdf5Segment *segment, hid_t dataset, const char *path, const char *name, GError **error)
{
  hid_t type = H5Dget_type (dataset);
  gboolean little = FALSE, known = FALSE;

  *segment = (CapraHdf5Segment){ .dataset = dataset };
  known = find_type (segment, type, &little);
  H5Tclose (type);
  if (!known)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED, _ ("%s of %s does not contain numbers"),
                   name, path);
      return FALSE;
    }
  if (!read_dims (segment, path, name, error))
    return FALSE;
  read_storage (segment, little);
  return TRUE;
}

gboolean
capra_hdf5_segment_is_like (const CapraHdf5Segment *a, const CapraHdf5Segment *b)
{
  return a->element == b->element && a->is_signed == b->is_signed && a->is_float == b->is_float
         && a->dims[a->rank - 1] == b->dims[b->rank - 1] && a->dims[a->rank - 2] == b->dims[b->rank - 2];
}

void
capra_hdf5_segment_locate (const CapraHdf5Segment *segment, guint64 source, hsize_t offset[H5S_MAX_RANK])
{
  offset[segment->rank - 1] = offset[segment->rank - 2] = 0;
  for (int i = segment->rank - 3; i >= 0; i--)
    {
      offset[i] = source % segment->dims[i];
      source /= segment->dims[i];
    }
}

int
capra_hdf5_segment_get_missing_filter (const CapraHdf5Segment *segment)
{
  hid_t creation = H5Dget_create_plist (segment->dataset);
  int n = H5Pget_nfilters (creation), missing = 0;

  for (int i = 0; i < n && !missing; i++)
    {
      unsigned flags = 0;
      size_t none = 0;
      H5Z_filter_t filter = H5Pget_filter2 (creation, (unsigned) i, &flags, &none, NULL, 0, NULL, NULL);

      if (filter > 0 && H5Zfilter_avail (filter) <= 0)
        missing = filter;
    }
  H5Pclose (creation);
  return missing;
}
