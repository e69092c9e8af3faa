/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-builder: the steps of a text while it is parsed, and the references between them. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* References are resolved at the end. */
typedef struct _CapraPipelineBuilder CapraPipelineBuilder;

CapraPipelineBuilder *capra_pipeline_builder_new (void);
void capra_pipeline_builder_free (CapraPipelineBuilder *builder);
/* @step: (transfer full). @first: whether to insert it before the others. */
void capra_pipeline_builder_add (CapraPipelineBuilder *builder, CapraStep *step, gboolean first);
/* The step that was added last. */
CapraStep *capra_pipeline_builder_get_last (CapraPipelineBuilder *builder);
/* @step: (nullable): %NULL for the input */
void capra_pipeline_builder_name (CapraPipelineBuilder *builder, CapraStep *step, const char *name);
void capra_pipeline_builder_refer (CapraPipelineBuilder *builder, CapraStep *step, const char *name);
/* The second input of @step is the output of a single loader, @operation, of the file @path. */
gboolean capra_pipeline_builder_load (CapraPipelineBuilder *builder, CapraStep *step, const char *operation,
                                      const char *path, GError **error);
/* Inserts the steps of @disabled, with their references, before the others and disables them. */
void capra_pipeline_builder_add_disabled (CapraPipelineBuilder *builder, CapraPipelineBuilder *disabled);
/* (transfer full): the steps, or %NULL with @error set. */
GPtrArray *capra_pipeline_builder_finish (CapraPipelineBuilder *builder, GError **error);

/* Sets @error for a branch that a list of steps cannot represent; returns FALSE. */
gboolean capra_fail_branch (CapraStep *step, GError **error);

/* %NULL with @error set if the operation is unknown. */
CapraStep *capra_step_new_checked (const char *operation, GError **error);
/* FALSE with @error set if the property is unknown or the value invalid. */
gboolean capra_step_set_text (CapraStep *step, const char *name, const char *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraPipelineBuilder, capra_pipeline_builder_free)

G_END_DECLS
