/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quirks: the entries that hold for each device, read once per process. */
#include "runtime/device/quirks.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/error.h"
#include "runtime/base/file.h"
#include "runtime/base/fork.h"
#include "runtime/device/quirks-private.h"
#include "runtime/device/quirks-use.h"
#include "runtime/base/resource.h"

static GMutex lock;
static GPtrArray *quirks;   /* all entries; under the lock until they are set, then constant */
static GHashTable *devices; /* CapraDevice -> GPtrArray of CapraQuirk, constant; under the lock */

/* Replaces the entry of that name, or adds it. Takes @quirk. */
static void
merge (GPtrArray *all, CapraQuirk *quirk)
{
  for (guint i = 0; i < all->len; i++)
    if (g_str_equal (((const CapraQuirk *) all->pdata[i])->name, quirk->name))
      {
        capra_quirk_free (all->pdata[i]);
        all->pdata[i] = quirk;
        return;
      }
  g_ptr_array_add (all, quirk);
}

static GPtrArray *
read_all (GPtrArray *complaints)
{
  g_autofree char *path = g_build_filename (g_get_user_config_dir (), "capra", "quirks.ini", NULL), *text = NULL;
  g_autoptr (GBytes) shipped = capra_resource_lookup ("/capra/quirks.ini", NULL);
  g_autoptr (GPtrArray) own = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *all = NULL;
  gsize length = 0;

  all = capra_quirks_parse (shipped ? g_bytes_get_data (shipped, NULL) : "", "quirks.ini", NULL, complaints);
  text = capra_file_read_settings (path, &length, &error);
  if (!text)
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_ptr_array_add (complaints, g_strdup_printf (_ ("the quirks in %s are ignored: %s"), path, error->message));
      return all;
    }
  own = capra_quirks_parse (text, path, path, complaints);
  g_ptr_array_set_free_func (own, NULL);
  for (guint i = 0; i < own->len; i++)
    merge (all, own->pdata[i]);
  return all;
}

/* Compares versions number by number: 3.1+debian is 3.1, before 3.10. */
static int
compare_versions (const char *a, const char *b)
{
  while (g_ascii_isdigit (*a) || g_ascii_isdigit (*b))
    {
      guint64 one = g_ascii_isdigit (*a) ? g_ascii_strtoull (a, (char **) &a, 10) : 0;
      guint64 other = g_ascii_isdigit (*b) ? g_ascii_strtoull (b, (char **) &b, 10) : 0;

      if (one != other)
        return one < other ? -1 : 1;
      a += *a == '.';
      b += *b == '.';
    }
  return 0;
}

static gboolean
match_name (const char *pattern, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1), *folded = g_utf8_casefold (valid, -1);
  g_autofree char *folded_pattern = pattern ? g_utf8_casefold (pattern, -1) : NULL;

  return !pattern || g_pattern_match_simple (folded_pattern, folded);
}

static gboolean
match_driver (const CapraQuirk *quirk, const char *driver)
{
  const char *version = driver + strcspn (driver, "0123456789");

  if (!quirk->driver_from && !quirk->driver_before)
    return TRUE;
  return *version && (!quirk->driver_from || compare_versions (version, quirk->driver_from) >= 0)
         && (!quirk->driver_before || compare_versions (version, quirk->driver_before) < 0);
}

static gboolean
match (const CapraQuirk *quirk, const CapraDeviceInfo *info)
{
  return quirk->action != CAPRA_QUIRK_NONE && match_name (quirk->platform, info->platform_name)
         && match_name (quirk->vendor, info->vendor) && match_name (quirk->device, info->name)
         && match_driver (quirk, info->driver);
}

/* The lock is held. */
static const GPtrArray *
find (CapraDevice *device, GPtrArray *complaints)
{
  GPtrArray *found = devices ? g_hash_table_lookup (devices, device) : NULL;

  if (found)
    return found;
  if (!quirks)
    quirks = read_all (complaints);
  if (!devices)
    devices = g_hash_table_new (NULL, NULL);
  found = g_ptr_array_new ();
  for (guint i = 0; i < quirks->len; i++)
    if (match (quirks->pdata[i], capra_device_get_info (device)))
      g_ptr_array_add (found, quirks->pdata[i]);
  g_hash_table_insert (devices, device, found);
  return found;
}

const GPtrArray *
capra_quirks_list (CapraDevice *device)
{
  g_autoptr (GPtrArray) complaints = g_ptr_array_new_with_free_func (g_free);
  const GPtrArray *found = NULL;

  capra_fork_lock (&lock);
  found = find (device, complaints);
  g_mutex_unlock (&lock);
  for (guint i = 0; i < complaints->len; i++)
    g_warning ("%s", (const char *) complaints->pdata[i]); /* without the lock: a log handler may use devices */
  return found;
}

char *
capra_quirk_describe (const CapraQuirk *quirk)
{
  GString *text = g_string_new (NULL);
  g_autofree char *kernels = quirk->kernels ? g_strjoinv (", ", quirk->kernels) : NULL;

  switch (quirk->action)
    {
    case CAPRA_QUIRK_AVOID_VARIANT:
      g_string_append_printf (text, _ ("the variant %s is not chosen"), quirk->variant);
      break;
    case CAPRA_QUIRK_ADD_OPTIONS:
      g_string_append_printf (text, _ ("the kernels %s are built with %s"), kernels, quirk->options);
      break;
    case CAPRA_QUIRK_REFUSE_KERNELS: g_string_append_printf (text, _ ("the kernels %s are not used"), kernels); break;
    case CAPRA_QUIRK_REFUSE_DEVICE: g_string_append (text, _ ("the device is not used")); break;
    case CAPRA_QUIRK_END_CHILDREN:
      g_string_append (text, _ ("forked processes end without the functions that run at exit"));
      break;
    case CAPRA_QUIRK_NONE: g_string_append (text, _ ("nothing is avoided")); break;
    }
  if (quirk->reason)
    g_string_append_printf (text, ": %s", quirk->reason);
  if (quirk->link)
    g_string_append_printf (text, " (%s)", quirk->link);
  return g_string_free (text, FALSE);
}

gboolean
capra_quirks_avoid (CapraDevice *device, const char *key, const char *value)
{
  const GPtrArray *list = capra_quirks_list (device);
  gsize length = strlen (key);

  for (guint i = 0; i < list->len; i++)
    {
      const CapraQuirk *quirk = list->pdata[i];

      if (quirk->action == CAPRA_QUIRK_AVOID_VARIANT && g_str_has_prefix (quirk->variant, key)
          && quirk->variant[length] == '=' && g_str_equal (quirk->variant + length + 1, value))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_kernels (const CapraQuirk *quirk, const char *name)
{
  for (char **pattern = quirk->kernels; *pattern; pattern++)
    if (g_pattern_match_simple (*pattern, name))
      return TRUE;
  return FALSE;
}

char *
capra_quirks_dup_options (CapraDevice *device, const char *name)
{
  const GPtrArray *list = capra_quirks_list (device);
  char *options = NULL;

  for (guint i = 0; i < list->len; i++)
    {
      const CapraQuirk *quirk = list->pdata[i];

      if (quirk->action == CAPRA_QUIRK_ADD_OPTIONS && has_kernels (quirk, name))
        {
          g_autofree char *before = options;

          options = before ? g_strjoin (" ", before, quirk->options, NULL) : g_strdup (quirk->options);
        }
    }
  return options;
}

/* FALSE with @error set. */
static gboolean
refuse (CapraDevice *device, const CapraQuirk *quirk, GError **error)
{
  g_autofree char *text = capra_quirk_describe (quirk);

  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_DEVICE,
               _ ("device %s: %s; update the driver, or if it works, replace the entry \"%s\" in quirks.ini"),
               capra_device_get_info (device)->name, text, quirk->name);
  return FALSE;
}

gboolean
capra_quirks_check_kernels (CapraDevice *device, const char *name, GError **error)
{
  const GPtrArray *list = capra_quirks_list (device);

  for (guint i = 0; i < list->len; i++)
    {
      const CapraQuirk *quirk = list->pdata[i];

      if (quirk->action == CAPRA_QUIRK_REFUSE_KERNELS && has_kernels (quirk, name))
        return refuse (device, quirk, error);
    }
  return TRUE;
}

/* The first quirk of @device with that action, or NULL. */
static const CapraQuirk *
find_action (CapraDevice *device, CapraQuirkAction action)
{
  const GPtrArray *list = capra_quirks_list (device);

  for (guint i = 0; i < list->len; i++)
    if (((const CapraQuirk *) list->pdata[i])->action == action)
      return list->pdata[i];
  return NULL;
}

gboolean
capra_quirks_check_device (CapraDevice *device, GError **error)
{
  const CapraQuirk *quirk = find_action (device, CAPRA_QUIRK_REFUSE_DEVICE);

  return !quirk || refuse (device, quirk, error);
}

gboolean
capra_quirks_end_children (CapraDevice *device)
{
  return find_action (device, CAPRA_QUIRK_END_CHILDREN) != NULL;
}
