/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-text: steps as the arguments of GEGL's command line and as GEGL's XML, and back. */
#pragma once

#include "ui/pipeline/steps/step.h"
#include "ui/pipeline/text/value-text.h"

G_BEGIN_DECLS

/**
 * capra_steps_to_command:
 * @steps: (element-type CapraStep): those that are switched off are left out
 *
 * Returns: (transfer full): such as "gegl:gaussian-blur std-dev-x=4", quoted for a shell, as `gegl`
 *   takes it after `--`; second inputs stand in brackets: "aux=[ ref=input ]", "aux=[ gegl:load path=a.png ]"
 */
char *capra_steps_to_command (GPtrArray *steps);

/**
 * capra_steps_from_command:
 *
 * Returns: (transfer full) (element-type CapraStep): the steps, or %NULL with @error set
 */
GPtrArray *capra_steps_from_command (const char *text, GError **error);

/**
 * capra_steps_to_xml:
 *
 * As GEGL writes it, the last step first. Steps that are switched off are kept in processing
 * instructions, which GEGL ignores and capra_steps_from_xml() reads.
 */
char *capra_steps_to_xml (GPtrArray *steps);
GPtrArray *capra_steps_from_xml (const char *text, GError **error);

/**
 * capra_text_mark_raw_values:
 * @text: (transfer full): XML, or a command
 *
 * Says in the text of a pipeline that it works on the numbers of files as they are (see capra_raw_values_load()): XML gets a
 * processing instruction, which GEGL ignores, a command "--data --" before it, as `capra run` takes it. Texts of steps
 * that say so (capra_step_get_raw_values()) are marked, and steps that are read from a marked text say so.
 */
char *capra_text_mark_raw_values (char *text);
/* Whether the text says so. Reading the steps passes over it. */
gboolean capra_text_has_raw_values (const char *text);

/* Files that @steps name relative to @folder, from where their text came, get their whole path. */
void capra_steps_resolve_paths (GPtrArray *steps, const char *folder);

G_END_DECLS
