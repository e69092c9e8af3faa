/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State-file: images and steps of the program's windows, saved for its next start. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraWindowState:
 * @image: (nullable): the image's URI
 * @dataset: (nullable): its data set in an HDF5 file
 * @frame: its frame or page in the file, from 0
 * @steps: (nullable): as GEGL's XML
 * @unsaved: whether the steps have changed since they were saved in a graph or an image; not stored in the file
 */
typedef struct {
  char *image, *dataset, *steps;
  guint64 frame;
  gboolean unsaved;
} CapraWindowState;

CapraWindowState *capra_window_state_copy (const CapraWindowState *state);
void capra_window_state_free (CapraWindowState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraWindowState, capra_window_state_free)

/* @states (element-type CapraWindowState): removes the oldest one if there are too many. Windows without steps never
 * replace those with steps. */
void capra_window_states_limit (GPtrArray *states);

/* A state file in the user's state folder. Processes that run at the same time have different ones. */
typedef struct _CapraStateFile CapraStateFile;

/**
 * capra_state_file_open:
 * @name: of the program, the beginning of the names of its files
 *
 * Returns: (transfer full) (nullable): the first file that no other process has opened; %NULL with @error set if the
 *   folder cannot be created, or very many processes run
 */
CapraStateFile *capra_state_file_open (const char *name, GError **error);
void capra_state_file_close (CapraStateFile *state_file);

/**
 * capra_state_file_read:
 *
 * Takes over the states in files of processes that have ended. An invalid file is renamed, so that it is not
 * overwritten. So is a file that was read twice without a capra_state_file_write() in between, because its contents may
 * have crashed the program.
 *
 * Returns: (transfer full) (element-type CapraWindowState): in the order of capra_state_file_write(); empty, with
 * @error set, if the file cannot be used
 */
GPtrArray *capra_state_file_read (CapraStateFile *state_file, GError **error);

/* Replaces the states in the file by @states (element-type CapraWindowState). */
gboolean capra_state_file_write (CapraStateFile *state_file, GPtrArray *states, GError **error);

G_END_DECLS
