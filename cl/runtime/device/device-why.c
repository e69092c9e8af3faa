/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Why: puts together the trials of drivers, the devices in use and the graphics cards. */
#include "runtime/device/device-why.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/device/device-budget.h"
#include "runtime/device/device-private.h"
#include "runtime/drivers/driver-folder.h"
#include "runtime/drivers/driver.h"
#include "runtime/device/finding-private.h"
#include "runtime/device/hardware.h"
#include "runtime/device/quarantine.h"
#include "runtime/device/quirks-use.h"
#include "runtime/device/quirks.h"
#include "runtime/base/settings.h"

/* What helps if a driver has no devices. */
static char *
dup_empty_remedy (const CapraDriver *driver)
{
  g_autofree char *library = g_ascii_strdown (driver->file.library, -1);

  if (strstr (library, "rusticl") && !g_getenv ("RUSTICL_ENABLE"))
    return g_strdup (_ ("set RUSTICL_ENABLE to the name of the card's driver in Mesa, such as radeonsi or iris, or to "
                        "llvmpipe for the CPU"));
  if (strstr (library, "pocl") && g_getenv ("POCL_DEVICES"))
    return g_strdup (_ ("unset POCL_DEVICES"));
  return g_strdup (_ ("if its card is installed, check the permissions below and that its kernel module is loaded; "
                      "otherwise the driver can stay as it is"));
}

static void
explain_driver (GPtrArray *findings, const CapraDriver *driver)
{
  g_autofree char *name = NULL, *reason = NULL, *remedy = NULL;
  CapraFindingState state = CAPRA_FINDING_USED;

  if (driver->file.library && !g_str_equal (driver->file.path, driver->file.library))
    name = g_strdup_printf ("%s (%s)", driver->file.path, driver->loaded ? driver->loaded : driver->file.library);
  else
    name = g_strdup (driver->file.path);
  if (!driver->file.library)
    {
      capra_finding_add (findings, CAPRA_FINDING_DRIVER, CAPRA_FINDING_UNSEEN, name, driver->file.problem,
                         _ ("reinstall the package of the driver, or remove the file"));
      return;
    }
  if (capra_verdict_is_refusal (&driver->verdict))
    state = CAPRA_FINDING_REFUSED;
  else if (driver->verdict.result == CAPRA_TRIAL_MISSING || driver->verdict.result == CAPRA_TRIAL_EMPTY)
    state = CAPRA_FINDING_UNSEEN;
  reason = capra_verdict_describe (&driver->verdict);
  remedy = driver->verdict.result == CAPRA_TRIAL_EMPTY ? dup_empty_remedy (driver)
                                                       : capra_verdict_dup_remedy (&driver->verdict);
  capra_finding_add (findings, CAPRA_FINDING_DRIVER, state, name, reason, remedy);
}

/* Those that the process does not use. */
static void
explain_refused_devices (GPtrArray *findings, const CapraDriver *driver)
{
  for (guint i = 0; i < driver->devices->len; i++)
    {
      const CapraTriedDevice *device = &g_array_index (driver->devices, CapraTriedDevice, i);
      g_autofree char *reason = capra_verdict_describe (&device->verdict);
      g_autofree char *remedy = capra_verdict_dup_remedy (&device->verdict);
      g_autofree char *name = g_strdup_printf ("%s (%s)", device->name, device->platform);

      if (capra_verdict_is_refusal (&device->verdict))
        capra_finding_add (findings, CAPRA_FINDING_DEVICE, CAPRA_FINDING_REFUSED, name, reason, remedy);
    }
}

/* Of PoCL, which cannot work without one. */
static void
explain_folder (GPtrArray *findings)
{
  const char *problem = NULL, *used = NULL, *folder = capra_driver_folder_get_replaced (&problem, &used);
  g_autofree char *reason = used ? g_strdup_printf (_ ("%s; the driver stores kernels in %s"), problem, used) : NULL;

  if (folder)
    capra_finding_add (findings, CAPRA_FINDING_DRIVER, CAPRA_FINDING_REFUSED, folder, reason ? reason : problem,
                       _ ("free space there, or set XDG_CACHE_HOME to another folder"));
}

/* The quirks of its driver, and what is set aside. */
static void
explain_kernels (GPtrArray *findings, CapraDevice *device)
{
  g_autoptr (GPtrArray) quarantine = capra_quarantine_list (device);
  const GPtrArray *quirks = capra_quirks_list (device);
  const CapraDeviceInfo *info = capra_device_get_info (device);

  for (guint i = 0; i < quirks->len; i++)
    {
      const CapraQuirk *quirk = quirks->pdata[i];
      g_autofree char *name = g_strdup_printf (_ ("quirk %s of %u: %s"), quirk->name, info->index, info->name);
      g_autofree char *reason = capra_quirk_describe (quirk);
      gboolean used = quirk->action == CAPRA_QUIRK_ADD_OPTIONS || quirk->action == CAPRA_QUIRK_END_CHILDREN;

      capra_finding_add (findings, CAPRA_FINDING_KERNELS, used ? CAPRA_FINDING_USED : CAPRA_FINDING_REFUSED, name,
                         reason, _ ("an entry of the same name in your quirks.ini replaces it"));
    }
  for (guint i = 0; i < quarantine->len; i++)
    {
      const CapraQuarantined *quarantined = quarantine->pdata[i];
      g_autofree char *name = g_strdup_printf (_ ("%s of %u: %s"), quarantined->name, info->index, info->name);
      g_autofree char *reason = capra_quarantined_describe (quarantined);

      capra_finding_add (findings, CAPRA_FINDING_KERNELS, CAPRA_FINDING_REFUSED, name, reason,
                         _ ("update the driver, or allow it again with \"capra devices --lift\""));
    }
}

/* How much memory of the device may be used. Sets @remedy if it could be more. */
static char *
describe_budget (const CapraDeviceInfo *info, char **remedy)
{
  CapraBudgetSource source = CAPRA_BUDGET_OF_DEVICE;
  guint64 budget = capra_device_budget_get (info, &source);
  g_autofree char *size = g_format_size_full (budget, G_FORMAT_SIZE_IEC_UNITS), *where = NULL;

  if (source == CAPRA_BUDGET_OF_SYSTEM)
    *remedy = g_strdup (_ ("it shares the memory of the machine, of which little is available: close other programs, "
                           "raise the limit of the container, or set CAPRA_MEMORY_BUDGET"));
  else if (source == CAPRA_BUDGET_OF_SETTING)
    capra_settings_get_source ("memory-budget", &where);
  if (where)
    *remedy = g_strdup_printf (_ ("the budget is set by %s"), where);
  return g_strdup_printf (_ ("with a memory budget of %s"), size);
}

static void
explain_device (GPtrArray *findings, CapraDevice *device)
{
  const CapraDeviceInfo *info = capra_device_get_info (device);
  g_autofree char *name = g_strdup_printf ("%u: %s (%s)", info->index, info->name, info->platform_name);
  g_autofree char *remedy = NULL, *budget = describe_budget (info, &remedy);

  if (capra_quirks_check_device (device, NULL))
    capra_finding_add (findings, CAPRA_FINDING_DEVICE, CAPRA_FINDING_USED, name, budget, remedy);
  else
    capra_finding_add (findings, CAPRA_FINDING_DEVICE, CAPRA_FINDING_REFUSED, name,
                       _ ("because of a quirk of its driver"), NULL);
  explain_kernels (findings, device);
}

GPtrArray *
capra_device_explain (void)
{
  GPtrArray *findings = capra_findings_new ();
  const GPtrArray *devices = capra_device_list (NULL);
  g_autoptr (GPtrArray) drivers = capra_device_dup_drivers ();

  for (guint i = 0; i < drivers->len; i++)
    {
      explain_driver (findings, drivers->pdata[i]);
      explain_refused_devices (findings, drivers->pdata[i]);
    }
  if (drivers->len == 0)
    {
      g_autofree char *folder = capra_driver_files_dup_folder ();

      capra_finding_add (findings, CAPRA_FINDING_DRIVER, CAPRA_FINDING_UNSEEN, folder,
                         _ ("it has no ICD file (.icd), which names a driver"),
                         g_getenv ("OCL_ICD_VENDORS") ? _ ("unset OCL_ICD_VENDORS to use the installed drivers")
                                                      : _ ("install the OpenCL driver of the graphics card, or "
                                                           "pocl-opencl-icd to compute on the CPU"));
    }
  explain_folder (findings);
  for (guint i = 0; devices && i < devices->len; i++)
    explain_device (findings, devices->pdata[i]);
  capra_hardware_explain (findings, "", devices);
  return findings;
}

char *
capra_device_explain_text (void)
{
  g_autoptr (GPtrArray) findings = capra_device_explain ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < findings->len; i++)
    {
      const CapraFinding *finding = findings->pdata[i];

      g_string_append_printf (text, "%s: %s", finding->name, capra_finding_state_name (finding->state));
      if (finding->reason)
        g_string_append_printf (text, ": %s", finding->reason);
      g_string_append_c (text, '\n');
      if (finding->remedy)
        g_string_append_printf (text, "  %s\n", finding->remedy);
    }
  return g_string_free (text, FALSE);
}
