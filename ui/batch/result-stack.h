/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result stack: results of the frames of a batch in one data set of an HDF5 file (NeXus).
 *
 * The file is created whole: its metadata is complete and closed before the first frame is written, and frames are
 * written at their offsets, past the library. So any thread can write, and a process that is killed leaves a valid
 * file, whose data set "good" tells which frames it has. It has the name PATH.part until all frames were processed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CapraResultStack CapraResultStack;

typedef enum { CAPRA_RESULT_F32, CAPRA_RESULT_U32 } CapraResultType;

/**
 * CapraResultShape:
 * @height: rows of a frame
 * @width: pixels of a row
 * @channels: values of a pixel, interleaved
 * @type: of the values
 */
typedef struct {
  guint64 height, width, channels;
  CapraResultType type;
} CapraResultShape;

/* Whether this build can write HDF5 files. */
gboolean capra_result_stack_is_supported (void);

/* Whether the name ends as those of HDF5 files do. */
gboolean capra_result_stack_is_name (const char *path);

/**
 * capra_result_stack_new:
 * @path: the name of the complete file
 * @first: the number of the first frame
 * @count: the number of frames
 * @batch: the number of frames of all processes together, from 0
 * @resume: whether the frames that an earlier process has written are kept, if there are any
 */
CapraResultStack *capra_result_stack_new (const char *path, guint64 first, guint64 count, guint64 batch,
                                          gboolean resume, GError **error);
void capra_result_stack_free (CapraResultStack *stack);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraResultStack, capra_result_stack_free)

/* Whether the file has the frame of that number. */
gboolean capra_result_stack_has (CapraResultStack *stack, guint64 frame);

/* Begins a new file, since no frame of the one that was found is of this batch. That one is not changed. */
void capra_result_stack_restart (CapraResultStack *stack);

/* The file does not have the frame until it is written again: it may be that of another batch. */
gboolean capra_result_stack_forget (CapraResultStack *stack, guint64 frame, GError **error);

/* Writes a frame to disk, in any thread. The first one creates the file; FALSE with @error set also if a later one has
 * another shape. */
gboolean capra_result_stack_write (CapraResultStack *stack, guint64 frame, const CapraResultShape *shape,
                                   gconstpointer values, GError **error);

/* All frames were processed, even if some have failed: gives the file its name, unless frames could not be written. */
gboolean capra_result_stack_finish (CapraResultStack *stack, GError **error);

G_END_DECLS
