/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Selects a device by a name that a user gives. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/device/device-select.h"
#include "runtime/base/error.h"
#include "runtime/device/quirks-use.h"
#include "runtime/base/settings.h"

/* In MHz: for devices whose driver reports no clock, as Intel's for some processors. */
#define USUAL_CLOCK 1000

/* Whether @name selects the default. */
static gboolean
is_nothing (const char *name)
{
  return !name || !*name;
}

static gboolean
is_all (const char *name)
{
  return name && g_ascii_strcasecmp (name, "all") == 0;
}

/* Whether @name selects the best device. "all" does so where one device is needed. */
static gboolean
is_auto (const char *name)
{
  return is_nothing (name) || g_ascii_strcasecmp (name, "auto") == 0 || is_all (name);
}

/* Whether @name is a list of names. */
static gboolean
is_list (const char *name)
{
  return name && strchr (name, ',');
}

/* @name, or the user's default if it is empty. */
static char *
dup_choice (const char *name)
{
  char *choice = is_nothing (name) ? capra_settings_get ("device") : g_strdup (name);

  return choice ? g_strstrip (choice) : NULL;
}

/* The origin of a default, and how to remove it; "" if @name is not empty. */
static char *
describe_source (const char *name)
{
  g_autofree char *where = NULL;

  if (!is_nothing (name))
    return g_strdup ("");
  switch (capra_settings_get_source ("device", &where))
    {
    case CAPRA_SETTINGS_VARIABLE: return g_strdup_printf (_ (" (set by %s; unset it to use the best device)"), where);
    case CAPRA_SETTINGS_FILE:
      return g_strdup_printf (_ (" (the default in %s; remove it to use the best device)"), where);
    default: return g_strdup (_ (" (selected in this program)"));
    }
}

static gboolean
is_refused (CapraDevice *device)
{
  return !capra_quirks_check_device (device, NULL);
}

guint64
capra_device_estimate_rate (CapraDevice *device)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);

  return (guint64) info->compute_units * (info->clock ? info->clock : USUAL_CLOCK);
}

int
capra_device_compare (CapraDevice *a, CapraDevice *b)
{
  static const int ranks[] = { [CAPRA_DEVICE_CPU] = 0, [CAPRA_DEVICE_ACCELERATOR] = 1, [CAPRA_DEVICE_GPU] = 2 };
  const CapraDeviceInfo *one = capra_device_get_info (a), *other = capra_device_get_info (b);
  guint64 rate = capra_device_estimate_rate (a), other_rate = capra_device_estimate_rate (b);

  if (is_refused (a) != is_refused (b))
    return is_refused (a) - is_refused (b);
  if (one->type != other->type)
    return ranks[other->type] - ranks[one->type];
  return rate == other_rate ? 0 : rate > other_rate ? -1 : 1;
}

static CapraDevice *
device_best (const GPtrArray *devices)
{
  CapraDevice *best = devices->pdata[0];

  for (guint i = 1; i < devices->len; i++)
    if (capra_device_compare (devices->pdata[i], best) < 0)
      best = devices->pdata[i];
  return best;
}

static gboolean
equal_devices (CapraDevice *one, CapraDevice *two)
{
  const CapraDeviceInfo *a = capra_device_get_info (one);
  const CapraDeviceInfo *b = capra_device_get_info (two);

  return a->platform == b->platform && g_str_equal (a->name, b->name) && g_str_equal (a->driver, b->driver);
}

/* "0: NVIDIA CUDA, NVIDIA H200 (uuid:…); 1: …" */
static char *
devices_to_text (const GPtrArray *devices)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < devices->len; i++)
    {
      const CapraDeviceInfo *info = capra_device_get_info (devices->pdata[i]);

      g_string_append_printf (text, "%s%u: %s, %s (%s)", i ? "; " : "", i, info->platform_name, info->name, info->id);
    }
  return g_string_free (text, FALSE);
}

/* Whether @name is the exact index, platform:device or id of a device. */
static gboolean
device_has_address (const CapraDeviceInfo *info, const char *name)
{
  g_autofree char *index = g_strdup_printf ("%u", info->index);
  g_autofree char *address = g_strdup_printf ("%u:%u", info->platform, info->number);

  return g_str_equal (name, index) || g_str_equal (name, address) || g_ascii_strcasecmp (name, info->id) == 0;
}

static gboolean
is_address (const char *name)
{
  return strspn (name, "0123456789:") == strlen (name);
}

/* Whether a name that was folded to one case selects a device. */
typedef gboolean (*MatchFunc) (const CapraDeviceInfo *info, const char *folded);

static gboolean
has_part (const char *text, const char *folded)
{
  g_autofree char *full = g_utf8_casefold (text, -1);

  return strstr (full, folded) != NULL;
}

static gboolean
match_name (const CapraDeviceInfo *info, const char *folded)
{
  g_autofree char *full = g_utf8_casefold (info->name, -1);

  return g_str_equal (full, folded);
}

static gboolean
match_part (const CapraDeviceInfo *info, const char *folded)
{
  return has_part (info->name, folded);
}

static gboolean
match_origin (const CapraDeviceInfo *info, const char *folded)
{
  return has_part (info->platform_name, folded) || has_part (info->vendor, folded);
}

/* Sets @found to the first device that @match selects. Returns FALSE if it selects different devices. */
static gboolean
find_only (const GPtrArray *devices, MatchFunc match, const char *folded, CapraDevice **found)
{
  *found = NULL;
  for (guint i = 0; i < devices->len; i++)
    {
      CapraDevice *device = devices->pdata[i];

      if (!match (capra_device_get_info (device), folded))
        continue;
      if (*found && !equal_devices (*found, device))
        return FALSE;
      if (!*found)
        *found = device;
    }
  return TRUE;
}

/* @source: follows the name in messages. */
static CapraDevice *
device_by_name (const GPtrArray *devices, const char *name, const char *source, GError **error)
{
  static const MatchFunc matches[] = { match_name, match_part, match_origin };
  CapraDevice *found = NULL;
  g_autofree char *choices = NULL, *folded = g_utf8_casefold (name, -1);

  for (guint i = 0; i < devices->len; i++)
    if (device_has_address (capra_device_get_info (devices->pdata[i]), name))
      return devices->pdata[i];

  for (guint i = 0; i < G_N_ELEMENTS (matches) && !found && !is_address (name); i++)
    if (!find_only (devices, matches[i], folded, &found))
      {
        choices = devices_to_text (devices);
        g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_AMBIGUOUS_DEVICE,
                     _ ("the device name \"%s\"%s matches several devices; select one by index or id: %s"), name,
                     source, choices);
        return NULL;
      }

  if (!found)
    {
      choices = devices_to_text (devices);
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE, _ ("unknown device \"%s\"%s; the devices are: %s"), name,
                   source, choices);
    }
  return found;
}

/* The devices of a list, each once. */
static GPtrArray *
devices_by_list (const GPtrArray *devices, const char *list, const char *source, GError **error)
{
  g_auto (GStrv) names = g_strsplit (list, ",", -1);
  g_autofree char *origin = g_strdup_printf (_ (" in the list \"%s\"%s"), list, source);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (guint i = 0; names[i]; i++)
    {
      CapraDevice *device = device_by_name (devices, g_strstrip (names[i]), origin, error);

      if (!device)
        return NULL;
      if (!g_ptr_array_find (found, device, NULL))
        g_ptr_array_add (found, device);
    }
  return g_steal_pointer (&found);
}

/* The devices that @name, one name or a list, selects. */
static GPtrArray *
devices_by_names (const GPtrArray *devices, const char *name, const char *source, GError **error)
{
  CapraDevice *device = NULL;
  GPtrArray *found = NULL;

  if (is_list (name))
    return devices_by_list (devices, name, source, error);
  device = device_by_name (devices, name, source, error);
  if (!device)
    return NULL;
  found = g_ptr_array_new ();
  g_ptr_array_add (found, device);
  return found;
}

/* Warns once for each missing name. */
static void
warn_missing (const char *name, const char *where, CapraDevice *instead)
{
  static GMutex lock;
  static char *warned;
  gboolean first = FALSE;

  g_mutex_lock (&lock);
  first = g_strcmp0 (warned, name) != 0;
  if (first)
    {
      g_free (warned);
      warned = g_strdup (name);
    }
  g_mutex_unlock (&lock);
  if (first)
    g_warning (
      _ ("the default device \"%s\" (%s) does not exist; using \"%s\". Change or remove that line, or choose another "
         "default in the panel"),
      name, where, capra_device_get_info (instead)->name);
}

CapraDevice *
capra_device_select (const char *name, GError **error)
{
  g_autofree char *chosen = dup_choice (name), *missing = NULL, *where = NULL, *source = NULL;
  const GPtrArray *devices = capra_device_list (error);
  g_autoptr (GPtrArray) found = NULL;

  if (!devices)
    return NULL;
  if (is_auto (chosen))
    return device_best (devices);
  if (is_nothing (name) && (missing = capra_device_dup_missing_default (&where)))
    {
      warn_missing (missing, where, device_best (devices));
      return device_best (devices);
    }
  source = describe_source (name);
  found = devices_by_names (devices, chosen, source, error);
  return found ? device_best (found) : NULL;
}

/* All devices that are not refused; the best one if all are, for its error. */
static GPtrArray *
devices_in_use (const GPtrArray *devices)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < devices->len; i++)
    if (!is_refused (devices->pdata[i]))
      g_ptr_array_add (found, devices->pdata[i]);
  if (found->len == 0)
    g_ptr_array_add (found, device_best (devices));
  return found;
}

GPtrArray *
capra_device_select_several (const char *name, GError **error)
{
  g_autofree char *chosen = dup_choice (name), *source = NULL;
  const GPtrArray *devices = capra_device_list (error);
  CapraDevice *device = NULL;
  GPtrArray *found = NULL;

  if (!devices)
    return NULL;
  if (is_all (chosen))
    return devices_in_use (devices);
  if (is_list (chosen))
    {
      source = describe_source (name);
      return devices_by_list (devices, chosen, source, error);
    }
  device = capra_device_select (name, error);
  if (!device)
    return NULL;
  found = g_ptr_array_new ();
  g_ptr_array_add (found, device);
  return found;
}

char *
capra_device_dup_missing_default (char **where)
{
  g_autofree char *chosen = dup_choice (NULL), *source = NULL;
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GError) error = NULL;
  const GPtrArray *devices = NULL;

  if (where)
    *where = NULL;
  if (is_auto (chosen) || capra_settings_get_source ("device", NULL) != CAPRA_SETTINGS_FILE)
    return NULL;
  devices = capra_device_list (NULL);
  found = devices ? devices_by_names (devices, chosen, "", &error) : NULL;
  if (!devices || found || !g_error_matches (error, CAPRA_ERROR, CAPRA_ERROR_NO_DEVICE))
    return NULL;
  capra_settings_get_source ("device", &source);
  if (where)
    *where = g_steal_pointer (&source);
  return g_steal_pointer (&chosen);
}

CapraDevice *
capra_device_get_best (GError **error)
{
  const GPtrArray *devices = capra_device_list (error);

  return devices ? device_best (devices) : NULL;
}

gboolean
capra_device_is_default (const char *name)
{
  g_autofree char *chosen = dup_choice (name), *missing = NULL;

  if (is_nothing (name) && (missing = capra_device_dup_missing_default (NULL)))
    return TRUE;
  return is_auto (chosen) && !is_all (chosen);
}

gboolean
capra_device_is_auto (const char *name)
{
  g_autofree char *chosen = dup_choice (name);

  return chosen && g_ascii_strcasecmp (chosen, "auto") == 0;
}

gboolean
capra_device_is_several (const char *name)
{
  g_autofree char *chosen = dup_choice (name);

  return is_all (chosen) || is_list (chosen);
}
