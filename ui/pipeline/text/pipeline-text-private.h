/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-text-private: shared by both text formats. */
#pragma once

#include "ui/pipeline/text/pipeline-text.h"

G_BEGIN_DECLS

/* Marks arguments of a pipeline that works on raw values. */
#define CAPRA_RAW_OPTION "--data"

/* The name by which texts refer to the pipeline's input. */
#define CAPRA_INPUT_NAME "input"
/* The operation of the node that has this name; it passes its input through. */
#define CAPRA_INPUT_OPERATION "gegl:nop"

/* Whether the steps work on raw values. */
gboolean capra_steps_have_raw_values (GPtrArray *steps);
/* @steps: (nullable): returned unchanged, except for the mark */
GPtrArray *capra_steps_set_raw_values (GPtrArray *steps, gboolean raw);

/* %NULL with @error set if the operation is unknown. */
CapraStep *capra_step_new_checked (const char *operation, GError **error);
/* FALSE with @error set if the property is unknown or the value invalid. */
gboolean capra_step_set_text (CapraStep *step, const char *name, const char *text, GError **error);

/**
 * capra_step_to_command:
 * @steps: the list that contains @step
 * @name: (nullable): by which later steps refer to @step
 */
char *capra_step_to_command (CapraStep *step, GPtrArray *steps, const char *name);

/**
 * capra_steps_get_reference:
 *
 * Returns: (nullable) (transfer full): the name of the source of @step's second input: the pipeline's input or an
 *   enabled step before it; %NULL if the source is a file, missing, or removed
 */
char *capra_steps_get_reference (GPtrArray *steps, CapraStep *step);
/* (nullable) (transfer full): the name of @step, if another step refers to it. */
char *capra_steps_get_name (GPtrArray *steps, CapraStep *step);
/* Whether a step refers to the input. */
gboolean capra_steps_refer_to_input (GPtrArray *steps);

/* The steps while a text is parsed; references are resolved at the end. */
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
/* Parses arguments and appends their steps. */
gboolean capra_pipeline_builder_add_command (CapraPipelineBuilder *builder, const char *text, GError **error);
/* (transfer full): the steps, or %NULL with @error set. */
GPtrArray *capra_pipeline_builder_finish (CapraPipelineBuilder *builder, GError **error);

/* Sets @error for a branch that a list of steps cannot represent; returns FALSE. */
gboolean capra_fail_branch (CapraStep *step, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraPipelineBuilder, capra_pipeline_builder_free)

G_END_DECLS
