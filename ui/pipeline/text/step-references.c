/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Step-references: the names by which the second inputs of steps refer to earlier results in a text. */
#include "ui/pipeline/text/step-references.h"

/* The position of the last enabled step up to @id; -1: none, so the input; -2: @before does not follow a step @id. */
static int
find_result (GPtrArray *steps, guint id, CapraStep *before)
{
  int last = -1;

  for (guint i = 0; i < steps->len && steps->pdata[i] != before; i++)
    {
      if (capra_step_get_enabled (steps->pdata[i]))
        last = (int) i;
      if (capra_step_get_id (steps->pdata[i]) == id)
        return last;
    }
  return -2;
}

char *
capra_steps_get_reference (GPtrArray *steps, CapraStep *step)
{
  CapraAuxSource *aux = capra_step_get_aux (step);
  int result = -1;

  if (!aux || capra_aux_source_get_kind (aux) == CAPRA_AUX_FILE)
    return NULL;
  if (capra_aux_source_get_kind (aux) == CAPRA_AUX_STEP)
    result = find_result (steps, capra_aux_source_get_step (aux), step);
  if (result == -2)
    return NULL;
  return result < 0 ? g_strdup (CAPRA_INPUT_NAME) : g_strdup_printf ("step%d", result + 1);
}

/* Includes disabled steps, which keep their second input. */
static gboolean
is_referred_to (GPtrArray *steps, const char *name)
{
  for (guint i = 0; i < steps->len; i++)
    {
      g_autofree char *reference = capra_steps_get_reference (steps, steps->pdata[i]);

      if (g_strcmp0 (reference, name) == 0)
        return TRUE;
    }
  return FALSE;
}

char *
capra_steps_get_name (GPtrArray *steps, CapraStep *step)
{
  g_autofree char *name = NULL;
  guint position;

  if (!g_ptr_array_find (steps, step, &position))
    return NULL;
  name = g_strdup_printf ("step%u", position + 1);
  return is_referred_to (steps, name) ? g_steal_pointer (&name) : NULL;
}

gboolean
capra_steps_refer_to_input (GPtrArray *steps)
{
  return is_referred_to (steps, CAPRA_INPUT_NAME);
}
