/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Memory: what programs see of the pools. */
#include "runtime/memory/memory.h"

#include "runtime/device/device-budget.h"
#include "runtime/memory/budget.h"
#include "runtime/memory/pool.h"

void
capra_memory_query (CapraDevice *device, CapraMemory *memory)
{
  CapraContext *context = capra_context_peek (device);

  *memory = (CapraMemory){ 0 };
  if (context)
    capra_pool_query (context, memory);
  else
    memory->budget = capra_device_budget_get (capra_device_get_info (device), NULL);
}

void
capra_memory_set_budget (CapraDevice *device, guint64 bytes)
{
  /* A device that is not in use yet gets the default when it is. */
  CapraContext *context = bytes ? capra_context_get (device, NULL) : capra_context_peek (device);

  if (context)
    capra_pool_set_budget (context, bytes);
}

guint64
capra_memory_trim (CapraDevice *device)
{
  CapraContext *context = capra_context_peek (device);
  guint64 staging = 0, bytes = context ? capra_pool_trim (context, &staging) : 0;

  return bytes + staging;
}

guint64
capra_memory_free_unused (CapraDevice *device)
{
  CapraContext *context = capra_context_peek (device);
  guint64 freed = 0;

  if (!context)
    return 0;
  while (capra_pool_evict (context))
    ;
  freed = capra_pool_trim (context, NULL);
  capra_pool_count_freed (context, freed);
  return freed;
}

void
capra_memory_set_release_function (CapraReleaseFunc func)
{
  capra_pool_set_release_function (func);
}
