/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames in an HDF5 file: a data set with a frame in each chunk, and where the chunks are in the file. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

typedef struct {
  guint64 offset; /* in the file */
  gsize bytes;    /* 0 if the frame was never written */
  CapraBitshuffleCoding coding;
} FramesChunk;

typedef struct {
  char *path, *data_set;
  int file; /* descriptor */
  guint n, width, height;
  CapraBitshuffleKind kind;
  guint element;
  guint block;         /* values of a block; 0 if the chunks' headers have it */
  FramesChunk *chunks; /* @n */
} FramesIndex;

/* Opens @path; @data_set: (nullable): the first one with three dimensions, in the order of NeXus' default and signal
 * attributes, if NULL. */
FramesIndex *frames_index_open (const char *path, const char *data_set, GError **error);
void frames_index_free (FramesIndex *index);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FramesIndex, frames_index_free)

/* Reads chunk @i to @to, past the HDF5 library, so that threads do not wait for each other. */
gboolean frames_index_read (const FramesIndex *index, guint i, gpointer to, GError **error);

G_END_DECLS
