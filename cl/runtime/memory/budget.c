/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Budget: bytes by kind, and the limit that the settings give. */
#include "runtime/memory/budget.h"

#include <glib/gi18n-lib.h>

#include "runtime/device/settings.h"

static guint64
parse_size (const char *text, guint64 total)
{
  char *end = NULL;
  double value = g_ascii_strtod (text, &end);
  double unit = 1048576.0;

  if (end == text || !(value > 0))
    {
      g_warning (_ ("invalid memory budget \"%s\": use a size in MiB, or a number with the suffix K, M, G or %%"),
                 text);
      return 0;
    }
  switch (g_ascii_toupper (*end))
    {
    case 'K': unit = 1024.0; break;
    case 'G': unit = 1073741824.0; break;
    case '%': unit = total / 100.0; break;
    default: break;
    }
  return (guint64) (value * unit);
}

guint64
capra_budget_get_default (const CapraDeviceInfo *info)
{
  g_autofree char *text = capra_settings_get ("memory-budget");
  guint64 budget = text ? parse_size (text, info->memory) : 0;

  if (budget == 0)
    budget = info->type == CAPRA_DEVICE_CPU ? info->memory / 2 : info->memory / 10 * 8;
  return budget;
}

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
capra_budget_move (CapraBudget *budget, gsize bytes, CapraMemoryKind from, CapraMemoryKind to)
{
  if (from == CAPRA_MEMORY_STAGING && to == CAPRA_MEMORY_POOL)
    budget->free_staging += bytes;
  if (from == CAPRA_MEMORY_POOL && to == CAPRA_MEMORY_STAGING)
    budget->free_staging -= bytes;
  budget->memory.bytes[from] -= bytes;
  add (budget, bytes, to); /* after the subtraction, since the peak is that of the sum */
}
