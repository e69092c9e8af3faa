/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saver: saves a window's results, with progress, and delays closing until they are saved. */
#pragma once

#include <adwaita.h>
#include <gegl.h>

#include "ui/panel/steps/step-model.h"
#include "ui/panel/widgets/task-button.h"

G_BEGIN_DECLS

/**
 * CapraSaver:
 *
 * Signals: "saved" (GPtrArray, string): these steps (element-type CapraStep; %NULL if the file does not contain them)
 * were saved, with a message; "failed" (string) with a message; "done": nothing is being saved any more, and the window
 * is to be closed.
 */
#define CAPRA_TYPE_SAVER (capra_saver_get_type ())
G_DECLARE_FINAL_TYPE (CapraSaver, capra_saver, CAPRA, SAVER, GObject)

/* @window: owns the saver; @tasks: shows the progress; @pipeline: its steps explain a failure. */
CapraSaver *capra_saver_new (GtkWindow *window, CapraTaskButton *tasks, CapraStepModel *pipeline);

/* Starts to save. @bits: as capra_save() takes them. */
void capra_saver_save (CapraSaver *saver, GFile *file, GeglBuffer *image, GPtrArray *steps, int bits);
void capra_saver_cancel (CapraSaver *saver);

/* Returns: whether closing has to wait; then the user is asked, unless "done" will be emitted anyway */
gboolean capra_saver_delay_close (CapraSaver *saver);
/* From now on "done" is emitted without asking the user. */
void capra_saver_close_when_done (CapraSaver *saver);

G_END_DECLS
