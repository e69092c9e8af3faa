/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Tuning: finds the value of a key. */
#include "runtime/device/tuning.h"

#include <string.h>

#include "runtime/base/fork.h"
#include "runtime/device/quarantine-use.h"
#include "runtime/device/quirks.h"
#include "runtime/device/tuning-measured.h"
#include "runtime/device/tuning-shipped-private.h"

static GMutex lock;
static GHashTable *tried; /* key -> value; under the lock */

/* The value that CAPRA_TUNING="key=value,…" gives @key. */
static char *
tuning_forced (const char *key)
{
  const char *text = g_getenv ("CAPRA_TUNING");
  g_auto (GStrv) pairs = text ? g_strsplit (text, ",", -1) : NULL;
  gsize length = strlen (key);

  for (char **pair = pairs; pair && *pair; pair++)
    {
      g_strstrip (*pair);
      if (g_str_has_prefix (*pair, key) && (*pair)[length] == '=')
        return g_strdup (*pair + length + 1);
    }
  return NULL;
}

gboolean
capra_tuning_is_forced (const char *key)
{
  g_autofree char *value = tuning_forced (key);

  return value != NULL;
}

static char *
tuning_tried (const char *key)
{
  char *value = NULL;

  capra_fork_lock (&lock);
  value = tried ? g_strdup (g_hash_table_lookup (tried, key)) : NULL;
  g_mutex_unlock (&lock);
  return value;
}

void
capra_tuning_try (const char *key, const char *value)
{
  capra_fork_lock (&lock);
  if (!tried)
    tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (value)
    g_hash_table_replace (tried, g_strdup (key), g_strdup (value));
  else
    g_hash_table_remove (tried, key);
  g_mutex_unlock (&lock);
}

/* Whether the variant, or one of the kernels that only it uses, is in quarantine. */
static gboolean
is_set_aside (CapraDevice *device, const char *key, const char *value)
{
  g_autofree char *name = g_strconcat ("kernels-", value, NULL), *variant = g_strjoin ("=", key, value, NULL);
  g_auto (GStrv) patterns = g_key_file_get_string_list (capra_tuning_candidates (), key, name, NULL, NULL);

  return capra_quarantine_has (device, variant, (const char *const *) patterns);
}

/* Whether @value is not to be used. */
static gboolean
is_avoided (CapraDevice *device, const char *key, const char *value)
{
  return capra_quirks_avoid (device, key, value)
         || (capra_quarantine_is_used (device) && is_set_aside (device, key, value));
}

/* @value (transfer full), or if a quirk of the driver or the quarantine forbids it, another candidate. */
static char *
avoid (CapraDevice *device, const char *key, char *value)
{
  g_auto (GStrv) values = NULL;

  if (!value || !is_avoided (device, key, value))
    return value;
  values = g_key_file_get_string_list (capra_tuning_candidates (), key, capra_tuning_kind (device), NULL, NULL);
  for (char **other = values; other && *other; other++)
    if (!is_avoided (device, key, *other))
      {
        g_free (value);
        return g_strdup (*other);
      }
  return value;
}

char *
capra_tuning_get (CapraDevice *device, const char *key)
{
  char *found = NULL;

  /* A thread of the parent may have been reading the files. */
  if (capra_fork_is_child ())
    return NULL;
  found = tuning_forced (key);
  if (!found)
    found = tuning_tried (key);
  if (found)
    return found;
  found = capra_tuning_measured (device, key);
  return avoid (device, key, found ? found : capra_tuning_get_shipped (device, key));
}

const char *
capra_tuning_get_word (CapraDevice *device, const char *key, const char *fallback)
{
  g_autofree char *found = capra_tuning_get (device, key);

  return found ? g_intern_string (found) : fallback;
}

int
capra_tuning_get_int (CapraDevice *device, const char *key, int fallback)
{
  g_autofree char *found = capra_tuning_get (device, key);
  gint64 value = 0;

  if (found && g_ascii_string_to_signed (found, 10, G_MININT, G_MAXINT, &value, NULL))
    return (int) value;
  return fallback;
}
