/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra tune: measures which variants and shapes of the algorithms this machine's devices run fastest, and keeps them
 * for the operations to use. */
#include <stdio.h>

#include "capra.h"
#include "command.h"
#include "tune-search.h"

static char *device_name, *key_globs;
static gboolean dry_run;

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device_name, "Only this device (as `capra devices` names them)", "NAME" },
  { "select", 's', 0, G_OPTION_ARG_STRING, &key_globs, "Only keys that match, such as 'label.*'", "GLOBS" },
  { "dry-run", 0, 0, G_OPTION_ARG_NONE, &dry_run, "Measure, and keep nothing", NULL },
  { NULL },
};

/* Minutes and pixels a side: enough to fill the device, in bearable time. */
static const struct {
  gint64 seconds;
  gsize size;
} limits[] = { [FALSE] = { 300, 2048 }, [TRUE] = { 120, 4096 } };

static void
print_candidate (const char *key, const char *value, TuneOutcome outcome, double gain, gpointer data)
{
  static const char *const words[] = { [TUNE_FASTER] = "faster", [TUNE_NOT_FASTER] = "not faster",
                                       [TUNE_WRONG] = "wrong results: never used",
                                       [TUNE_FAILED] = "not run by this device" };

  if (outcome == TUNE_FASTER || outcome == TUNE_NOT_FASTER)
    printf ("    %-10s %5.2f x  %s\n", value, gain, words[outcome]);
  else
    printf ("    %-10s          %s\n", value, words[outcome]);
  fflush (stdout);
}

static gboolean
is_selected (const char *key)
{
  g_auto(GStrv) globs = key_globs ? g_strsplit (key_globs, ",", -1) : NULL;

  for (char **glob = globs; glob && *glob; glob++)
    if (g_pattern_match_simple (*glob, key))
      return TRUE;
  return !key_globs;
}

static gboolean
is_any_selected (void)
{
  g_auto(GStrv) keys = g_key_file_get_groups (capra_tuning_candidates (), NULL);

  for (char **key = keys; *key; key++)
    if (is_selected (*key))
      return TRUE;
  return FALSE;
}

/* Whether @key matters with the values in use: it has values for the kind of device, and the key that its "only" names,
 * if any, has the value named there. */
static gboolean
is_relevant (CapraDevice *device, const char *key)
{
  g_autofree char *only = g_key_file_get_string (capra_tuning_candidates (), key, "only", NULL);
  g_auto(GStrv) parts = only ? g_strsplit (only, "=", 2) : NULL;
  g_autofree char *value = parts ? capra_tuning_get (device, parts[0]) : NULL;
  gboolean has_values = g_key_file_has_key (capra_tuning_candidates (), key, capra_tuning_kind (device), NULL);

  return has_values && (!parts || g_strcmp0 (value, parts[1]) == 0);
}

/* Tries one key; puts its winner into @winners where it is not the shipped value. */
static gboolean
tune_one (CapraDevice *device, const char *key, gsize size, gint64 deadline, GHashTable *winners, GError **error)
{
  g_autofree char *shipped = capra_tuning_get (device, key);
  g_autofree char *winner = NULL;
  double gain = 1;

  winner = tune_key (device, key, size, deadline, print_candidate, NULL, &gain, error);
  if (!winner)
    {
      g_prefix_error (error, "%s: ", key);
      return FALSE;
    }
  if (g_str_equal (winner, shipped))
    printf ("    %s stays\n", shipped);
  else
    {
      printf ("    %s -> %s: %.2f times as fast\n", shipped, winner, gain);
      g_hash_table_replace (winners, g_strdup (key), g_steal_pointer (&winner));
    }
  capra_memory_trim (device);
  return TRUE;
}

/* Starts @device from what is shipped, but for the keys that are not to be tuned: their measured values stay, in use
 * and in @winners. */
static void
start_over (CapraDevice *device, char **keys, GHashTable *winners)
{
  for (char **key = keys; *key; key++)
    {
      char *value = is_selected (*key) ? NULL : capra_tuning_measured (device, *key);

      capra_tuning_try (*key, value);
      if (value)
        g_hash_table_replace (winners, g_strdup (*key), value);
    }
  capra_tuning_forget (device);
}

static gboolean
tune_keys (CapraDevice *device, char **keys, GHashTable *winners, GError **error)
{
  gboolean is_gpu = g_str_equal (capra_tuning_kind (device), "gpu");
  gint64 deadline = g_get_monotonic_time () + limits[is_gpu].seconds * G_USEC_PER_SEC;

  printf ("%s, images of %" G_GSIZE_FORMAT " x %" G_GSIZE_FORMAT ", at most %" G_GINT64_FORMAT " s\n",
          capra_device_get_info (device)->name, limits[is_gpu].size, limits[is_gpu].size, limits[is_gpu].seconds);
  for (guint i = 0; keys[i]; i++)
    {
      if (!is_selected (keys[i]) || !is_relevant (device, keys[i]))
        continue;
      if (g_get_monotonic_time () >= deadline)
        {
          printf ("The time is up; the keys from %s on keep their shipped values.\n", keys[i]);
          break;
        }
      printf ("[%u/%u] %s\n", i + 1, g_strv_length (keys), keys[i]);
      if (!tune_one (device, keys[i], limits[is_gpu].size, deadline, winners, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
tune_device (CapraDevice *device, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr(GHashTable) winners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *path = capra_tuning_path ();
  g_auto(GStrv) keys = g_key_file_get_groups (capra_tuning_candidates (), NULL);

  start_over (device, keys, winners);
  if (!tune_keys (device, keys, winners, error))
    return FALSE;
  printf ("%.0f s; %u values differ from the shipped ones", (double) (g_get_monotonic_time () - start) * 1e-6,
          g_hash_table_size (winners));
  if (dry_run)
    printf ("; nothing kept.\n");
  else if (!capra_tuning_keep (device, winners, error))
    return FALSE;
  else
    printf (", kept in %s.\n", path);
  return TRUE;
}

static gboolean
tune (GError **error)
{
  const GPtrArray *devices = NULL;

  if (device_name)
    {
      CapraDevice *device = capra_device_select (device_name, error);

      return device && tune_device (device, error);
    }
  devices = capra_device_list (error);
  for (guint i = 0; devices && i < devices->len; i++)
    if (!tune_device (devices->pdata[i], error))
      return FALSE;
  return devices != NULL;
}

int
capra_command_tune (int argc, char **argv)
{
  g_autoptr(GOptionContext) options = g_option_context_new ("- find the fastest variants for this machine's devices");
  g_autoptr(GError) error = NULL;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra tune: %s\n", error->message);
      return 2;
    }
  if (argc > 1)
    {
      fprintf (stderr, "capra tune: what is “%s”? Keys are named with --select\n", argv[1]);
      return 2;
    }
  if (!is_any_selected ())
    {
      g_auto(GStrv) keys = g_key_file_get_groups (capra_tuning_candidates (), NULL);
      g_autofree char *list = g_strjoinv (" ", keys);

      fprintf (stderr, "capra tune: “%s” fits none of the keys: %s\n", key_globs, list);
      return 2;
    }
  if (tune (&error))
    return 0;
  fprintf (stderr, "capra tune: %s\n", error->message);
  return 1;
}
