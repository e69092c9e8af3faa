/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra devices: the quirks that hold for a device, and what is set aside on it. */
#include "ui/cli/device-limits.h"

#include <stdio.h>

#include "ui/cli/json.h"

void
device_limits_print (CapraDevice *device)
{
  const GPtrArray *quirks = capra_quirks_list (device);
  g_autoptr (GPtrArray) quarantine = capra_quarantine_list (device);

  for (guint i = 0; i < quirks->len; i++)
    {
      g_autofree char *text = capra_quirk_describe (quirks->pdata[i]);

      printf ("  quirk             %s: %s\n", ((const CapraQuirk *) quirks->pdata[i])->name, text);
    }
  for (guint i = 0; i < quarantine->len; i++)
    {
      g_autofree char *text = capra_quarantined_describe (quarantine->pdata[i]);

      printf ("  set aside         %s\n", text);
    }
}

static void
add_quirk (JsonBuilder *json, const CapraQuirk *quirk)
{
  static const char *const actions[] = {
    [CAPRA_QUIRK_NONE] = "none",
    [CAPRA_QUIRK_AVOID_VARIANT] = "avoid-variant",
    [CAPRA_QUIRK_ADD_OPTIONS] = "add-options",
    [CAPRA_QUIRK_REFUSE_KERNELS] = "refuse-kernels",
    [CAPRA_QUIRK_REFUSE_DEVICE] = "refuse-device",
    [CAPRA_QUIRK_END_CHILDREN] = "end-children",
  };
  g_autofree char *kernels = quirk->kernels ? g_strjoinv (";", quirk->kernels) : NULL;
  const char *const members[][2] = {
    { "name", quirk->name },       { "action", actions[quirk->action] },
    { "variant", quirk->variant }, { "kernels", kernels },
    { "options", quirk->options }, { "reason", quirk->reason },
    { "link", quirk->link },       { "file", quirk->file },
  };

  json_builder_begin_object (json);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (members[i][1])
      json_add_string (json, members[i][0], members[i][1]);
  json_builder_end_object (json);
}

static void
add_quarantined (JsonBuilder *json, const CapraQuarantined *quarantined)
{
  json_builder_begin_object (json);
  json_add_string (json, quarantined->family ? "variant" : "kernel", quarantined->name);
  if (quarantined->family)
    json_add_string (json, "family", quarantined->family);
  else
    json_add_integer (json, "until", (guint64) quarantined->until);
  json_builder_end_object (json);
}

void
device_limits_add_json (JsonBuilder *json, CapraDevice *device)
{
  const GPtrArray *quirks = capra_quirks_list (device);
  g_autoptr (GPtrArray) quarantine = capra_quarantine_list (device);

  json_begin_array (json, "quirks");
  for (guint i = 0; i < quirks->len; i++)
    add_quirk (json, quirks->pdata[i]);
  json_builder_end_array (json);
  json_begin_array (json, "set_aside");
  for (guint i = 0; i < quarantine->len; i++)
    add_quarantined (json, quarantine->pdata[i]);
  json_builder_end_array (json);
}

gboolean
device_limits_lift (const GPtrArray *devices, GError **error)
{
  for (guint i = 0; i < devices->len; i++)
    if (!capra_quarantine_lift (devices->pdata[i], error))
      return FALSE;
  return TRUE;
}
