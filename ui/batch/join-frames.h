/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Join-frames: which frames the parts of a result have. */
#pragma once

#include <glib.h>
#include <hdf5.h>

G_BEGIN_DECLS

/* The data set with the numbers of frames, and its attribute with the first frame of the batch and the one after the
 * last. */
#define CAPRA_JOIN_FRAME "frame"

/**
 * CapraJoinFrames:
 * @first: the number of the first frame
 * @last: that of the last one
 * @step: the smallest distance of two frames; 0 if there is one frame
 * @begin: the first frame of all parts
 * @end: the frame after the last one of all parts; 0 if the file does not tell
 */
typedef struct {
  guint64 first, last, step, begin, end;
} CapraJoinFrames;

/* Returns: (nullable): %NULL, or why the frames of @file cannot be joined with others */
const char *capra_join_frames_read (hid_t file, CapraJoinFrames *frames);

/**
 * capra_join_frames_find_missing:
 * @parts: in their order, without an overlap
 *
 * Returns: (transfer full) (nullable): the frames that no part has, such as "4, 7 to 9"; %NULL if none is missing
 */
char *capra_join_frames_find_missing (const CapraJoinFrames *parts, guint count);

G_END_DECLS
