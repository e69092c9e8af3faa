/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Saves the programs of a context in a cache. */
#include "runtime/launch/program-save.h"

#include "runtime/launch/program.h"

gboolean
capra_programs_save (CapraDevice *device, gboolean shared, guint *count, GError **error)
{
  CapraContext *context = capra_context_peek (device);
  const CapraProgramCache *cache = shared ? capra_program_cache_shared () : capra_program_cache_user ();

  *count = 0;
  return !context || capra_program_save_all (context, cache, count, error);
}
