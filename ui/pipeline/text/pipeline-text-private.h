/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two forms of a pipeline's text share. */
#pragma once

#include "ui/pipeline/text/pipeline-text.h"

G_BEGIN_DECLS

/* What says in a command that the pipeline works on the numbers of files. */
#define CAPRA_DATA_WORD "--data"

/* The name that the pipeline's input has in texts that refer to it. */
#define CAPRA_INPUT_NAME "input"

/* Whether the steps work on numbers. */
gboolean capra_steps_have_raw_values (GPtrArray *steps);
/* Says so of all steps, and returns them (%NULL stays that). */
GPtrArray *capra_steps_set_raw_values (GPtrArray *steps, gboolean data);

/* An error if there is no such operation. */
CapraStep *capra_step_new_checked (const char *operation, GError **error);
/* An error if there is no such property, or the value does not fit. */
gboolean capra_step_set_text (CapraStep *step, const char *name, const char *text, GError **error);

/**
 * capra_step_to_command:
 * @steps: of which it is one
 * @name: (nullable): by which later ones refer to it
 */
char *capra_step_to_command (CapraStep *step, GPtrArray *steps, const char *name);

/**
 * capra_steps_get_reference:
 *
 * Returns: (nullable): the name of what feeds the second input of @step: that of the input, or of an
 *   enabled step before it; %NULL if it is fed by a file, by nothing, or by what is not there (g_free)
 */
char *capra_steps_get_reference (GPtrArray *steps, CapraStep *step);
/* The name of @step if an enabled step refers to it, else %NULL (g_free). */
char *capra_steps_get_name (GPtrArray *steps, CapraStep *step);
/* Whether an enabled step refers to the input. */
gboolean capra_steps_refer_to_input (GPtrArray *steps);

/* Steps while they are read: references are known when all are there. */
typedef struct _CapraPipelineBuilder CapraPipelineBuilder;

CapraPipelineBuilder *capra_pipeline_builder_new (void);
void capra_pipeline_builder_free (CapraPipelineBuilder *reading);
/* Takes over @step. @first: before the others, else after them. */
void capra_pipeline_builder_add (CapraPipelineBuilder *reading, CapraStep *step, gboolean first);
/* The step that was added last. */
CapraStep *capra_pipeline_builder_get_last (CapraPipelineBuilder *reading);
/* @step: %NULL: the input */
void capra_pipeline_builder_name (CapraPipelineBuilder *reading, CapraStep *step, const char *name);
void capra_pipeline_builder_refer (CapraPipelineBuilder *reading, CapraStep *step, const char *name);
/* What the branch into the second input of @step has: one operation, with its path. */
gboolean capra_pipeline_builder_load (CapraPipelineBuilder *reading, CapraStep *step, const char *operation,
                                      const char *path, GError **error);
/* The steps of @off come before the others, switched off, with what they refer to. */
void capra_pipeline_builder_take_off (CapraPipelineBuilder *reading, CapraPipelineBuilder *off);
/* All that a command says, after what is there. */
gboolean capra_pipeline_builder_add_command (CapraPipelineBuilder *reading, const char *text, GError **error);
/* The steps (transfer full), or %NULL with @error set. */
GPtrArray *capra_pipeline_builder_finish (CapraPipelineBuilder *reading, GError **error);

/* A branch that a list of steps cannot hold; always FALSE. */
gboolean capra_fail_branch (CapraStep *step, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraPipelineBuilder, capra_pipeline_builder_free)

G_END_DECLS
