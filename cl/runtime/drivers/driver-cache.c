/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver cache: a key file with a group for each driver and environment. */
#include "runtime/drivers/driver-cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/file.h"
#include "runtime/base/write-text.h"
#include "runtime/drivers/driver-folder.h"

/* Changes with the trial, so that stored verdicts of another trial are not used. */
#define TRIAL_VERSION "1"
#define MAX_BYTES ((gsize) 1 << 20)
#define MAX_GROUPS 64
#define FIELDS 6 /* of a device */
/* A change of any library of the system changes this file: those that a driver links may break it. */
#define LINKER_CACHE "/etc/ld.so.cache"
/* A refusal may have had another cause than the driver, such as a slow disk. A refused driver is tried again after this
 * time in seconds, then after twice that time, and so on. One whose trial said nothing is tried again after the same
 * time. */
#define FIRST_AGE (5 * 60)
#define MAX_AGE (7 * 24 * 60 * 60)
#define MAX_REFUSALS 16

char *
capra_driver_cache_dup_path (void)
{
  g_autofree char *folder = capra_driver_folder_dup ();

  return folder ? g_build_filename (folder, "drivers.ini", NULL) : NULL;
}

GKeyFile *
capra_driver_cache_load (void)
{
  const CapraFileRule rule = { geteuid (), FALSE, FALSE, S_IWGRP | S_IWOTH, MAX_BYTES };
  g_autofree char *path = capra_driver_cache_dup_path ();
  GKeyFile *cache = g_key_file_new ();
  gsize length = 0;
  g_autofree char *text = path ? capra_file_read (AT_FDCWD, path, &rule, &length, NULL) : NULL;

  if (text && length > 0)
    g_key_file_load_from_data (cache, text, length, G_KEY_FILE_NONE, NULL);
  return cache;
}

static char *
dup_group (const CapraDriver *driver)
{
  g_autofree char *path = g_uri_escape_string (driver->file.path, "/", TRUE);

  return g_strdup_printf ("%s %08x", path, capra_driver_files_sum_environment ());
}

/* Size, time and inode of a file; "-" if it is missing. */
static char *
stamp_file (const char *path)
{
  struct stat found = { 0 };

  if (!path || stat (path, &found) != 0)
    return g_strdup ("-");
  return g_strdup_printf ("%lld %lld.%09ld %llu", (long long) found.st_size, (long long) found.st_mtim.tv_sec,
                          found.st_mtim.tv_nsec, (unsigned long long) found.st_ino);
}

/* All that a verdict depends on. @loaded: the library that was loaded for it */
static char *
stamp_driver (const CapraDriver *driver, const char *loaded)
{
  g_autofree char *icd = stamp_file (driver->file.path), *library = stamp_file (loaded ? loaded : driver->file.library);
  g_autofree char *system = stamp_file (LINKER_CACHE);

  return g_strdup_printf ("%s %s/%s/%s/%s/%s/%08x", CAPRA_VERSION, TRIAL_VERSION, driver->file.library, icd, library,
                          system, capra_driver_files_sum_devices ());
}

static gboolean
read_verdict (CapraVerdict *verdict, const char *result, const char *code, const char *what)
{
  guint64 kind = 0;
  gint64 number = 0;

  if (!g_ascii_string_to_unsigned (result, 10, 0, CAPRA_N_TRIAL_RESULTS - 1, &kind, NULL)
      || !g_ascii_string_to_signed (code, 10, G_MININT, G_MAXINT, &number, NULL))
    return FALSE;
  capra_verdict_set (verdict, (CapraTrialResult) kind, *what ? what : NULL, (int) number);
  return TRUE;
}

static gboolean
read_devices (CapraDriver *driver, char **fields)
{
  guint n = fields ? g_strv_length (fields) : 0;

  for (guint i = 0; i + FIELDS <= n; i += FIELDS)
    {
      guint64 number = 0;

      if (!g_ascii_string_to_unsigned (fields[i + 2], 10, 0, G_MAXUINT, &number, NULL)
          || !read_verdict (&capra_driver_add_device (driver, fields[i], fields[i + 1], (guint) number)->verdict,
                            fields[i + 3], fields[i + 4], fields[i + 5]))
        return FALSE;
    }
  return n % FIELDS == 0;
}

/* Reads the stored verdict, however old. */
static gboolean
read_driver (GKeyFile *cache, const char *group, CapraDriver *driver)
{
  g_autofree char *loaded = g_key_file_get_string (cache, group, "loaded", NULL), *now = NULL;
  g_autofree char *stored = g_key_file_get_string (cache, group, "stamp", NULL);
  g_auto (GStrv) verdict = g_key_file_get_string_list (cache, group, "verdict", NULL, NULL);
  g_auto (GStrv) devices = g_key_file_get_string_list (cache, group, "devices", NULL, NULL);

  if (!stored || !verdict || g_strv_length (verdict) != 3)
    return FALSE;
  now = stamp_driver (driver, loaded);
  if (!g_str_equal (stored, now))
    return FALSE;
  if (!read_verdict (&driver->verdict, verdict[0], verdict[1], verdict[2]) || !read_devices (driver, devices))
    {
      capra_verdict_set (&driver->verdict, CAPRA_TRIAL_NONE, NULL, 0);
      g_array_set_size (driver->devices, 0);
      return FALSE;
    }
  driver->loaded = g_steal_pointer (&loaded);
  return TRUE;
}

gboolean
capra_driver_cache_find (GKeyFile *cache, CapraDriver *driver)
{
  g_autofree char *group = dup_group (driver);
  gint64 until = g_key_file_get_int64 (cache, group, "until", NULL), time = g_get_real_time () / G_USEC_PER_SEC;

  return (until <= 0 || (time < until && until <= time + MAX_AGE)) && read_driver (cache, group, driver);
}

/* How long a verdict is valid, in seconds, after @refusals of the driver, one after the other; 0: until something
 * changes. */
static gint64
get_age (const CapraVerdict *verdict, guint refusals)
{
  if (capra_verdict_is_refusal (verdict))
    return MIN ((gint64) FIRST_AGE << (refusals - 1), MAX_AGE);
  return verdict->result == CAPRA_TRIAL_BUSY || verdict->result == CAPRA_TRIAL_UNFINISHED ? FIRST_AGE : 0;
}

/* Whether the driver or one of its devices has a verdict for which @test is true. */
static gboolean
has_verdict (const CapraDriver *driver, gboolean (*test) (const CapraVerdict *))
{
  gboolean found = test (&driver->verdict);

  for (guint i = 0; i < driver->devices->len; i++)
    found = found || test (&g_array_index (driver->devices, CapraTriedDevice, i).verdict);
  return found;
}

static gboolean
is_unfinished (const CapraVerdict *verdict)
{
  return verdict->result == CAPRA_TRIAL_UNFINISHED;
}

void
capra_driver_cache_recall (GKeyFile *cache, CapraDriver *driver)
{
  g_autofree char *group = dup_group (driver);
  CapraDriver *stored = NULL;

  if (!has_verdict (driver, is_unfinished))
    return;
  stored = capra_driver_new (&driver->file);
  if (read_driver (cache, group, stored) && has_verdict (stored, capra_verdict_is_refusal))
    {
      CapraDriver tried = *driver;

      *driver = *stored;
      *stored = tried;
    }
  capra_driver_free (stored);
}

/* The number of refusals of the driver, including this one. A trial that the user asked for, before the stored verdict
 * was too old, does not count. */
static guint
count_refusals (GKeyFile *cache, const char *group, const CapraDriver *driver, const char *stamp)
{
  g_autofree char *stored = g_key_file_get_string (cache, group, "stamp", NULL);
  gint64 until = g_key_file_get_int64 (cache, group, "until", NULL);
  int before = g_key_file_get_integer (cache, group, "refusals", NULL);

  if (!has_verdict (driver, capra_verdict_is_refusal))
    return 0;
  if (g_strcmp0 (stored, stamp) != 0 || before < 1 || before > MAX_REFUSALS)
    return 1;
  return (guint) before + (g_get_real_time () / G_USEC_PER_SEC >= until && before < MAX_REFUSALS);
}

static void
add_text (GPtrArray *fields, const char *text)
{
  g_ptr_array_add (fields, g_strdup (text ? text : ""));
}

static void
add_verdict (GPtrArray *fields, const CapraVerdict *verdict)
{
  g_ptr_array_add (fields, g_strdup_printf ("%d", verdict->result));
  g_ptr_array_add (fields, g_strdup_printf ("%d", verdict->code));
  add_text (fields, verdict->what);
}

static void
set_list (GKeyFile *cache, const char *group, const char *key, const GPtrArray *fields)
{
  g_key_file_set_string_list (cache, group, key, (const char *const *) fields->pdata, fields->len);
}

static void
store (GKeyFile *cache, const CapraDriver *driver)
{
  g_autofree char *group = dup_group (driver), *stamp = stamp_driver (driver, driver->loaded);
  g_autoptr (GPtrArray) verdict = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func (g_free);
  guint refusals = count_refusals (cache, group, driver, stamp);
  gint64 age = get_age (&driver->verdict, refusals);

  add_verdict (verdict, &driver->verdict);
  for (guint i = 0; i < driver->devices->len; i++)
    {
      const CapraTriedDevice *device = &g_array_index (driver->devices, CapraTriedDevice, i);
      gint64 own = get_age (&device->verdict, refusals);

      age = own > 0 && (age == 0 || own < age) ? own : age;
      add_text (devices, device->platform);
      add_text (devices, device->name);
      g_ptr_array_add (devices, g_strdup_printf ("%u", device->number));
      add_verdict (devices, &device->verdict);
    }
  g_key_file_remove_group (cache, group, NULL);
  g_key_file_set_string (cache, group, "stamp", stamp);
  if (driver->loaded)
    g_key_file_set_string (cache, group, "loaded", driver->loaded);
  if (age > 0)
    g_key_file_set_int64 (cache, group, "until", g_get_real_time () / G_USEC_PER_SEC + age);
  if (refusals > 0)
    g_key_file_set_integer (cache, group, "refusals", (int) refusals);
  set_list (cache, group, "verdict", verdict);
  set_list (cache, group, "devices", devices);
}

/* Other environments leave groups; a file with many of them begins anew. */
static void
limit (GKeyFile *cache)
{
  gsize n = 0;
  g_auto (GStrv) groups = g_key_file_get_groups (cache, &n);

  for (gsize i = 0; n > MAX_GROUPS && i < n; i++)
    g_key_file_remove_group (cache, groups[i], NULL);
}

void
capra_driver_cache_store (const GPtrArray *drivers)
{
  g_autoptr (GKeyFile) cache = capra_driver_cache_load ();
  g_autofree char *path = capra_driver_cache_dup_path (), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!path)
    return;

  limit (cache);
  for (guint i = 0; i < drivers->len; i++)
    {
      const CapraDriver *driver = drivers->pdata[i];

      if (driver->verdict.result != CAPRA_TRIAL_NONE)
        store (cache, driver);
    }
  text = g_key_file_to_data (cache, NULL, NULL);
  if (!capra_write_private (path, text, &error))
    g_info ("cannot store the verdicts on drivers: %s", error->message);
}
