/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-source: whether steps make their image themselves. */
#include "ui/pipeline/steps/step-source.h"

#include "ui/pipeline/steps/step.h"

static gboolean
has_input (const char *operation)
{
  g_autoptr (GeglNode) root = gegl_node_new ();

  return gegl_node_has_pad (gegl_node_new_child (root, "operation", operation, NULL), "input");
}

gboolean
capra_steps_have_source (GPtrArray *steps)
{
  gboolean first = TRUE, source = FALSE;

  for (guint i = 0; i < steps->len; i++)
    {
      CapraAuxSource *aux = capra_step_get_aux (steps->pdata[i]);

      if (!capra_step_get_enabled (steps->pdata[i]))
        continue;
      if (first)
        source = !has_input (capra_step_get_operation (steps->pdata[i]));
      first = FALSE;
      if (aux && capra_aux_source_get_kind (aux) == CAPRA_AUX_INPUT)
        return FALSE;
    }
  return source;
}
