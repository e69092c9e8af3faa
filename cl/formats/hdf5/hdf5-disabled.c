/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: in builds without libhdf5, opening or creating a file is an error. */
#include <glib/gi18n-lib.h>

#include "formats/hdf5/hdf5-frames.h"
#include "formats/hdf5/nexus-file.h"

gboolean
capra_hdf5_is_supported (void)
{
  return FALSE;
}

char **
capra_hdf5_list_datasets (const char *path)
{
  return g_new0 (char *, 1);
}

CapraHdf5Frames *
capra_hdf5_frames_open (const char *path, const char *dataset, GError **error)
{
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
               _ ("cannot read %s: this build of Capra has no HDF5 support; install libhdf5 and build it again"), path);
  return NULL;
}

CapraNexusFile *
capra_nexus_file_new (const char *path, const char *signal, const char *const *axes, GError **error)
{
  g_set_error_literal (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_UNSUPPORTED,
                       _ ("this build of Capra has no HDF5 support; install libhdf5 and build it again"));
  return NULL;
}

/* The other functions need open frames, or a file. */

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
capra_hdf5_frames_get_chunk (CapraHdf5Frames *frames, guint64 frame, CapraHdf5Chunk *chunk, GError **error)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_hdf5_chunk_read (const CapraHdf5Chunk *chunk, gpointer data, gsize bytes, GError **error)
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

void
capra_nexus_file_set_text (CapraNexusFile *file, const char *name, const char *text)
{
  g_return_if_reached ();
}

guint
capra_nexus_file_add (CapraNexusFile *file, const char *name, CapraNexusType type, guint rank, const guint64 *sizes,
                      const char *units)
{
  g_return_val_if_reached (0);
}

void
capra_nexus_file_set_range (CapraNexusFile *file, guint set, const char *name, guint64 first, guint64 end)
{
  g_return_if_reached ();
}

guint64
capra_nexus_file_get_offset (CapraNexusFile *file, guint set)
{
  g_return_val_if_reached (0);
}

gboolean
capra_nexus_file_write (CapraNexusFile *file, guint set, guint64 first, guint64 n, gconstpointer values)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_nexus_file_close (CapraNexusFile *file, GError **error)
{
  g_return_val_if_reached (FALSE);
}
