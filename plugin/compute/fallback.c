/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fallback: the devices that an operation tries, one after the other. */
#include "plugin/compute/fallback.h"

#include "runtime/base/error.h"
#include "runtime/device/device-select.h"

GPtrArray *
capra_fallback_list_devices (const char *name, GError **error)
{
  CapraDevice *first = capra_device_select (name, error);
  const GPtrArray *all = first ? capra_device_list (error) : NULL;
  g_autoptr (GPtrArray) chosen = all ? capra_device_select_several (name, error) : NULL;
  g_autoptr (GPtrArray) list = g_ptr_array_new ();

  if (!chosen)
    return NULL;
  if (!capra_device_is_default (name))
    all = chosen;
  g_ptr_array_add (list, first);

  /* GPUs first, like the choice of the default device. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < all->len; i++)
      {
        CapraDevice *device = all->pdata[i];
        gboolean gpu = capra_device_get_info (device)->type == CAPRA_DEVICE_GPU;

        if (device != first && gpu == (pass == 0))
          g_ptr_array_add (list, device);
      }
  return g_steal_pointer (&list);
}

gboolean
capra_fallback_is_allowed (const GError *error)
{
  return error->domain == CAPRA_ERROR && capra_error_is_device_failure (error->code);
}
