/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device-limits: what is not used on a device because its driver fails, for people. */
#include "ui/panel/monitor/device-limits.h"

#include <glib/gi18n-lib.h>

static const char *
describe_action (const CapraQuirk *quirk)
{
  switch (quirk->action)
    {
    case CAPRA_QUIRK_AVOID_VARIANT: return _ ("Some operations compute in another way, which may be slower");
    case CAPRA_QUIRK_ADD_OPTIONS: return _ ("Some operations are compiled in another way, which may be slower");
    case CAPRA_QUIRK_REFUSE_KERNELS: return _ ("Some operations run on another device");
    case CAPRA_QUIRK_REFUSE_DEVICE: return _ ("The device is not used");
    case CAPRA_QUIRK_END_CHILDREN: return _ ("Copies that a program starts of itself end at once");
    case CAPRA_QUIRK_NONE: break;
    }
  return _ ("Nothing is avoided");
}

static void
append_quirk (GString *text, const CapraQuirk *quirk)
{
  g_autofree char *name = g_markup_escape_text (quirk->name, -1);
  g_autofree char *reason = g_markup_escape_text (quirk->reason ? quirk->reason : "", -1);
  g_autofree char *link = quirk->link ? g_markup_escape_text (quirk->link, -1) : NULL;

  g_string_append_printf (text, "%s%s", describe_action (quirk), *reason ? ": " : "");
  g_string_append (text, reason);
  if (link)
    g_string_append_printf (text, " (<a href=\"%s\">%s</a>)", link, _ ("report"));
  g_string_append_printf (text, ". [%s]\n", name);
}

char *
capra_device_limits_describe_quirks (CapraDevice *device)
{
  const GPtrArray *quirks = capra_quirks_list (device);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "capra", "quirks.ini", NULL);
  g_autofree char *path = g_markup_escape_text (folder, -1), *lift = NULL;

  if (quirks->len == 0)
    return NULL;
  for (guint i = 0; i < quirks->len; i++)
    append_quirk (text, quirks->pdata[i]);
  /* Translators: a file. "action=none" is not translated. */
  lift = g_strdup_printf (
    _ ("Results are right. If a newer driver needs no such care, lift it in %s: write the name in "
       "brackets, below it action=none, and start the program again."),
    path);
  g_string_append (text, lift);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
capra_device_limits_describe_set_aside (CapraDevice *device)
{
  g_autoptr (GPtrArray) list = capra_quarantine_list (device);
  g_autoptr (GString) text = g_string_new (NULL);

  if (list->len == 0)
    return NULL;
  for (guint i = 0; i < list->len; i++)
    {
      const CapraQuarantined *entry = list->pdata[i];
      g_autoptr (GDateTime) until = g_date_time_new_from_unix_local (entry->until);
      g_autofree char *date = until ? g_date_time_format (until, "%x %R") : NULL;
      g_autofree char *line = NULL;

      if (entry->family)
        /* Translators: a family of kernels, and one of the ways in which it computes, such as "taps.variant=group" */
        line = g_markup_printf_escaped (
          _ ("“%s” computes in another way than %s, whose results the check found wrong."), entry->family, entry->name);
      else
        /* Translators: a kernel, and a date */
        line = g_markup_printf_escaped (
          _ ("The kernel “%s” is not used until %s: two programs ended while they used it "
             "for the first time."),
          entry->name, date ? date : "");
      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
