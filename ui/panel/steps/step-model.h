/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-model: the list of steps of a pipeline, with undo and redo. */
#pragma once

#include <gio/gio.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * CapraStepModel:
 *
 * A GListModel of CapraStep. Emits "changed" after any change of the list or of a step.
 * Properties: "can-undo" and "can-redo" (boolean, read-only); "selected" (CapraStep, nullable): the step that the user
 * works on, which other views follow.
 */
#define CAPRA_TYPE_STEP_MODEL (capra_step_model_get_type ())
G_DECLARE_FINAL_TYPE (CapraStepModel, capra_step_model, CAPRA, STEP_MODEL, GObject)

CapraStepModel *capra_step_model_new (void);

guint capra_step_model_get_length (CapraStepModel *model);
/* (transfer none) */
CapraStep *capra_step_model_get_step (CapraStepModel *model, guint position);
/* The position of the step @id, or -1. */
int capra_step_model_find (CapraStepModel *model, guint id);

/* @position: -1 to append. */
void capra_step_model_insert (CapraStepModel *model, CapraStep *step, int position);
void capra_step_model_remove (CapraStepModel *model, CapraStep *step);
void capra_step_model_move (CapraStepModel *model, CapraStep *step, guint position);
/* Replaces all steps by @steps (CapraStep), as one entry in the history. */
void capra_step_model_replace (CapraStepModel *model, GPtrArray *steps);

/* (nullable) (transfer none): see the property "selected". */
CapraStep *capra_step_model_get_selected (CapraStepModel *model);
void capra_step_model_select (CapraStepModel *model, CapraStep *step);

/* All changes until capra_step_model_end_change() are one entry in the history, such as those of a handle being
 * dragged. */
void capra_step_model_begin_change (CapraStepModel *model);
void capra_step_model_end_change (CapraStepModel *model);

/* Whether the pipeline works on raw values, see capra_raw_values_load(). Its steps store it, too; steps that replace
 * others bring their own setting. */
gboolean capra_step_model_get_raw_values (CapraStepModel *model);
void capra_step_model_set_raw_values (CapraStepModel *model, gboolean raw);

/* (transfer full): copies of all steps, for other threads and for files. */
GPtrArray *capra_step_model_snapshot (CapraStepModel *model);

void capra_step_model_undo (CapraStepModel *model);
void capra_step_model_redo (CapraStepModel *model);
gboolean capra_step_model_can_undo (CapraStepModel *model);
gboolean capra_step_model_can_redo (CapraStepModel *model);

G_END_DECLS
