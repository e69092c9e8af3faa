/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the frames of an HDF5 data set are in its files, and in which form they are read from there. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

typedef struct {
  char *path;
  CapraHdf5Frames *frames;
  const char *data_set;
  guint n, width, height;
  CapraType type;
  CapraBitshuffleKind kind;
  guint element;
  gboolean floats;        /* the HDF5 library reads the values as floats, since the device has no double precision */
  guint block;            /* values of a block; 0 if the chunks' headers have it */
  CapraHdf5Chunk *chunks; /* @n */
} FramesIndex;

/* Opens @path; @data_set: "" to find it by the attributes of NeXus; @device: for which frames are read */
FramesIndex *frames_index_open (const char *path, const char *data_set, CapraDevice *device, GError **error);
void frames_index_free (FramesIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FramesIndex, frames_index_free)

/* How the bytes of frame @i are encoded that frames_index_read() reads. */
CapraBitshuffleCoding frames_index_get_coding (const FramesIndex *index, guint i);

/* Reads the bytes of frame @i to @to: past the HDF5 library where possible, so that threads do not wait for each other.
 */
gboolean frames_index_read (const FramesIndex *index, guint i, gpointer to, GError **error);

G_END_DECLS
