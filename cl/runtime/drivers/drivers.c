/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Drivers: trials of those that changed, and the environment from which the loader reads the list of drivers. */
#include "runtime/drivers/drivers.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/drivers/driver-cache.h"
#include "runtime/drivers/driver-folder.h"
#include "runtime/drivers/driver-load.h"
#include "runtime/drivers/driver-trial.h"
#include "runtime/base/environment.h"
#include "runtime/base/file.h"
#include "runtime/base/settings.h"

#define LIMIT_SECONDS 10
#define MIN_LIMIT_SECONDS 2
#define MAX_LIMIT_SECONDS 600

struct _CapraHiddenDrivers {
  char *folder; /* with ICD files of the drivers that may be loaded */
  gboolean temporary;
  char **before; /* the entry of the environment for each variable; NULL if it was not set */
};

/* What the loaders read. */
static const char *const variables[] = { "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES" };

/* The setting `probe`: the time limit in seconds, or "off", which is 0. */
static guint
get_limit (void)
{
  g_autofree char *setting = capra_settings_get ("probe");
  guint64 limit = 0;

  if (!setting)
    return LIMIT_SECONDS;
  if (g_ascii_strcasecmp (setting, "off") == 0)
    return 0;
  return g_ascii_string_to_unsigned (setting, 10, MIN_LIMIT_SECONDS, MAX_LIMIT_SECONDS, &limit, NULL) ? (guint) limit
                                                                                                      : LIMIT_SECONDS;
}

static void
report_refusal (const char *name, const CapraVerdict *verdict)
{
  g_autofree char *reason = capra_verdict_describe (verdict);

  g_message (_ ("OpenCL: %s is not used: %s; \"capra devices --why\" says what helps"), name, reason);
}

/* Refusals are reported when they are found, not by each process. */
static void
report (const CapraDriver *driver)
{
  if (capra_verdict_is_refusal (&driver->verdict))
    {
      report_refusal (driver->file.path, &driver->verdict);
      return;
    }
  for (guint i = 0; i < driver->devices->len; i++)
    {
      const CapraTriedDevice *device = &g_array_index (driver->devices, CapraTriedDevice, i);

      if (capra_verdict_is_refusal (&device->verdict))
        report_refusal (device->name, &device->verdict);
    }
}

/* Tries those of @drivers that changed, or all if @again. */
static void
try_drivers (const GPtrArray *drivers, gboolean again, guint limit)
{
  g_autoptr (GKeyFile) cache = capra_driver_cache_load ();
  g_autoptr (GPtrArray) unknown = g_ptr_array_new ();

  for (guint i = 0; i < drivers->len; i++)
    {
      CapraDriver *driver = drivers->pdata[i];

      if (driver->file.library && (again || !capra_driver_cache_find (cache, driver)))
        g_ptr_array_add (unknown, driver);
    }
  if (unknown->len == 0)
    return;
  capra_driver_trial_run (unknown, limit);
  for (guint i = 0; i < unknown->len; i++)
    {
      capra_driver_cache_recall (cache, unknown->pdata[i]);
      report (unknown->pdata[i]);
    }
  capra_driver_cache_store (unknown);
}

/* Whether one of @drivers is PoCL, and is not loaded yet. */
static gboolean
loads_pocl (const GPtrArray *drivers)
{
  for (guint i = 0; i < drivers->len; i++)
    {
      const char *library = ((const CapraDriver *) drivers->pdata[i])->file.library;
      void *loaded = NULL;

      if (!capra_driver_is_pocl (drivers->pdata[i]))
        continue;
      loaded = dlopen (library, RTLD_LAZY | RTLD_NOLOAD);
      if (!loaded)
        return TRUE;
      dlclose (loaded);
    }
  return FALSE;
}

GPtrArray *
capra_drivers_find (gboolean again)
{
  GPtrArray *drivers = g_ptr_array_new_with_free_func ((GDestroyNotify) capra_driver_free);
  g_autoptr (GArray) files = capra_driver_files_list ();
  guint limit = get_limit ();

  for (guint i = 0; i < files->len; i++)
    g_ptr_array_add (drivers, capra_driver_new (&g_array_index (files, CapraDriverFile, i)));
  if (loads_pocl (drivers))
    capra_driver_folder_choose ();
  if (limit > 0)
    try_drivers (drivers, again, limit);
  return drivers;
}

static gboolean
is_refused (const CapraDriver *driver)
{
  return capra_verdict_is_refusal (&driver->verdict);
}

void
capra_drivers_load (const GPtrArray *drivers)
{
  for (guint i = 0; i < drivers->len; i++)
    if (!is_refused (drivers->pdata[i]))
      capra_driver_load (drivers->pdata[i]);
}

/* Writes the ICD files of the drivers that are not refused. */
static gboolean
write_files (const char *folder, const GPtrArray *drivers)
{
  gboolean written = TRUE;

  for (guint i = 0; written && i < drivers->len; i++)
    {
      const CapraDriver *driver = drivers->pdata[i];

      if (driver->file.library && !is_refused (driver))
        written = capra_driver_trial_write_icd (folder, driver->file.library, i);
    }
  return written;
}

/* A folder in the cache, named by what it holds. It stays: a program that another thread starts while the environment
 * names the folder inherits that, and may load OpenCL at any time. */
static char *
make_lasting_folder (const GPtrArray *drivers)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *folder = NULL;

  for (guint i = 0; i < drivers->len; i++)
    {
      const CapraDriver *driver = drivers->pdata[i];
      const char *library = driver->file.library && !is_refused (driver) ? driver->file.library : "";

      g_checksum_update (sum, (const guchar *) library, (gssize) strlen (library) + 1);
    }
  folder = g_build_filename (g_get_user_cache_dir (), "capra", "drivers", g_checksum_get_string (sum), NULL);
  if (!capra_file_create_folder (folder) || !capra_file_is_private_folder (folder) || !write_files (folder, drivers))
    return NULL;
  return g_steal_pointer (&folder);
}

CapraHiddenDrivers *
capra_drivers_hide (const GPtrArray *drivers)
{
  g_autofree CapraHiddenDrivers *hidden = NULL;
  g_autofree char *vendors = NULL;
  guint refused = 0;

  for (guint i = 0; i < drivers->len; i++)
    refused += is_refused (drivers->pdata[i]);
  if (refused == 0)
    return NULL;
  hidden = g_new0 (CapraHiddenDrivers, 1);
  hidden->folder = make_lasting_folder (drivers);
  hidden->temporary = hidden->folder == NULL;
  if (hidden->temporary)
    hidden->folder = g_dir_make_tmp ("capra-drivers-XXXXXX", NULL);
  if (!hidden->folder)
    return NULL;
  if (hidden->temporary)
    write_files (hidden->folder, drivers);
  hidden->before = g_new0 (char *, G_N_ELEMENTS (variables));
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    hidden->before[i] = capra_environment_get_entry (variables[i]);
  /* Never freed, like the environments that have had it. */
  vendors = capra_driver_trial_dup_vendors (hidden->folder);
  capra_environment_set_entry (variables[0], g_strconcat (variables[0], "=", vendors, NULL));
  capra_environment_set_entry (variables[1], NULL);
  return g_steal_pointer (&hidden);
}

void
capra_drivers_show (CapraHiddenDrivers *hidden)
{
  for (guint i = 0; hidden && i < G_N_ELEMENTS (variables); i++)
    capra_environment_set_entry (variables[i], hidden->before[i]);
  if (!hidden)
    return;
  if (hidden->temporary)
    capra_driver_trial_remove_folder (hidden->folder);
  g_free (hidden->folder);
  g_free (hidden->before); /* its strings belong to the environment */
  g_free (hidden);
}

CapraTrialResult
capra_drivers_judge (const GPtrArray *drivers, const char *platform, const char *name, guint number)
{
  CapraTrialResult found = CAPRA_TRIAL_NONE;

  for (guint d = 0; d < drivers->len; d++)
    {
      const CapraDriver *driver = drivers->pdata[d];

      for (guint i = 0; i < driver->devices->len; i++)
        {
          const CapraTriedDevice *device = &g_array_index (driver->devices, CapraTriedDevice, i);
          gboolean refused = capra_verdict_is_refusal (&driver->verdict) || capra_verdict_is_refusal (&device->verdict);

          if (device->number != number || !g_str_equal (device->platform, platform)
              || !g_str_equal (device->name, name))
            continue;
          if (!refused) /* of several drivers with equal devices, one works */
            return CAPRA_TRIAL_WORKS;
          found = capra_verdict_is_refusal (&device->verdict) ? device->verdict.result : driver->verdict.result;
        }
    }
  return found;
}
