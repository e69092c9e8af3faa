/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline: an ordered list of steps; every change of it can be undone and redone. */
#pragma once

#include <gio/gio.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * CapraPipeline:
 *
 * A GListModel of CapraStep. Emits "changed" after any change: of the list, of a value, of a switch.
 * Properties: can-undo, can-redo.
 */
#define CAPRA_TYPE_PIPELINE (capra_pipeline_get_type ())
G_DECLARE_FINAL_TYPE (CapraPipeline, capra_pipeline, CAPRA, PIPELINE, GObject)

CapraPipeline *capra_pipeline_new (void);

guint capra_pipeline_get_length (CapraPipeline *pipeline);
/* (transfer none) */
CapraStep *capra_pipeline_get_step (CapraPipeline *pipeline, guint position);
/* The position of the step with that id, or -1. */
int capra_pipeline_find (CapraPipeline *pipeline, guint id);

/* @position: -1 for the end. */
void capra_pipeline_insert (CapraPipeline *pipeline, CapraStep *step, int position);
void capra_pipeline_remove (CapraPipeline *pipeline, CapraStep *step);
void capra_pipeline_move (CapraPipeline *pipeline, CapraStep *step, guint position);
/* Replaces all steps by those of @steps (CapraStep), as one change. */
void capra_pipeline_replace (CapraPipeline *pipeline, GPtrArray *steps);

/* Whether it works on the numbers of files as they are (see capra_data_load()); its steps say so, too, so that it is
 * kept with them. Steps that replace others bring theirs. */
gboolean capra_pipeline_get_data (CapraPipeline *pipeline);
void capra_pipeline_set_data (CapraPipeline *pipeline, gboolean data);

/* Copies of all steps, for other threads and for files. */
GPtrArray *capra_pipeline_snapshot (CapraPipeline *pipeline);

void capra_pipeline_undo (CapraPipeline *pipeline);
void capra_pipeline_redo (CapraPipeline *pipeline);
gboolean capra_pipeline_can_undo (CapraPipeline *pipeline);
gboolean capra_pipeline_can_redo (CapraPipeline *pipeline);

G_END_DECLS
