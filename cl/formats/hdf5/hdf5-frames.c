/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: opens data sets, finds the chunks of frames, and reads frames. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "formats/hdf5/hdf5-private.h"
#include "formats/source-file.h"
#include "runtime/memory/array.h"

struct _CapraHdf5Frames {
  char *path, *dataset;
  CapraHdf5Shape shape;
  GArray *segments; /* of CapraHdf5Segment, by their first frame */
  CapraHdf5Recorder recorder;
  hid_t recording;
};

/* Not all builds of libhdf5 may be called from several threads. */
G_LOCK_DEFINE_STATIC (library);

/* The settings of libhdf5 that are restored after a call. */
typedef struct {
  H5E_auto2_t print;
  void *data;
} Saved;

/* Begins calls of libhdf5, which prints nothing until leave(). */
static void
enter (Saved *saved)
{
  G_LOCK (library);
  H5Eget_auto2 (H5E_DEFAULT, &saved->print, &saved->data);
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
}

static void
leave (Saved *saved)
{
  H5Eset_auto2 (H5E_DEFAULT, saved->print, saved->data);
  G_UNLOCK (library);
}

static herr_t
get_cause (unsigned n, const H5E_error2_t *found, void *data)
{
  char **text = data;

  if (!*text && found->desc)
    *text = g_utf8_make_valid (found->desc, -1);
  return 0;
}

void
capra_hdf5_set_error (const char *path, const char *doing, GError **error)
{
  g_autofree char *cause = NULL;

  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, get_cause, &cause);
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED, "%s: %s: %s", path, doing,
               cause ? cause : _ ("unknown error"));
}

gboolean
capra_hdf5_is_supported (void)
{
  return TRUE;
}

/* Adds the frames of the data set @name. */
static gboolean
add_dataset (CapraHdf5Frames *frames, hid_t file, const char *name, hid_t access, GError **error)
{
  hid_t dataset = H5Dopen2 (file, name, H5P_DEFAULT);
  g_autoptr (GArray) sources = g_array_new (FALSE, FALSE, sizeof (CapraHdf5Segment));
  CapraHdf5Segment segment = { 0 };
  guint64 first = frames->shape.frames;

  if (dataset < 0)
    {
      g_autofree char *doing = g_strdup_printf (_ ("cannot open %s"), name);

      capra_hdf5_set_error (frames->path, doing, error);
      return FALSE;
    }
  g_array_set_clear_func (sources, capra_hdf5_segment_clear);
  if (!capra_hdf5_segment_init (&segment, dataset, frames->path, name, error)
      || !capra_hdf5_virtual_expand (&segment, frames->path, access, sources, error))
    {
      capra_hdf5_segment_clear (&segment);
      return FALSE;
    }
  frames->shape.frames += segment.count;
  if (sources->len == 0)
    g_array_append_val (sources, segment);
  else
    capra_hdf5_segment_clear (&segment);
  for (guint i = 0; i < sources->len; i++)
    {
      CapraHdf5Segment *source = &g_array_index (sources, CapraHdf5Segment, i);

      source->first += first;
      g_array_append_vals (frames->segments, source, 1);
    }
  g_array_set_clear_func (sources, NULL);
  return TRUE;
}

/* Sets the shape; all data sets must agree. */
static gboolean
check_shapes (CapraHdf5Frames *frames, GError **error)
{
  const CapraHdf5Segment *first = &g_array_index (frames->segments, CapraHdf5Segment, 0);

  frames->shape.width = first->dims[first->rank - 1];
  frames->shape.height = first->dims[first->rank - 2];
  frames->shape.type = first->type;
  for (guint i = 1; i < frames->segments->len; i++)
    {
      const CapraHdf5Segment *other = &g_array_index (frames->segments, CapraHdf5Segment, i);

      if (other->type != first->type || other->dims[other->rank - 1] != frames->shape.width
          || other->dims[other->rank - 2] != frames->shape.height)
        {
          g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
                       _ ("the data sets of %s have frames of different sizes or types"), frames->path);
          return FALSE;
        }
    }
  return TRUE;
}

/* A file that a detector is still writing can only be opened as such. */
static hid_t
open_file (const char *path, hid_t access)
{
  hid_t file = H5Fopen (path, H5F_ACC_RDONLY, access);

  return file >= 0 ? file : H5Fopen (path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
}

static gboolean
open_datasets (CapraHdf5Frames *frames, const char *name, hid_t access, GError **error)
{
  hid_t file = open_file (frames->path, access);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean good = FALSE;

  if (file < 0)
    {
      capra_hdf5_set_error (frames->path, _ ("it is not an HDF5 file, or it is damaged"), error);
      return FALSE;
    }
  good = capra_hdf5_find (file, frames->path, name, names, error);
  for (guint i = 0; i < names->len && good; i++)
    good = add_dataset (frames, file, names->pdata[i], access, error);
  H5Fclose (file); /* the data sets keep it open */
  if (!good || !check_shapes (frames, error))
    return FALSE;
  frames->dataset = g_strdup (names->pdata[0]);
  return TRUE;
}

static void
segments_free (CapraHdf5Frames *frames)
{
  for (guint i = 0; i < frames->segments->len; i++)
    capra_hdf5_segment_clear (&g_array_index (frames->segments, CapraHdf5Segment, i));
  g_array_unref (frames->segments);
}

void
capra_hdf5_frames_close (CapraHdf5Frames *frames)
{
  Saved saved;

  enter (&saved);
  segments_free (frames);
  if (frames->recording > 0)
    H5Pclose (frames->recording);
  leave (&saved);
  g_free (frames->dataset);
  g_free (frames->path);
  g_free (frames);
}

CapraHdf5Frames *
capra_hdf5_frames_open (const char *path, const char *dataset, GError **error)
{
  g_autoptr (CapraHdf5Frames) frames = g_new0 (CapraHdf5Frames, 1);
  gboolean good = FALSE;
  hid_t access = -1;
  Saved saved;

  frames->path = g_strdup (path);
  frames->segments = g_array_new (FALSE, FALSE, sizeof (CapraHdf5Segment));
  if (!capra_source_file_check (path, error))
    return NULL;
  enter (&saved);
  access = capra_hdf5_driver_new_access ();
  frames->recording = capra_hdf5_driver_new_recording (&frames->recorder);
  if (access < 0 || frames->recording < 0)
    capra_hdf5_set_error (path, _ ("cannot use libhdf5"), error);
  else
    good = open_datasets (frames, dataset, access, error);
  if (access >= 0)
    H5Pclose (access);
  leave (&saved);
  return good ? g_steal_pointer (&frames) : NULL;
}

const CapraHdf5Shape *
capra_hdf5_frames_get_shape (CapraHdf5Frames *frames)
{
  return &frames->shape;
}

const char *
capra_hdf5_frames_get_dataset (CapraHdf5Frames *frames)
{
  return frames->dataset;
}

gint64
capra_hdf5_frames_check (CapraHdf5Frames *frames, gint64 frame, GError **error)
{
  guint64 last = frames->shape.frames - 1;

  if (frame < 0 && last > 0)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                 _ ("%s has %" G_GUINT64_FORMAT " frames: choose one from 0 to %" G_GUINT64_FORMAT), frames->path,
                 last + 1, last);
  else if (frame > 0 && (guint64) frame > last)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                 _ ("%s has no frame %" G_GINT64_FORMAT ": its frames are 0 to %" G_GUINT64_FORMAT), frames->path,
                 frame, last);
  else
    return MAX (frame, 0);
  return -1;
}

/* The segment with @frame, which exists. */
static const CapraHdf5Segment *
find_segment (CapraHdf5Frames *frames, guint64 frame)
{
  guint low = 0, high = frames->segments->len;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (frames->segments, CapraHdf5Segment, middle).first <= frame)
        low = middle;
      else
        high = middle;
    }
  return &g_array_index (frames->segments, CapraHdf5Segment, low);
}

static guint64
get_frame_bytes (const CapraHdf5Shape *shape)
{
  return (guint64) shape->width * shape->height * capra_type_size (shape->type);
}

static gboolean
fail_damaged (CapraHdf5Frames *frames, guint64 frame, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
               _ ("%s: the values of frame %" G_GUINT64_FORMAT " are not in the file"), frames->path, frame);
  return FALSE;
}

/* Whether a chunk was never written. */
static gboolean
is_missing (const CapraHdf5Segment *segment, const hsize_t *offset)
{
  unsigned mask = 0;
  haddr_t address = 0;
  hsize_t bytes = 0;

  return H5Dget_chunk_info_by_coord (segment->dataset, offset, &mask, &address, &bytes) >= 0 && address == HADDR_UNDEF;
}

/* Sets the place of a chunk of libhdf5. */
static gboolean
find_chunk (CapraHdf5Frames *frames, const CapraHdf5Segment *segment, guint64 frame, CapraHdf5Chunk *chunk,
            GError **error)
{
  CapraHdf5Recorder *recorder = &frames->recorder;
  hsize_t offset[H5S_MAX_RANK];
  guint8 unused = 0;

  *recorder = (CapraHdf5Recorder){ 0 };
  capra_hdf5_segment_locate (segment, frame - segment->first + segment->source, offset);
  if (H5Dread_chunk (segment->dataset, frames->recording, offset, &chunk->filter_mask, &unused) < 0)
    {
      if (recorder->count == 0 && is_missing (segment, offset))
        return TRUE;
      return fail_damaged (frames, frame, error);
    }
  if (recorder->count != 1)
    return fail_damaged (frames, frame, error);
  chunk->path = recorder->path;
  chunk->descriptor = recorder->descriptor;
  chunk->offset = recorder->offset;
  chunk->length = recorder->length;
  return recorder->length <= recorder->file_size && recorder->offset <= recorder->file_size - recorder->length
           ? TRUE
           : fail_damaged (frames, frame, error);
}

/* Sets the place of a frame in a data set without chunks, from that of its first value. */
static gboolean
find_contiguous (CapraHdf5Frames *frames, const CapraHdf5Segment *segment, guint64 frame, CapraHdf5Chunk *chunk,
                 GError **error)
{
  guint64 bytes = get_frame_bytes (&frames->shape), index = frame - segment->first + segment->source;
  CapraHdf5Recorder *recorder = &frames->recorder;
  hsize_t offset[H5S_MAX_RANK], one[H5S_MAX_RANK];
  hid_t file_space = H5Dget_space (segment->dataset), memory = H5Screate_simple (1, (hsize_t[]){ 1 }, NULL);
  hid_t type = H5Dget_type (segment->dataset);
  guint64 value = 0;
  gboolean found = FALSE;

  *recorder = (CapraHdf5Recorder){ 0 };
  capra_hdf5_segment_locate (segment, index, offset);
  for (int i = 0; i < segment->rank; i++)
    one[i] = 1;
  H5Sselect_hyperslab (file_space, H5S_SELECT_SET, offset, NULL, one, NULL);
  found = H5Dread (segment->dataset, type, memory, file_space, frames->recording, &value) >= 0 && recorder->count == 1;
  H5Tclose (type);
  H5Sclose (memory);
  H5Sclose (file_space);
  *chunk = (CapraHdf5Chunk){
    .path = recorder->path, .descriptor = recorder->descriptor, .offset = recorder->offset, .length = bytes
  };
  if (!found || bytes > recorder->file_size || recorder->offset > recorder->file_size - bytes)
    return fail_damaged (frames, frame, error);
  return TRUE;
}

gboolean
capra_hdf5_frames_get_chunk (CapraHdf5Frames *frames, guint64 frame, CapraHdf5Chunk *chunk, gboolean *direct,
                             GError **error)
{
  const CapraHdf5Segment *segment = find_segment (frames, frame);
  gboolean good = TRUE;
  Saved saved;

  g_return_val_if_fail (frame < frames->shape.frames, FALSE);

  *chunk = (CapraHdf5Chunk){ .descriptor = -1 };
  *direct = segment->one_frame || segment->contiguous;
  if (!*direct)
    return TRUE;
  enter (&saved);
  good = segment->one_frame ? find_chunk (frames, segment, frame, chunk, error)
                            : find_contiguous (frames, segment, frame, chunk, error);
  leave (&saved);
  chunk->compression = segment->compression;
  chunk->n_parameters = segment->n_parameters;
  memcpy (chunk->parameters, segment->parameters, sizeof chunk->parameters);
  if (good && chunk->length > 0 && chunk->compression == CAPRA_HDF5_PLAIN
      && chunk->length != get_frame_bytes (&frames->shape))
    return fail_damaged (frames, frame, error);
  return good;
}

static hid_t
get_memory_type (CapraType type)
{
  switch (type)
    {
    case CAPRA_U8: return H5T_NATIVE_UINT8;
    case CAPRA_I8: return H5T_NATIVE_INT8;
    case CAPRA_U16: return H5T_NATIVE_UINT16;
    case CAPRA_I16: return H5T_NATIVE_INT16;
    case CAPRA_U32: return H5T_NATIVE_UINT32;
    case CAPRA_I32: return H5T_NATIVE_INT32;
    default: return H5T_NATIVE_FLOAT;
    }
}

static void
set_read_error (CapraHdf5Frames *frames, const CapraHdf5Segment *segment, guint64 frame, GError **error)
{
  int filter = capra_hdf5_segment_get_missing_filter (segment);
  g_autofree char *doing = g_strdup_printf (_ ("cannot read frame %" G_GUINT64_FORMAT), frame);

  if (filter == 0)
    capra_hdf5_set_error (frames->path, doing, error);
  else
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
                 _ ("%s: %s: libhdf5 lacks the filter %d; install its plug-in (such as the package hdf5-plugin-lzf or "
                    "bitshuffle of Debian), or set HDF5_PLUGIN_PATH"),
                 frames->path, doing, filter);
}

gboolean
capra_hdf5_frames_read (CapraHdf5Frames *frames, guint64 frame, gpointer data, GError **error)
{
  const CapraHdf5Segment *segment = find_segment (frames, frame);
  hsize_t offset[H5S_MAX_RANK], count[H5S_MAX_RANK];
  hid_t file_space, memory;
  herr_t status = -1;
  Saved saved;

  g_return_val_if_fail (frame < frames->shape.frames, FALSE);

  enter (&saved);
  capra_hdf5_segment_locate (segment, frame - segment->first + segment->source, offset);
  for (int i = 0; i < segment->rank; i++)
    count[i] = i < segment->rank - 2 ? 1 : segment->dims[i];
  file_space = H5Dget_space (segment->dataset);
  memory = H5Screate_simple (2, count + segment->rank - 2, NULL);
  if (H5Sselect_hyperslab (file_space, H5S_SELECT_SET, offset, NULL, count, NULL) >= 0)
    status = H5Dread (segment->dataset, get_memory_type (segment->type), memory, file_space, H5P_DEFAULT, data);
  if (status < 0)
    set_read_error (frames, segment, frame, error);
  H5Sclose (memory);
  H5Sclose (file_space);
  leave (&saved);
  return status >= 0;
}
