/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-references: the names by which the second inputs of steps refer to earlier results in a text. */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* The name by which texts refer to the pipeline's input. */
#define CAPRA_INPUT_NAME "input"
/* The operation of the node that has this name; it passes its input through. */
#define CAPRA_INPUT_OPERATION "gegl:nop"

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

G_END_DECLS
