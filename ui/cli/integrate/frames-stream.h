/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stream of frames from a file through a device: threads read chunks into pinned memory and find their blocks, the
 * device decodes and integrates batches of frames while the next ones are read and uploaded, and a thread gets the
 * results. */
#pragma once

#include "ui/cli/integrate/frames-index.h"

G_BEGIN_DECLS

/* Results of @n frames from @first on; @values: CAPRA_AZIMUTHAL_N_PLANES planes of bins for each; @good: whether each
 * was read and decoded; the results of others are NaN. Called by one thread, in the order of the frames. Returns FALSE
 * with
 * @error set to stop. */
typedef gboolean (*FramesResultsFunc) (guint first, guint n, const float *values, const gboolean *good, gpointer data,
                                       GError **error);

typedef struct {
  const FramesIndex *index;
  CapraDevice *device;
  CapraAzimuthal *azimuthal;
  gsize n_bins;           /* values of a plane of results */
  guint first, n;         /* the frames to integrate */
  guint batch;            /* frames that are uploaded and integrated together */
  guint ring;             /* batches in flight */
  guint readers;          /* threads that read */
  gboolean silent;        /* bad frames are not reported */
  gboolean stop_on_error; /* a bad frame ends the stream */
  FramesResultsFunc results;
  gpointer data;
} FramesStream;

typedef struct {
  guint good, bad;
  gsize bytes;        /* of the chunks that were read */
  gsize host_bytes;   /* the largest size of all batches in flight, in pinned memory */
  gsize device_bytes; /* the same with the decoded frames and the results */
  double seconds;
  double read_seconds, scan_seconds; /* of all readers together */
  double wait_read_seconds;          /* during which there was no batch to enqueue */
} FramesReport;

/* Runs the stream. Prints a message for each bad frame to standard error. */
gboolean frames_stream_run (const FramesStream *stream, FramesReport *report, GError **error);

G_END_DECLS
