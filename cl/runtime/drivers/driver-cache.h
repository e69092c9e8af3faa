/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver cache: verdicts on drivers, in a file in the user's cache folder. Not installed. */
#pragma once

#include "runtime/drivers/driver.h"

G_BEGIN_DECLS

/* The path of the file. (nullable) */
char *capra_driver_cache_dup_path (void);

/* The file's contents; empty if it is missing or damaged. */
GKeyFile *capra_driver_cache_load (void);

/* Reads the stored verdict on @driver. Returns %FALSE if there is none, or if the driver, its library, the environment
 * or this library has changed since. */
gboolean capra_driver_cache_find (GKeyFile *cache, CapraDriver *driver);

/* If the new trial of @driver was not completed, and it or a device of it was refused before, the stored verdicts
 * replace the new ones. */
void capra_driver_cache_recall (GKeyFile *cache, CapraDriver *driver);

/* Stores the verdicts on @drivers, beside those on other drivers. A failure is ignored: the next process tries the
 * drivers again. */
void capra_driver_cache_store (const GPtrArray *drivers);

G_END_DECLS
