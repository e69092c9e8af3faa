/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Result stack without HDF5: nothing can be written. */
#include "ui/batch/result-stack.h"

gboolean
capra_result_stack_is_supported (void)
{
  return FALSE;
}

CapraResultStack *
capra_result_stack_new (const char *path, guint64 first, guint64 count, guint64 batch, gboolean resume, GError **error)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS, "cannot write %s: this build of Capra has no support for HDF5",
               path);
  return NULL;
}

void
capra_result_stack_free (CapraResultStack *stack)
{
}

gboolean
capra_result_stack_has (CapraResultStack *stack, guint64 frame)
{
  return FALSE;
}

void
capra_result_stack_restart (CapraResultStack *stack)
{
}

gboolean
capra_result_stack_forget (CapraResultStack *stack, guint64 frame, GError **error)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_result_stack_write (CapraResultStack *stack, guint64 frame, const CapraResultShape *shape, gconstpointer values,
                          GError **error)
{
  g_return_val_if_reached (FALSE);
}

gboolean
capra_result_stack_finish (CapraResultStack *stack, GError **error)
{
  g_return_val_if_reached (FALSE);
}
