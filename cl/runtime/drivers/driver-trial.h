/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver trial: loads drivers in child processes, and runs a kernel on each of their devices. Not installed. */
#pragma once

#include "runtime/drivers/driver.h"

G_BEGIN_DECLS

/* Tries all of @drivers at once, and sets their verdicts and devices. @limit: the longest time in seconds; once more
 * for the devices that follow one that hangs. Verdicts stay CAPRA_TRIAL_NONE if trials cannot be run. */
void capra_driver_trial_run (const GPtrArray *drivers, guint limit);

/* Removes @folder with all that is in it. */
void capra_driver_trial_remove_folder (const char *folder);

/* Writes an ICD file for @library into @folder, or replaces it. @number: is in its name, so that the files are in this
 * order */
gboolean capra_driver_trial_write_icd (const char *folder, const char *library, guint number);

/* The value of OCL_ICD_VENDORS with which a loader reads the ICD files in @folder (g_free). It ends with a slash:
 * Khronos' loader of before October 2019, which CUDA 13 still brings along, appends the names of the files to it as it
 * is. */
char *capra_driver_trial_dup_vendors (const char *folder);

G_END_DECLS
