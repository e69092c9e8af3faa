/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Document: a window's image and pipeline, and the files that they are read from. */
#pragma once

#include <gegl.h>

#include "ui/panel/steps/step-model.h"
#include "ui/panel/window/state-file.h"
#include "ui/pipeline/read/image-file.h"

G_BEGIN_DECLS

/**
 * CapraDocument:
 *
 * Properties: "image" (GeglBuffer, read-only, nullable); "loading" (boolean, read-only): whether an image is being
 * read. Signals: "failed" (string) with a message; "notice" (string): something to mention for a moment; "started": a
 * new attempt makes earlier messages obsolete; "steps-offered" (GPtrArray of CapraStep): the image that was opened
 * contains steps, with which it was made.
 */
#define CAPRA_TYPE_DOCUMENT (capra_document_get_type ())
G_DECLARE_FINAL_TYPE (CapraDocument, capra_document, CAPRA, DOCUMENT, GObject)

CapraDocument *capra_document_new (void);
/* Cancels loading. Results that arrive later are dropped. */
void capra_document_close (CapraDocument *document);

/* (transfer none) */
CapraStepModel *capra_document_get_pipeline (CapraDocument *document);
/* (transfer none) (nullable) */
GeglBuffer *capra_document_get_image (CapraDocument *document);
/* (transfer none) (nullable): the image's file; %NULL for a host's image. */
GFile *capra_document_get_file (CapraDocument *document);
/* Name of the image, as shown to the user. */
const char *capra_document_get_name (CapraDocument *document);
/* (nullable): name of the file that is being read. */
char *capra_document_dup_loading_name (CapraDocument *document);

/* Sets an image without a file: that of a host, or one that was pasted. */
void capra_document_set_image (CapraDocument *document, GeglBuffer *image, const char *name);
/* Starts to read an image, or reads a graph if the name ends with ".xml". */
void capra_document_open (CapraDocument *document, GFile *file);
/* Shows an image of @file in a document without another one. @start: when its reading was started, in real time */
void capra_document_show (CapraDocument *document, GFile *file, CapraImage *image, gint64 start);
/* Starts to read a frame of an image, in @dataset (nullable). */
void capra_document_open_frame (CapraDocument *document, GFile *file, const char *dataset, guint64 frame);
void capra_document_open_graph (CapraDocument *document, GFile *file);
/* Reads another frame of the image's file, from 0. */
void capra_document_set_frame (CapraDocument *document, guint64 frame);
/* The frame of the image, or the one that is being read. */
guint64 capra_document_get_frame (CapraDocument *document);
/* The number of frames in the image's file: planes of a FITS cube, frames of HDF5 data, pages of a TIFF. */
guint64 capra_document_get_n_frames (CapraDocument *document);
CapraFramesKind capra_document_get_frames_kind (CapraDocument *document);
/* Reads another data set of the image's HDF5 file, from its first frame. */
void capra_document_set_dataset (CapraDocument *document, const char *dataset);
/* (transfer none) (nullable): the data set of the image, or the one that is being read, if it was chosen. */
const char *capra_document_get_dataset (CapraDocument *document);
/* The same, but NULL for the default of the file, unless that was chosen. */
const char *capra_document_get_chosen_dataset (CapraDocument *document);
/* (transfer none) (nullable): those that can be chosen. */
char **capra_document_get_datasets (CapraDocument *document);
/* Replaces the steps by those of @text, XML or a command line. */
void capra_document_paste (CapraDocument *document, const char *text);
/* Reads a frame of an image, in @dataset (nullable), and then replaces the steps by @steps, which are saved. */
void capra_document_open_with_steps (CapraDocument *document, GFile *file, const char *dataset, guint64 frame,
                                     GPtrArray *steps);
/* @steps: (element-type CapraStep): were written to a file. */
void capra_document_mark_saved (CapraDocument *document, GPtrArray *steps);

/* Emit "notice" and "failed". */
void capra_document_report_notice (CapraDocument *document, const char *message);
void capra_document_report_failure (CapraDocument *document, const char *message);

/* Appends what to restore at the next start to @states (element-type CapraWindowState). @kept: (nullable): steps of an
 * earlier session that were neither restored nor discarded, as XML: a state of their own if there are others, too */
void capra_document_add_states (CapraDocument *document, const char *kept, GPtrArray *states);

G_END_DECLS
