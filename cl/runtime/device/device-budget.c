/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device budget: from the setting, the device's memory, and the system's where both are the same. */
#include "runtime/device/device-budget.h"

#include <glib/gi18n-lib.h>

#include "runtime/base/settings.h"

/* With less, most images would be computed in very many bands. */
#define MIN_BUDGET ((guint64) 64 << 20)

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
capra_device_budget_compute (const CapraDeviceInfo *info, const CapraSystemMemory *system, CapraBudgetSource *source)
{
  guint64 share = info->type == CAPRA_DEVICE_CPU ? info->memory / 2 : info->memory / 10 * 8, left = share;

  if (info->unified && system->total > 0)
    left = MIN (MIN (share, system->total / 2), MAX (system->available / 4 * 3, MIN_BUDGET));
  if (source)
    *source = left < share ? CAPRA_BUDGET_OF_SYSTEM : CAPRA_BUDGET_OF_DEVICE;
  return left;
}

static const CapraSystemMemory *
get_system (void)
{
  static CapraSystemMemory system;
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      system = capra_system_memory_read ("");
      g_once_init_leave (&ready, 1);
    }
  return &system;
}

guint64
capra_device_budget_get (const CapraDeviceInfo *info, CapraBudgetSource *source)
{
  g_autofree char *text = capra_settings_get ("memory-budget");
  guint64 budget = text ? parse_size (text, info->memory) : 0;

  if (budget == 0)
    return capra_device_budget_compute (info, get_system (), source);
  if (source)
    *source = CAPRA_BUDGET_OF_SETTING;
  return budget;
}
