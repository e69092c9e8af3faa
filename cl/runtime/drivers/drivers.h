/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Drivers: which of the installed OpenCL drivers this process may load. Not installed.
 *
 * A driver can hang or crash the process that loads it. So each driver, and each of its devices, is tried in a process
 * of its own first (driver-trial.h), and the verdict is stored (driver-cache.h). */
#pragma once

#include "runtime/drivers/driver.h"

G_BEGIN_DECLS

/* The installed drivers with their verdicts. Those that have changed since they were tried last, or all of them if
 * @again, are tried now; none of them if the setting `probe` is "off". (element-type CapraDriver) (transfer full) */
GPtrArray *capra_drivers_find (gboolean again);

/* Loads the libraries of those that are not refused and take long otherwise, see driver-load.h. */
void capra_drivers_load (const GPtrArray *drivers);

/* From now on until capra_drivers_show(), the OpenCL loader finds those of @drivers only that are not refused. Returns
 * %NULL if none is: then nothing changes. */
typedef struct _CapraHiddenDrivers CapraHiddenDrivers;
CapraHiddenDrivers *capra_drivers_hide (const GPtrArray *drivers);
void capra_drivers_show (CapraHiddenDrivers *hidden);

/* What the trials found for a device of this process. CAPRA_TRIAL_NONE: no trial has seen it. */
CapraTrialResult capra_drivers_judge (const GPtrArray *drivers, const char *platform, const char *name, guint number);

G_END_DECLS
