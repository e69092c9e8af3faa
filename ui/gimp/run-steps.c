/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run-steps: the procedures for scripts, independent of GIMP's version. */
#include "ui/gimp/run-steps.h"

#include <glib/gi18n-lib.h>

#include "ui/gimp/apply.h"
#include "ui/gimp/host.h"
#include "ui/pipeline/regular-file.h"
#include "ui/pipeline/steps/harmless.h"
#include "ui/pipeline/text/pipeline-xml.h"
#include "ui/pipeline/text/step-paths.h"

static gboolean
is_any_enabled (GPtrArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    if (capra_step_get_enabled (steps->pdata[i]))
      return TRUE;
  return FALSE;
}

static gboolean
apply (int drawable, GPtrArray *steps, gboolean effects, GError **error)
{
  if (is_any_enabled (steps))
    return effects ? capra_host_add_effects (drawable, steps, error) : capra_apply (drawable, steps, error);
  g_set_error (error, CAPRA_HOST_ERROR, CAPRA_HOST_ERROR_REFUSED, _ ("No steps to apply"));
  return FALSE;
}

/* "" means no steps. */
static GPtrArray *
read_steps (const char *xml, GError **error)
{
  return *xml ? capra_steps_from_xml (xml, error) : g_ptr_array_new ();
}

gboolean
capra_run_steps (int drawable, const char *xml, gboolean effects, gboolean trusted, GError **error)
{
  g_autoptr (GPtrArray) steps = read_steps (xml, error);

  return steps && (trusted || capra_steps_check_harmless (steps, error)) && apply (drawable, steps, effects, error);
}

gboolean
capra_run_steps_of_file (int drawable, const char *path, gboolean effects, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *xml = NULL;
  g_autoptr (GPtrArray) steps = NULL;

  xml = capra_read_file (path, CAPRA_MAX_GRAPH_BYTES, NULL, error);
  steps = xml ? read_steps (xml, error) : NULL;
  if (!steps)
    return FALSE;
  capra_steps_resolve_paths (steps, folder);
  return capra_steps_check_harmless (steps, error) && apply (drawable, steps, effects, error);
}
