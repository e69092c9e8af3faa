/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* HDF5: what the reader's files share. */
#pragma once

#include <hdf5.h>

#include "formats/hdf5/hdf5-driver.h"
#include "formats/hdf5/hdf5-frames.h"

G_BEGIN_DECLS

/**
 * CapraHdf5Segment:
 * @dataset: an open data set; owned
 * @rank: its number of axes
 * @dims: their lengths
 * @type: of its values, as #CapraHdf5Shape has it
 * @element: likewise
 * @is_signed: likewise
 * @is_float: likewise
 * @first: the number of its first frame among all frames
 * @source: the number of that frame in the data set
 * @count: how many frames it contributes
 * @one_frame: whether each chunk is a frame
 * @contiguous: whether the values are in one piece of the file, without chunks
 * @encoding: of chunks whose filters were not skipped
 * @skipped: of chunks whose filters were skipped
 * @block: as #CapraHdf5Chunk has it
 *
 * Frames that follow each other in one data set.
 */
typedef struct {
  hid_t dataset;
  int rank;
  hsize_t dims[H5S_MAX_RANK];
  CapraType type;
  guint element;
  gboolean is_signed, is_float;
  guint64 first, source, count;
  gboolean one_frame, contiguous;
  CapraHdf5Encoding encoding, skipped;
  guint block;
} CapraHdf5Segment;

struct _CapraHdf5Frames {
  char *path, *dataset;
  CapraHdf5Shape shape;
  GArray *segments; /* of CapraHdf5Segment, by their first frame */
  CapraHdf5Recorder recorder;
  hid_t recording;
};

/* The settings of libhdf5 that are restored after calls. */
typedef struct {
  H5E_auto2_t print;
  void *data;
} CapraHdf5Saved;

/* Begins calls of libhdf5, which prints nothing until capra_hdf5_leave(). Other threads wait. */
void capra_hdf5_enter (CapraHdf5Saved *saved);
void capra_hdf5_leave (CapraHdf5Saved *saved);

void capra_hdf5_segment_clear (gpointer segment);

/* Sets @segment to all frames of @dataset (taken), which is at @name of @path. */
gboolean capra_hdf5_segment_init (CapraHdf5Segment *segment, hid_t dataset, const char *path, const char *name,
                                  GError **error);

/* Whether the frames of both have the same size and values of the same type. */
gboolean capra_hdf5_segment_is_like (const CapraHdf5Segment *a, const CapraHdf5Segment *b);

/* Where frame @source of the data set begins. */
void capra_hdf5_segment_locate (const CapraHdf5Segment *segment, guint64 source, hsize_t offset[H5S_MAX_RANK]);

/* The first filter of the data set that libhdf5 lacks; 0 if it has all. */
int capra_hdf5_segment_get_missing_filter (const CapraHdf5Segment *segment);

/* Replaces @segment, of a virtual data set of the file at @path, by its sources in @segments, which is empty. Leaves
 * @segments empty if its frames must be read through libhdf5. */
gboolean capra_hdf5_virtual_expand (const CapraHdf5Segment *segment, const char *path, hid_t access, GArray *segments,
                                    GError **error);

/* Appends the paths (char *) of the data sets with the frames to @names. @name: as for capra_hdf5_frames_open() */
gboolean capra_hdf5_find (hid_t file, const char *path, const char *name, GPtrArray *names, GError **error);

/* The data sets (char *) that capra_hdf5_list_datasets() returns. */
GPtrArray *capra_hdf5_list (hid_t file);

/* Sets @error to what libhdf5 says of its last failure. @doing: such as "cannot open /entry/data" */
void capra_hdf5_set_error (const char *path, const char *doing, GError **error);

G_END_DECLS
