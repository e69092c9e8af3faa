/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver: verdicts, and what they mean for people. */
#include "runtime/drivers/driver.h"

#include <CL/cl.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/base/error.h"

void
capra_verdict_set (CapraVerdict *verdict, CapraTrialResult result, const char *what, int code)
{
  g_autofree char *old = verdict->what;

  *verdict = (CapraVerdict){ result, g_strdup (what), code };
}

gboolean
capra_verdict_is_refusal (const CapraVerdict *verdict)
{
  return verdict->result >= CAPRA_TRIAL_CRASHED;
}

char *
capra_verdict_describe (const CapraVerdict *verdict)
{
  const char *what = verdict->what ? verdict->what : "";

  switch (verdict->result)
    {
    case CAPRA_TRIAL_NONE: return g_strdup (_ ("it was not tried"));
    case CAPRA_TRIAL_WORKS: return g_strdup (_ ("it was tried and works"));
    case CAPRA_TRIAL_EMPTY: return g_strdup (_ ("it has no devices"));
    case CAPRA_TRIAL_MISSING: return g_strdup_printf (_ ("its library cannot be loaded: %s"), what);
    case CAPRA_TRIAL_CRASHED:
      /* Translators: %s is the name of a function. */
      return verdict->code > 0 ? g_strdup_printf (_ ("it crashed in %s (signal %d)"), what, verdict->code)
                               : g_strdup_printf (_ ("it crashed in %s"), what);
    case CAPRA_TRIAL_HUNG: return g_strdup_printf (_ ("it did not return from %s within %d s"), what, verdict->code);
    case CAPRA_TRIAL_BLOCKED:
      return g_strdup_printf (_ ("it waited for a disk or the system in %s, and did not return within %d s"), what,
                              verdict->code);
    case CAPRA_TRIAL_BUSY:
      return g_strdup_printf (_ ("it is used, but its trial failed: %s: %s"), what, capra_error_name (verdict->code));
    case CAPRA_TRIAL_UNFINISHED:
      return g_strdup_printf (_ ("it is used, but its trial was not completed: the machine was too busy, or short of "
                                 "memory or disk space (%s)"),
                              what);
    case CAPRA_TRIAL_FAILED:
      return g_strdup_printf (_ ("%s failed: %s (%d)"), what, capra_error_name (verdict->code), verdict->code);
    case CAPRA_TRIAL_INVALID: return g_strdup_printf (_ ("it returns invalid data: %s"), what);
    default: return g_strdup ("");
    }
}

char *
capra_verdict_dup_remedy (const CapraVerdict *verdict)
{
  if (verdict->result == CAPRA_TRIAL_MISSING)
    return g_strdup (_ ("install the package of the driver completely, or remove the file"));
  if (verdict->result == CAPRA_TRIAL_BUSY)
    return g_strdup (_ ("close other programs that use the device"));
  if (verdict->result == CAPRA_TRIAL_UNFINISHED)
    return g_strdup (_ ("it is tried again after a few minutes"));
  if (verdict->result == CAPRA_TRIAL_HUNG || verdict->result == CAPRA_TRIAL_BLOCKED)
    return g_strdup (_ ("update or reinstall the driver; \"capra devices --probe\" tries it again, and CAPRA_PROBE=60 "
                        "allows it 60 s for that"));
  if (capra_verdict_is_refusal (verdict))
    return g_strdup (_ ("update or reinstall the driver; \"capra devices --probe\" tries it again"));
  return NULL;
}

CapraDriver *
capra_driver_new (const CapraDriverFile *file)
{
  CapraDriver *driver = g_new0 (CapraDriver, 1);

  driver->file = (CapraDriverFile){ g_strdup (file->path), g_strdup (file->library), g_strdup (file->problem) };
  driver->devices = g_array_new (FALSE, TRUE, sizeof (CapraTriedDevice));
  return driver;
}

void
capra_driver_free (CapraDriver *driver)
{
  for (guint i = 0; i < driver->devices->len; i++)
    {
      CapraTriedDevice *device = &g_array_index (driver->devices, CapraTriedDevice, i);

      g_free (device->platform);
      g_free (device->name);
      g_free (device->verdict.what);
    }
  g_array_unref (driver->devices);
  capra_driver_file_clear (&driver->file);
  g_free (driver->loaded);
  g_free (driver->verdict.what);
  g_free (driver);
}

gboolean
capra_driver_is_pocl (const CapraDriver *driver)
{
  return driver->file.library && strstr (driver->file.library, "pocl");
}

CapraTriedDevice *
capra_driver_add_device (CapraDriver *driver, const char *platform, const char *name, guint number)
{
  CapraTriedDevice device = { g_strdup (platform), g_strdup (name), number, { CAPRA_TRIAL_NONE, NULL, 0 } };

  g_strstrip (device.platform);
  g_strstrip (device.name);
  g_array_append_val (driver->devices, device);
  return &g_array_index (driver->devices, CapraTriedDevice, driver->devices->len - 1);
}
