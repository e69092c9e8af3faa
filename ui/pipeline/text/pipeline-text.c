/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipeline-text: steps from text that a user has copied. */
#include "ui/pipeline/text/pipeline-text.h"

#include <string.h>

#include "ui/pipeline/text/pipeline-command.h"
#include "ui/pipeline/text/pipeline-xml.h"

GPtrArray *
capra_steps_from_text (const char *text, GError **error)
{
  gboolean xml = strchr (text, '<') && strstr (text, "gegl>");

  return xml ? capra_steps_from_xml (text, error) : capra_steps_from_command (text, error);
}
