/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OpenCL drivers with faults beside those of the system. */
#pragma once

#include <glib.h>

/* Writes the ICD file of the driver `fake-NAME` (see tests/drivers) into @folder. */
void support_drivers_add (const char *folder, const char *name);

/* A new folder with the ICD files of the system, and those of @names, which are separated by spaces. For
 * OCL_ICD_VENDORS. */
char *support_drivers_new (const char *names);
