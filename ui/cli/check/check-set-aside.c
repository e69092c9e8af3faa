/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets aside the variant of a family that is wrong, if another one is right. */
#include "ui/cli/check/check-set-aside.h"

/* A family's job, and how a worker runs it. */
typedef struct {
  CapraDevice *device;
  const char *selection;
  gboolean full;
  guint limit, number;
  const CheckJob *job;
} Trial;

static gboolean
passes (const Trial *trial, const char *variant)
{
  g_autoptr (CheckWorker) worker = check_worker_new (trial->device, trial->selection, trial->full, trial->limit);
  const CheckJob job = { trial->job->family, variant };
  CheckResult result;
  gboolean passed = FALSE;

  check_worker_run (worker, &job, trial->number, &result);
  passed = result.verdict == CHECK_PASSED;
  g_free (result.message);
  return passed;
}

/* A value of @key, other than @used, with which the family passes; NULL if there is none. */
static char *
find_right (const Trial *trial, const char *key, const char *used)
{
  g_auto (GStrv) values = g_key_file_get_string_list (capra_tuning_candidates (), key,
                                                      capra_tuning_kind (trial->device), NULL, NULL);

  for (char **value = values; value && *value; value++)
    {
      g_autofree char *variant = g_strjoin ("=", key, *value, NULL);

      if (!g_str_equal (*value, used) && !capra_quirks_avoid (trial->device, key, *value) && passes (trial, variant))
        return g_strdup (*value);
    }
  return NULL;
}

/* The keys of the family that choose among kernels; others are numbers. */
static GPtrArray *
list_keys (const Trial *trial)
{
  GPtrArray *keys = g_ptr_array_new_with_free_func (g_free);

  for (const char *const *variant = trial->job->family->variants; variant && *variant; variant++)
    {
      g_auto (GStrv) pairs = g_strsplit (*variant, ",", -1);

      for (char **pair = pairs; *pair; pair++)
        {
          g_auto (GStrv) parts = g_strsplit (*pair, "=", 2);

          if (!g_ascii_isdigit (*parts[1]) && !capra_tuning_is_forced (parts[0])
              && !g_ptr_array_find_with_equal_func (keys, parts[0], g_str_equal, NULL))
            g_ptr_array_add (keys, g_strdup (parts[0]));
        }
    }
  return keys;
}

static void
add_message (CheckResult *result, const char *text)
{
  g_autofree char *before = result->message;

  result->message = before ? g_strdup_printf ("%s; %s", before, text) : g_strdup (text);
}

void
check_set_aside (CapraDevice *device, const char *selection, gboolean full, guint limit, const CheckJob *job,
                 guint number, CheckResult *result)
{
  const Trial trial = { device, selection, full, limit, number, job };
  g_autofree char *setting = capra_settings_get ("quarantine");
  g_autoptr (GPtrArray) keys = list_keys (&trial);

  for (guint i = 0; i < keys->len && g_strcmp0 (setting, "off") != 0; i++)
    {
      const char *key = keys->pdata[i];
      g_autofree char *used = capra_tuning_get (device, key), *right = used ? find_right (&trial, key, used) : NULL;
      g_autofree char *wrong = NULL, *text = NULL;
      g_autoptr (GError) error = NULL;

      if (!right)
        continue;
      wrong = g_strjoin ("=", key, used, NULL);
      if (capra_quarantine_add (device, wrong, job->family->name, &error))
        text = g_strdup_printf ("with %s=%s it passes, so that %s is set aside", key, right, wrong);
      else
        text = g_strdup_printf ("with %s=%s it passes, but %s cannot be set aside: %s", key, right, wrong,
                                error->message);
      add_message (result, text);
      return;
    }
}
