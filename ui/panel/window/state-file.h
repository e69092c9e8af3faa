/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restore: images and steps that the program's windows had when it ended, kept for its next start. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraWindowState:
 * @image: (nullable): the image's URI
 * @steps: (nullable): as GEGL's XML
 * @unsaved: whether the steps were changed since they were saved, alone or with a result; not kept in the file
 */
typedef struct {
  char *image, *steps;
  gboolean unsaved;
} CapraWindowState;

void capra_window_state_free (CapraWindowState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraWindowState, capra_window_state_free)

/* The user's file of states, which one process at a time has open. */
typedef struct _CapraRestore CapraRestore;

/**
 * capra_restore_open:
 *
 * Returns: (transfer full) (nullable): the file in the user's state folder; %NULL if another process has it, or if
 *   there is no such folder and it cannot be made
 */
CapraRestore *capra_restore_open (void);
void capra_restore_close (CapraRestore *restore);

/**
 * capra_restore_read:
 *
 * A file that cannot be understood is renamed, so that it is not overwritten. So is one that was read twice without a
 * capra_restore_write() in between: what it holds may be what ended the program.
 *
 * Returns: (transfer full) (element-type CapraWindowState): in the order of capra_restore_write(); empty with @error
 *   set if the file could not be used
 */
GPtrArray *capra_restore_read (CapraRestore *restore, GError **error);

/* @states: (element-type CapraWindowState): replace those in the file. What goes wrong is logged. */
void capra_restore_write (CapraRestore *restore, GPtrArray *states);

G_END_DECLS
