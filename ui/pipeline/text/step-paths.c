/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-paths: the paths of files in the properties and second inputs of steps. */
#include "ui/pipeline/text/step-paths.h"

#include <gegl-paramspecs.h>

static char *
join_path (const char *folder, const char *path)
{
  return !path || !*path || g_path_is_absolute (path) ? NULL : g_build_filename (folder, path, NULL);
}

void
capra_steps_resolve_paths (GPtrArray *steps, const char *folder)
{
  for (guint i = 0; i < steps->len; i++)
    {
      CapraStep *step = steps->pdata[i];
      CapraAuxSource *aux = capra_step_get_aux (step);
      g_autofree char *file = aux ? join_path (folder, capra_aux_source_get_path (aux)) : NULL;
      g_autoptr (CapraAuxSource) absolute = file ? capra_aux_source_new_file (file) : NULL;
      guint count;
      g_autofree GParamSpec **list = capra_operation_get_properties (capra_step_get_operation (step), &count);

      if (absolute)
        capra_step_set_aux (step, absolute);
      for (guint j = 0; j < count; j++)
        {
          g_auto (GValue) value = G_VALUE_INIT;
          g_autofree char *path = NULL;

          if (!GEGL_IS_PARAM_SPEC_FILE_PATH (list[j]))
            continue;
          capra_step_get (step, list[j], &value);
          path = join_path (folder, g_value_get_string (&value));
          if (path)
            {
              g_value_set_string (&value, path);
              capra_step_set (step, list[j], &value);
            }
        }
    }
}
