/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-text: converts steps to and from the arguments of the gegl program, and GEGL's XML.
 *
 * GEGL has both formats (gegl_create_chain(), gegl_node_to_xml()), but only for nodes: its parsers ignore unknown
 * names, do not keep disabled steps, and do not return errors for all invalid values. */
#pragma once

#include "ui/pipeline/steps/step.h"
#include "ui/pipeline/text/value-text.h"

G_BEGIN_DECLS

/**
 * capra_steps_to_command:
 * @steps: (element-type CapraStep): disabled ones are omitted
 *
 * Returns: (transfer full): arguments for `gegl … --`, quoted for a shell, such as "gegl:gaussian-blur std-dev-x=4";
 *   second inputs are in brackets: "aux=[ ref=input ]", "aux=[ gegl:load path=a.png ]"
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
 * In GEGL's order, the last step first. Disabled steps become processing instructions, which GEGL ignores and
 * capra_steps_from_xml() reads.
 */
char *capra_steps_to_xml (GPtrArray *steps);
GPtrArray *capra_steps_from_xml (const char *text, GError **error);

/**
 * capra_text_mark_raw_values:
 * @text: (transfer full): XML, or a command
 *
 * Marks the text of a pipeline that works on raw values (see capra_raw_values_load()): XML gets a processing
 * instruction, which GEGL ignores, and arguments get the options "--data --" of `capra run`. Steps with
 * capra_step_get_raw_values() are written with the mark, and steps read from a marked text have it.
 */
char *capra_text_mark_raw_values (char *text);
/* Whether the text has the mark. */
gboolean capra_text_has_raw_values (const char *text);

/* Makes relative paths of files in @steps absolute; @folder: of the file that the text was read from. */
void capra_steps_resolve_paths (GPtrArray *steps, const char *folder);

G_END_DECLS
