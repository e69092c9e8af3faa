/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Array: what those who keep arrays for others, such as the GEGL module, need of them. */
#include "array-private.h"

CapraArray *
capra_array_new_unset (CapraDevice *device, const CapraShape *shape, GError **error)
{
  CapraContext *context = capra_context_get (device, error);

  return context ? capra_array_new_uninitialized (context, shape, error) : NULL;
}

gboolean
capra_array_wait (CapraArray *array, GError **error)
{
  gboolean done = TRUE;

  g_mutex_lock (&array->lock);
  if (array->block)
    done = capra_block_finish (array->block, error);
  g_mutex_unlock (&array->lock);
  return done;
}
