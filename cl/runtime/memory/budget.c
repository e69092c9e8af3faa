/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Budget: bytes by kind. */
#include "runtime/memory/budget.h"

guint64
capra_budget_get_in_use (const CapraBudget *budget)
{
  return budget->memory.bytes[CAPRA_MEMORY_ARRAYS] + budget->memory.bytes[CAPRA_MEMORY_RESIDENT];
}

gboolean
capra_budget_has_room (const CapraBudget *budget, gsize bytes)
{
  guint64 taken = capra_budget_get_in_use (budget) + budget->memory.bytes[CAPRA_MEMORY_POOL] - budget->free_staging;

  return taken + bytes <= budget->memory.budget;
}

static void
add (CapraBudget *budget, gsize bytes, CapraMemoryKind kind)
{
  budget->memory.bytes[kind] += bytes;
  budget->memory.peak = MAX (budget->memory.peak, capra_budget_get_in_use (budget));
}

gboolean
capra_budget_reserve (CapraBudget *budget, gsize bytes, CapraMemoryKind kind)
{
  if (kind != CAPRA_MEMORY_STAGING && capra_budget_get_in_use (budget) + bytes > budget->memory.budget)
    return FALSE;
  add (budget, bytes, kind);
  budget->memory.allocations++;
  return TRUE;
}

void
capra_budget_release (CapraBudget *budget, gsize bytes, CapraMemoryKind kind)
{
  budget->memory.bytes[kind] -= bytes;
}

void
capra_budget_grow (CapraBudget *budget, gsize bytes)
{
  budget->memory.bytes[CAPRA_MEMORY_POOL] += bytes;
}

void
capra_budget_move (CapraBudget *budget, gsize bytes, CapraMemoryKind from, CapraMemoryKind to)
{
  if (from == CAPRA_MEMORY_STAGING && to == CAPRA_MEMORY_POOL)
    budget->free_staging += bytes;
  if (from == CAPRA_MEMORY_POOL && to == CAPRA_MEMORY_STAGING)
    budget->free_staging -= bytes;
  budget->memory.bytes[from] -= bytes;
  add (budget, bytes, to); /* after the subtraction, since the peak is that of the sum */
}
