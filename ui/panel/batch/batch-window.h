/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batch-window: applies the steps of a window to many files. */
#pragma once

#include <adwaita.h>

#include "ui/panel/steps/step-model.h"
#include "ui/panel/widgets/task-button.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_BATCH_WINDOW (capra_batch_window_get_type ())
G_DECLARE_FINAL_TYPE (CapraBatchWindow, capra_batch_window, CAPRA, BATCH_WINDOW, AdwWindow)

/**
 * capra_batch_window_new:
 * @application: (nullable): opens results in new windows
 * @pipeline: the steps, as they are when the user starts
 * @tasks: also shows the progress; it may be destroyed before the window is
 */
CapraBatchWindow *capra_batch_window_new (GtkApplication *application, CapraStepModel *pipeline,
                                          CapraTaskButton *tasks);

/* Adds files, and the images in folders, which are searched in a thread. */
void capra_batch_window_add (CapraBatchWindow *window, GListModel *files);
/* The folder for the results. */
void capra_batch_window_set_output (CapraBatchWindow *window, GFile *folder);
/* @names: such as "{name}-capra.png" */
void capra_batch_window_set_names (CapraBatchWindow *window, const char *names);
/* @dataset: (nullable): of HDF5 files, which the user can change; %NULL without such files */
void capra_batch_window_set_dataset (CapraBatchWindow *window, const char *dataset);
/* (transfer none) (element-type CapraBatchItem): the files. */
GListModel *capra_batch_window_get_items (CapraBatchWindow *window);

G_END_DECLS
