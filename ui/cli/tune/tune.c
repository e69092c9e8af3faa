/* SPDX-License-Identifier: GPL-3.0-or-later */
/* capra tune: measures which variants and work-group shapes of the algorithms run fastest on the devices of this
 * machine, and stores them for the operations. */
#include <stdio.h>

#include "capra.h"
#include "ui/cli/command.h"
#include "ui/cli/tune/tune-watchdog.h"
#include "ui/cli/tune/tune-print.h"

#define GRACE (10 * G_USEC_PER_SEC) /* for the run in progress at the time limit */

static char *device_name, *key_globs;
static gboolean dry_run, rest;
static int seconds = G_MAXINT; /* the default */

static const GOptionEntry entries[] = {
  { "device", 'd', 0, G_OPTION_ARG_STRING, &device_name, "Only this device, as listed by `capra devices`", "NAME" },
  { "select", 's', 0, G_OPTION_ARG_STRING, &key_globs, "Only keys that match, such as 'label.*'", "GLOBS" },
  { "rest", 0, 0, G_OPTION_ARG_NONE, &rest, "Only keys that have not been measured", NULL },
  { "time", 't', 0, G_OPTION_ARG_INT, &seconds, "Time limit per device (default: 120 on GPUs, 300 on CPUs)",
    "SECONDS" },
  { "dry-run", 0, 0, G_OPTION_ARG_NONE, &dry_run, "Measure, but store nothing", NULL },
  { NULL },
};

/* Seconds, and width and height of images: large enough to fill the device. */
static const struct {
  int seconds;
  gsize size;
} limits[] = { [FALSE] = { 300, 2048 }, [TRUE] = { 120, 4096 } };

static gboolean
is_selected (const char *key)
{
  g_auto (GStrv) globs = key_globs ? g_strsplit (key_globs, ",", -1) : NULL;

  for (char **glob = globs; glob && *glob; glob++)
    if (g_pattern_match_simple (*glob, key))
      return TRUE;
  return !key_globs;
}

static gboolean
is_any_selected (void)
{
  g_auto (GStrv) keys = g_key_file_get_groups (capra_tuning_candidates (), NULL);

  for (char **key = keys; *key; key++)
    if (is_selected (*key))
      return TRUE;
  return FALSE;
}

/* Whether @key has an effect: it has values for this kind of device, and the key that its "only" names, if any, has the
 * value given there. */
static gboolean
is_relevant (CapraDevice *device, const char *key)
{
  g_autofree char *only = g_key_file_get_string (capra_tuning_candidates (), key, "only", NULL);
  g_auto (GStrv) parts = only ? g_strsplit (only, "=", 2) : NULL;
  g_autofree char *value = parts ? capra_tuning_get (device, parts[0]) : NULL;
  gboolean has_values = g_key_file_has_key (capra_tuning_candidates (), key, capra_tuning_kind (device), NULL);

  return has_values && (!parts || g_strcmp0 (value, parts[1]) == 0);
}

/* The tuning of one device. */
typedef struct {
  CapraDevice *device;
  char **keys;
  GHashTable *values;  /* key -> value: those of earlier runs, and then those to store */
  GPtrArray *results;  /* of TuneResult */
  GPtrArray *measured; /* "key=value" of keys that were not completed, with a value of an earlier run */
  GPtrArray *shipped;  /* the same with the default value */
  TuneClock clock;
  TuneProgress progress;
  TuneWatchdog watchdog;
} Tuning;

static void
tuning_clear (Tuning *tuning)
{
  g_clear_pointer (&tuning->keys, g_strfreev);
  g_clear_pointer (&tuning->values, g_hash_table_unref);
  g_clear_pointer (&tuning->results, g_ptr_array_unref);
  g_clear_pointer (&tuning->measured, g_ptr_array_unref);
  g_clear_pointer (&tuning->shipped, g_ptr_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tuning, tuning_clear)

/* Uses the values of earlier runs, and lists them to be stored again. capra_tuning_try (key, NULL) then selects the
 * default value. */
static void
tuning_init (Tuning *tuning, CapraDevice *device)
{
  tuning->device = device;
  tuning->keys = g_key_file_get_groups (capra_tuning_candidates (), NULL);
  tuning->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  tuning->results = g_ptr_array_new_with_free_func ((GDestroyNotify) tune_result_free);
  tuning->measured = g_ptr_array_new_with_free_func (g_free);
  tuning->shipped = g_ptr_array_new_with_free_func (g_free);
  tuning->progress.clock = &tuning->clock;
  for (char **key = tuning->keys; *key; key++)
    {
      char *value = capra_tuning_measured (device, *key);

      capra_tuning_try (*key, value);
      if (value)
        g_hash_table_replace (tuning->values, g_strdup (*key), value);
    }
  capra_tuning_ignore_measured (device);
}

static gboolean
is_wanted (const Tuning *tuning, const char *key)
{
  return is_selected (key) && is_relevant (tuning->device, key)
         && !(rest && g_hash_table_contains (tuning->values, key));
}

/* Counts the keys and runs from @first on, which depend on the values in use. */
static void
count_keys (Tuning *tuning, char **first)
{
  guint keys = 0, runs = 0;

  for (char **key = first; *key; key++)
    if (is_wanted (tuning, *key))
      {
        keys++;
        runs += tune_search_runs (tuning->device, *key);
      }
  tuning->progress.count = tuning->progress.number + keys;
  tuning->clock.all = tuning->clock.done + runs;
}

static gboolean
store (Tuning *tuning, GError **error)
{
  if (dry_run)
    return TRUE;
  if (!capra_tuning_save (tuning->device, tuning->values, error))
    return FALSE;
  capra_tuning_ignore_measured (tuning->device);
  return TRUE;
}

/* Restores the value that @key had before it was tried. */
static void
restore_key (Tuning *tuning, const char *key)
{
  const char *previous = g_hash_table_lookup (tuning->values, key);
  g_autofree char *value = NULL;

  capra_tuning_try (key, previous);
  value = capra_tuning_get (tuning->device, key);
  g_ptr_array_add (previous ? tuning->measured : tuning->shipped, g_strconcat (key, "=", value, NULL));
}

/* Tries one key. The value is stored at once, in case a driver crashes later. */
static gboolean
tune_one (Tuning *tuning, TuneSearch *search, const char *key, GError **error)
{
  TuneResult *result = NULL;

  capra_tuning_try (key, NULL);
  result = tune_search_key (search, key, error);
  if (!result)
    {
      g_prefix_error (error, "%s: ", key);
      return FALSE;
    }
  g_ptr_array_add (tuning->results, result);
  tune_print_result (&tuning->progress, result);
  if (!result->complete && g_str_equal (result->winner, result->shipped))
    {
      g_ptr_array_set_size (tuning->results, (gint) tuning->results->len - 1);
      restore_key (tuning, key);
      return TRUE;
    }
  g_hash_table_replace (tuning->values, g_strdup (key), g_strdup (result->winner));
  return store (tuning, error);
}

static void
show_trying (const char *key, const char *value, gpointer data)
{
  Tuning *tuning = data;

  tune_watchdog_set (&tuning->watchdog, key, value);
  tune_print_trying (&tuning->progress, key, value);
}

static gboolean
tune_keys (Tuning *tuning, gsize size, GError **error)
{
  g_autoptr (TuneSearch) search = tune_search_new (tuning->device, size, &tuning->clock, show_trying, tuning);

  for (char **key = tuning->keys; *key; key++)
    {
      if (!is_wanted (tuning, *key))
        continue;
      count_keys (tuning, key);
      tuning->progress.number++;
      if (capra_tuning_is_forced (*key))
        {
          g_autofree char *value = capra_tuning_get (tuning->device, *key);

          tune_print_forced (&tuning->progress, *key, value);
        }
      else if (!tune_one (tuning, search, *key, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
tune_device (CapraDevice *device, GError **error)
{
  gboolean is_gpu = g_str_equal (capra_tuning_kind (device), "gpu");
  int limit = seconds < G_MAXINT ? seconds : limits[is_gpu].seconds;
  g_auto (Tuning) tuning = { NULL };
  g_autofree char *path = capra_tuning_path ();
  gboolean ok = FALSE;

  tuning_init (&tuning, device);
  tune_clock_start (&tuning.clock, limit);
  count_keys (&tuning, tuning.keys);
  tune_print_head (device, limits[is_gpu].size, tuning.progress.count, limit);
  if (tuning.progress.count == 0)
    return TRUE;
  tune_watchdog_start (&tuning.watchdog, tuning.clock.limit + GRACE);
  ok = tune_keys (&tuning, limits[is_gpu].size, error);
  tune_watchdog_stop (&tuning.watchdog);
  if (!ok || !store (&tuning, error))
    return FALSE;
  tune_print_summary (&tuning.progress, tuning.results, tuning.measured, tuning.shipped);
  capra_memory_trim (device);
  if (dry_run)
    printf ("Nothing was stored.\n");
  else
    printf ("Stored in %s; operations use the values from now on.\n", path);
  fflush (stdout);
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
  for (guint i = 0; devices && i < devices->len && !tune_clock_signal (); i++)
    if (!tune_device (devices->pdata[i], error))
      return FALSE;
  return devices != NULL;
}

int
capra_command_tune (int argc, char **argv)
{
  g_autoptr (GOptionContext) options = g_option_context_new (
    "- find the fastest kernel variants for the devices of this machine");
  g_autoptr (GError) error = NULL;
  g_autofree char *quarantine = NULL;

  g_option_context_add_main_entries (options, entries, NULL);
  capra_settings_choose ("kernels", "optimized"); /* no builds in the background, no quickly built kernels */
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "capra tune: %s\n", error->message);
      return 2;
    }
  if (argc > 1)
    {
      fprintf (stderr, "capra tune: unexpected argument \"%s\"; select keys with --select\n", argv[1]);
      return 2;
    }
  if (seconds < 0)
    {
      fprintf (stderr, "capra tune: --time must not be negative (%d)\n", seconds);
      return 2;
    }
  if (!is_any_selected ())
    {
      g_auto (GStrv) keys = g_key_file_get_groups (capra_tuning_candidates (), NULL);
      g_autofree char *list = g_strjoinv (" ", keys);

      fprintf (stderr, "capra tune: \"%s\" matches none of the keys: %s\n", key_globs, list);
      return 2;
    }
  quarantine = capra_settings_get ("quarantine");
  if (g_strcmp0 (quarantine, "off") != 0)
    capra_settings_choose ("quarantine", "read"); /* what takes too long is ended */
  tune_clock_catch_signals ();
  if (!tune (&error))
    {
      fprintf (stderr, "capra tune: %s\n", error->message);
      return 1;
    }
  if (tune_clock_signal ())
    tune_clock_raise (tune_clock_signal ());
  return 0;
}
