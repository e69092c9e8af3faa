/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-mark: marks the text of a pipeline that works on raw values (see capra_raw_values_load()). */
#pragma once

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/* Marks arguments of a pipeline that works on raw values. */
#define CAPRA_RAW_OPTION "--data"

/**
 * capra_text_mark_raw_values:
 * @text: (transfer full): XML, or a command
 *
 * XML gets a processing instruction, which GEGL ignores, and arguments get the options "--data --" of `capra run`.
 * Steps with capra_step_get_raw_values() are written with the mark, and steps read from a marked text have it.
 */
char *capra_text_mark_raw_values (char *text);
/* Whether the text has the mark. */
gboolean capra_text_has_raw_values (const char *text);

/* Whether the steps work on raw values. */
gboolean capra_steps_have_raw_values (GPtrArray *steps);
/* @steps: (nullable): returned unchanged, except for the mark */
GPtrArray *capra_steps_set_raw_values (GPtrArray *steps, gboolean raw);

G_END_DECLS
