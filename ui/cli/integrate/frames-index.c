/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames in an HDF5 file: finds the data set and its chunks with the HDF5 library, and reads chunks without it. */
#include "ui/cli/integrate/frames-index.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <hdf5.h>
#include <string.h>
#include <unistd.h>

#define FILTER_BITSHUFFLE 32008
#define COMPRESSION_NONE 0
#define COMPRESSION_LZ4 2
#define MAX_PATH 1024

static gboolean G_GNUC_PRINTF (3, 4) fail (const FramesIndex *index, GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list values;

  va_start (values, format);
  message = g_strdup_vprintf (format, values);
  va_end (values);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s%s%s: %s", index->path, index->data_set ? ", " : "",
               index->data_set ? index->data_set : "", message);
  return FALSE;
}

/* A text attribute of an object; NULL if it has none. Free with g_free(). */
static char *
get_text (hid_t file, const char *object, const char *name)
{
  g_autofree char *text = g_malloc0 (MAX_PATH);
  hid_t attribute = H5Aexists_by_name (file, object, name, H5P_DEFAULT) > 0
                      ? H5Aopen_by_name (file, object, name, H5P_DEFAULT, H5P_DEFAULT)
                      : -1;
  hid_t type = attribute >= 0 ? H5Aget_type (attribute) : -1;
  char *variable = NULL;
  gboolean good = FALSE;

  if (type >= 0 && H5Tget_class (type) == H5T_STRING && H5Tis_variable_str (type) > 0)
    {
      good = H5Aread (attribute, type, &variable) >= 0 && variable;
      if (good)
        g_strlcpy (text, variable, MAX_PATH);
      if (variable)
        H5free_memory (variable);
    }
  else if (type >= 0 && H5Tget_class (type) == H5T_STRING && H5Tget_size (type) < MAX_PATH
           && H5Aget_storage_size (attribute) < MAX_PATH)
    good = H5Aread (attribute, type, text) >= 0;
  if (type >= 0)
    H5Tclose (type);
  if (attribute >= 0)
    H5Aclose (attribute);
  return good ? g_steal_pointer (&text) : NULL;
}

/* The first data set with three dimensions below a group, in @found. */
static herr_t
visit (hid_t group, const char *name, const H5O_info_t *info, void *found)
{
  hid_t set = info->type == H5O_TYPE_DATASET ? H5Dopen2 (group, name, H5P_DEFAULT) : -1;
  hid_t space = set >= 0 ? H5Dget_space (set) : -1;
  gboolean match = space >= 0 && H5Sget_simple_extent_ndims (space) == 3;

  if (space >= 0)
    H5Sclose (space);
  if (set >= 0)
    H5Dclose (set);
  if (match)
    *(char **) found = g_strdup (name);
  return match;
}

/* The path of the data set that NeXus' attributes name: default, default, signal; else the first with 3 dimensions. */
static char *
find_data_set (hid_t file)
{
  g_autofree char *path = g_strdup ("/");
  char *found = NULL;

  for (guint depth = 0; depth < 8; depth++)
    {
      g_autofree char *next = get_text (file, path, "default");
      g_autofree char *signal = next ? NULL : get_text (file, path, "signal");
      g_autofree char *child = next || signal ? g_build_path ("/", path, next ? next : signal, NULL) : NULL;

      if (!child || H5Lexists (file, child, H5P_DEFAULT) <= 0)
        break;
      g_free (path);
      path = g_steal_pointer (&child);
      if (signal)
        return g_steal_pointer (&path);
    }
  H5Ovisit (file, H5_INDEX_NAME, H5_ITER_INC, visit, &found);
  return found;
}

static gboolean
read_type (FramesIndex *index, hid_t set, GError **error)
{
  hid_t type = H5Dget_type (set);
  H5T_class_t class = H5Tget_class (type);
  gboolean little = H5Tget_order (type) != H5T_ORDER_BE;

  index->element = (guint) H5Tget_size (type);
  index->kind = class == H5T_FLOAT                ? CAPRA_BITSHUFFLE_FLOAT
                : H5Tget_sign (type) == H5T_SGN_2 ? CAPRA_BITSHUFFLE_SIGNED
                                                  : CAPRA_BITSHUFFLE_UNSIGNED;
  H5Tclose (type);
  if ((class != H5T_INTEGER && class != H5T_FLOAT) || !little)
    return fail (index, error, "the values must be integers or floating-point numbers, with the lowest byte first");
  return TRUE;
}

/* The coding of chunks without a filter mask. */
static gboolean
read_filter (FramesIndex *index, hid_t list, CapraBitshuffleCoding *coding, GError **error)
{
  unsigned values[8] = { 0 }, flags = 0, config = 0;
  size_t n = G_N_ELEMENTS (values);
  char name[64];
  int filters = H5Pget_nfilters (list);
  H5Z_filter_t filter = filters == 1 ? H5Pget_filter2 (list, 0, &flags, &n, values, sizeof name, name, &config) : 0;

  *coding = CAPRA_BITSHUFFLE_RAW;
  if (filters == 0)
    return TRUE;
  if (filter == FILTER_BITSHUFFLE && n > 4 && values[4] == COMPRESSION_LZ4)
    *coding = CAPRA_BITSHUFFLE_LZ4;
  else if (filter == FILTER_BITSHUFFLE && (n <= 4 || values[4] == COMPRESSION_NONE))
    {
      *coding = CAPRA_BITSHUFFLE_PLANES;
      index->block = n > 3 ? values[3] : 0;
    }
  else
    return fail (index, error,
                 "the compression is not supported; supported are bitshuffle with LZ4, bitshuffle alone, "
                 "and none");
  return TRUE;
}

/* Chunks of a frame each. */
static gboolean
read_chunks (FramesIndex *index, hid_t set, hid_t list, GError **error)
{
  CapraBitshuffleCoding coding = CAPRA_BITSHUFFLE_RAW;
  hsize_t chunk[3] = { 0 };

  if (H5Pget_layout (list) != H5D_CHUNKED || H5Pget_chunk (list, 3, chunk) != 3 || chunk[0] != 1
      || chunk[1] != index->height || chunk[2] != index->width)
    return fail (index, error, "each frame must be a chunk of its own");
  if (!read_filter (index, list, &coding, error))
    return FALSE;
  index->chunks = g_new0 (FramesChunk, index->n);
  for (guint i = 0; i < index->n; i++)
    {
      const hsize_t at[] = { i, 0, 0 };
      unsigned mask = 0;
      haddr_t offset = HADDR_UNDEF;
      hsize_t bytes = 0;

      if (H5Dget_chunk_info_by_coord (set, at, &mask, &offset, &bytes) < 0 || offset == HADDR_UNDEF)
        bytes = 0;
      index->chunks[i] = (FramesChunk){ offset, bytes, mask ? CAPRA_BITSHUFFLE_RAW : coding };
    }
  return TRUE;
}

static gboolean
read_data_set (FramesIndex *index, hid_t set, GError **error)
{
  hid_t space = H5Dget_space (set), list = H5Dget_create_plist (set);
  hsize_t shape[3] = { 0 };
  gboolean good = H5Sget_simple_extent_ndims (space) == 3 && H5Sget_simple_extent_dims (space, shape, NULL) == 3
                  && shape[0] > 0 && shape[0] < G_MAXINT32 && shape[1] > 0 && shape[2] > 0 && shape[1] < G_MAXINT32
                  && shape[2] < G_MAXINT32;

  index->n = (guint) shape[0];
  index->height = (guint) shape[1];
  index->width = (guint) shape[2];
  if (!good)
    fail (index, error, "the data set must have three dimensions: frames, rows, columns");
  good = good && read_type (index, set, error) && read_chunks (index, set, list, error);
  H5Sclose (space);
  H5Pclose (list);
  return good;
}

FramesIndex *
frames_index_open (const char *path, const char *data_set, GError **error)
{
  g_autoptr (FramesIndex) index = g_new0 (FramesIndex, 1);
  hid_t file = -1, set = -1;
  gboolean good = FALSE;

  index->path = g_strdup (path);
  index->file = open (path, O_RDONLY | O_CLOEXEC);
  if (index->file < 0)
    {
      fail (index, error, "cannot be opened: %s", g_strerror (errno));
      return NULL;
    }
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    {
      fail (index, error, "is not an HDF5 file");
      return NULL;
    }
  index->data_set = data_set ? g_strdup (data_set) : find_data_set (file);
  set = index->data_set ? H5Dopen2 (file, index->data_set, H5P_DEFAULT) : -1;
  if (set >= 0)
    {
      good = read_data_set (index, set, error);
      H5Dclose (set);
    }
  else
    fail (index, error, "there is no such data set; choose one with --dataset");
  H5Fclose (file);
  return good ? g_steal_pointer (&index) : NULL;
}

void
frames_index_free (FramesIndex *index)
{
  if (index->file >= 0)
    close (index->file);
  g_free (index->chunks);
  g_free (index->data_set);
  g_free (index->path);
  g_free (index);
}

gboolean
frames_index_read (const FramesIndex *index, guint i, gpointer to, GError **error)
{
  const FramesChunk *chunk = &index->chunks[i];
  gsize done = 0;

  if (chunk->bytes == 0)
    return fail (index, error, "the frame was never written");
  while (done < chunk->bytes)
    {
      ssize_t got = pread (index->file, (char *) to + done, chunk->bytes - done, (off_t) (chunk->offset + done));

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return fail (index, error, "cannot be read: %s", g_strerror (errno));
      if (got == 0)
        return fail (index, error, "the file ends before the frame does");
      done += (gsize) got;
    }
  return TRUE;
}
