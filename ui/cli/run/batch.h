/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-frames: all images of a batch, one after the other. */
#pragma once

#include "ui/cli/run/run-graph.h"

G_BEGIN_DECLS

/**
 * RunFrames:
 * @inputs: NULL-terminated; may be empty if the graph has a source
 * @outputs: (nullable): one for each input
 * @tables: (nullable): a pattern for the file with the tables of each input
 * @bits: of a PNG; 0: as the input has
 * @progress: whether to tell how far it is
 */
typedef struct {
  RunGraph *graph;
  char **inputs, **outputs;
  const char *tables;
  int bits;
  gboolean progress;
} RunFrames;

/* The number of images that failed; each has been told on standard error. */
guint run_frames (const RunFrames *frames);

G_END_DECLS
