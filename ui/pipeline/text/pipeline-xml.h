/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-xml: converts steps to and from GEGL's XML.
 *
 * GEGL's own functions, gegl_node_to_xml() and gegl_node_new_from_xml(), convert nodes. The parser ignores unknown
 * names and does not return errors for all invalid values, and disabled steps are lost. */
#pragma once

#include <gio/gio.h>

#include "ui/pipeline/steps/step.h"

G_BEGIN_DECLS

/**
 * capra_steps_to_xml:
 *
 * In GEGL's order, the last step first. Disabled steps become processing instructions, which GEGL ignores and
 * capra_steps_from_xml() reads.
 */
char *capra_steps_to_xml (GPtrArray *steps);
GPtrArray *capra_steps_from_xml (const char *text, GError **error);
/* Paths in the file are relative to its folder. */
GPtrArray *capra_steps_from_xml_file (GFile *file, GError **error);

G_END_DECLS
