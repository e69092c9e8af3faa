/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: opens files and their data sets. */
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "formats/hdf5/hdf5-private.h"
#include "formats/source-file.h"

/* Not all builds of libhdf5 may be called from several threads. */
G_LOCK_DEFINE_STATIC (library);

void
capra_hdf5_lock (void)
{
  static gboolean begun;

  G_LOCK (library);
  if (!begun)
    H5dont_atexit (); /* it would close files again that could not be closed, as on a full disk, and crash */
  begun = TRUE;
}

void
capra_hdf5_enter (CapraHdf5Saved *saved)
{
  capra_hdf5_lock ();
  H5Eget_auto2 (H5E_DEFAULT, &saved->print, &saved->data);
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
}

void
capra_hdf5_leave (CapraHdf5Saved *saved)
{
  H5Eset_auto2 (H5E_DEFAULT, saved->print, saved->data);
  G_UNLOCK (library);
}

void
capra_hdf5_unlock (void)
{
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

  frames->shape = (CapraHdf5Shape){ .width = first->dims[first->rank - 1],
                                    .height = first->dims[first->rank - 2],
                                    .frames = frames->shape.frames,
                                    .type = first->type,
                                    .element = first->element,
                                    .is_signed = first->is_signed,
                                    .is_float = first->is_float };
  for (guint i = 1; i < frames->segments->len; i++)
    if (!capra_hdf5_segment_is_like (first, &g_array_index (frames->segments, CapraHdf5Segment, i)))
      {
        g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
                     _ ("the data sets of %s have frames of different sizes or types"), frames->path);
        return FALSE;
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
  CapraHdf5Saved saved;

  capra_hdf5_enter (&saved);
  segments_free (frames);
  if (frames->recording > 0)
    H5Pclose (frames->recording);
  capra_hdf5_leave (&saved);
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
  CapraHdf5Saved saved;

  frames->path = g_strdup (path);
  frames->segments = g_array_new (FALSE, FALSE, sizeof (CapraHdf5Segment));
  if (!capra_source_file_check (path, error))
    return NULL;
  capra_hdf5_enter (&saved);
  access = capra_hdf5_driver_new_access ();
  frames->recording = capra_hdf5_driver_new_recording (&frames->recorder);
  if (access < 0 || frames->recording < 0)
    capra_hdf5_set_error (path, _ ("cannot use libhdf5"), error);
  else
    good = open_datasets (frames, dataset, access, error);
  if (access >= 0)
    H5Pclose (access);
  capra_hdf5_leave (&saved);
  return good ? g_steal_pointer (&frames) : NULL;
}

char **
capra_hdf5_list_datasets (const char *path)
{
  GPtrArray *list = NULL;
  hid_t access = -1, file = -1;
  CapraHdf5Saved saved;

  if (capra_source_file_check (path, NULL))
    {
      capra_hdf5_enter (&saved);
      access = capra_hdf5_driver_new_access ();
      file = access >= 0 ? open_file (path, access) : -1;
      list = file >= 0 ? capra_hdf5_list (file) : NULL;
      if (file >= 0)
        H5Fclose (file);
      if (access >= 0)
        H5Pclose (access);
      capra_hdf5_leave (&saved);
    }
  if (!list)
    list = g_ptr_array_new ();
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (list, FALSE);
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
                 _ ("%s has %" PRIu64 " frames: choose one from 0 to %" PRIu64), frames->path, last + 1, last);
  else if (frame > 0 && (guint64) frame > last)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_RANGE,
                 _ ("%s has no frame %" PRId64 ": its frames are 0 to %" PRIu64), frames->path, frame, last);
  else
    return MAX (frame, 0);
  return -1;
}
