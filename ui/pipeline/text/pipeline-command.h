/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-command: converts steps to and from the arguments of the gegl program.
 *
 * GEGL's own parser, gegl_create_chain(), creates nodes. It ignores unknown names and does not return errors for all
 * invalid values. */
#pragma once

#include "ui/pipeline/text/pipeline-builder.h"

G_BEGIN_DECLS

/**
 * capra_steps_to_command:
 * @steps: (element-type CapraStep): disabled ones are omitted
 *
 * Returns: (transfer full): arguments for `gegl … --`, quoted for a shell, such as "gegl:gaussian-blur std-dev-x=4";
 *   second inputs are in brackets: "aux=[ ref=input ]", "aux=[ gegl:load path=a.png ]"
 */
char *capra_steps_to_command (GPtrArray *steps);

/* As capra_steps_to_command(), without the mark of raw values. */
char *capra_steps_to_chain (GPtrArray *steps);

/**
 * capra_steps_from_command:
 * @text: what capra_steps_to_command() or capra_steps_to_shell_command() returns, or similar
 *
 * Returns: (transfer full) (element-type CapraStep): the steps, or %NULL with @error set
 */
GPtrArray *capra_steps_from_command (const char *text, GError **error);

/**
 * capra_step_to_command:
 * @steps: the list that contains @step
 * @name: (nullable): by which later steps refer to @step
 */
char *capra_step_to_command (CapraStep *step, GPtrArray *steps, const char *name);

/* Parses arguments and appends their steps. */
gboolean capra_pipeline_builder_add_command (CapraPipelineBuilder *builder, const char *text, GError **error);

G_END_DECLS
