/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Harmless: whether steps from an unknown origin only process pixels. */
#include "ui/pipeline/steps/harmless.h"

#include <glib/gi18n-lib.h>
#include <gegl.h>

#include "ui/pipeline/error.h"
#include "ui/pipeline/steps/step.h"

static gboolean
is_harmless (const char *operation)
{
  g_autoptr (GeglNode) node = gegl_node_new ();

  gegl_node_set (node, "operation", operation, NULL);
  return gegl_node_has_pad (node, "output") && !g_str_equal (operation, "gegl:gegl");
}

gboolean
capra_steps_check_harmless (GPtrArray *steps, GError **error)
{
  for (guint i = 0; i < steps->len; i++)
    {
      const char *operation = capra_step_get_operation (steps->pdata[i]);

      if (is_harmless (operation))
        continue;
      g_set_error (error, CAPRA_PIPELINE_ERROR, CAPRA_PIPELINE_ERROR_FAILED,
                   _ ("Scripts cannot use \"%s\", which writes files or runs other operations"), operation);
      return FALSE;
    }
  return TRUE;
}
