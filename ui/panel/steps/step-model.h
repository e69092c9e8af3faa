/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline: an ordered list of steps; every change of it can be undone and redone. */
#pragma once

#include <gio/gio.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * CapraStepModel:
 *
 * A GListModel of CapraStep. Emits "changed" after any change: of the list, of a value, of a switch.
 * Properties: can-undo, can-redo.
 */
#define CAPRA_TYPE_STEP_MODEL (capra_step_model_get_type ())
G_DECLARE_FINAL_TYPE (CapraStepModel, capra_step_model, CAPRA, STEP_MODEL, GObject)

CapraStepModel *capra_step_model_new (void);

guint capra_step_model_get_length (CapraStepModel *pipeline);
/* (transfer none) */
CapraStep *capra_step_model_get_step (CapraStepModel *pipeline, guint position);
/* The position of the step with that id, or -1. */
int capra_step_model_find (CapraStepModel *pipeline, guint id);

/* @position: -1 for the end. */
void capra_step_model_insert (CapraStepModel *pipeline, CapraStep *step, int position);
void capra_step_model_remove (CapraStepModel *pipeline, CapraStep *step);
void capra_step_model_move (CapraStepModel *pipeline, CapraStep *step, guint position);
/* Replaces all steps by those of @steps (CapraStep), as one change. */
void capra_step_model_replace (CapraStepModel *pipeline, GPtrArray *steps);

/* Whether it works on the numbers of files as they are (see capra_raw_values_load()); its steps say so, too, so that it is
 * kept with them. Steps that replace others bring theirs. */
gboolean capra_step_model_get_raw_values (CapraStepModel *pipeline);
void capra_step_model_set_raw_values (CapraStepModel *pipeline, gboolean data);

/* Copies of all steps, for other threads and for files. */
GPtrArray *capra_step_model_snapshot (CapraStepModel *pipeline);

void capra_step_model_undo (CapraStepModel *pipeline);
void capra_step_model_redo (CapraStepModel *pipeline);
gboolean capra_step_model_can_undo (CapraStepModel *pipeline);
gboolean capra_step_model_can_redo (CapraStepModel *pipeline);

G_END_DECLS
