/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: in builds without libhdf5, opening a file is an error. */
#include <glib/gi18n-lib.h>

#include "formats/hdf5/hdf5-frames.h"

gboolean
capra_hdf5_is_supported (void)
{
  return FALSE;
}

CapraHdf5Frames *
capra_hdf5_frames_open (const char *path, const char *dataset, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
               _ ("cannot read %s: this build of Capra has no HDF5 support; install libhdf5 and build it again"), path);
  return NULL;
}

/* The other functions need open frames. */

void
capra_hdf5_frames_close (CapraHdf5Frames *frames)
{
  g_return_if_reached ();
}

const CapraHdf5Shape *
capra_hdf5_frames_get_shape (CapraHdf5Frames *frames)
{
  g_return_val_if_reached (NULL);
}

const char *
capra_hdf5_frames_get_dataset (CapraHdf5Frames *frames)
{
  g_return_val_if_reached (NULL);
}

gint64
capra_hdf5_frames_check (CapraHdf5Frames *frames, gint64 frame, GError **error)
{
  g_return_val_if_reached (-1);
}

gboolean
capra_hdf5_frames_get_chunk (CapraHdf5Frames *frames, guint64 frame, CapraHdf5Chunk *chunk, gboolean *direct,
                             GError **error)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_hdf5_frames_read (CapraHdf5Frames *frames, guint64 frame, gpointer data, GError **error)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_hdf5_frames_read_floats (CapraHdf5Frames *frames, guint64 frame, float *pixels, GError **error)
{
  g_return_val_if_reached (FALSE);
}

void
capra_hdf5_lock (void)
{
}

void
capra_hdf5_unlock (void)
{
}
