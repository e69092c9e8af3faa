/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quirks: what is known to be broken in drivers, and how it is avoided. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_QUIRK_NONE, /* replaces an entry that is not wanted */
  CAPRA_QUIRK_AVOID_VARIANT,
  CAPRA_QUIRK_ADD_OPTIONS,
  CAPRA_QUIRK_REFUSE_KERNELS,
  CAPRA_QUIRK_REFUSE_DEVICE,
  CAPRA_QUIRK_END_CHILDREN,
} CapraQuirkAction;

/**
 * CapraQuirk:
 * @name: of the entry in the file
 * @platform: (nullable): a pattern for the platform's name
 * @vendor: (nullable): a pattern for the vendor's name
 * @device: (nullable): a pattern for the device's name
 * @driver_from: (nullable): the first version of the driver that is affected
 * @driver_before: (nullable): the first later version that is not
 * @variant: (nullable): a key of the tuning and the value that is avoided: "taps.variant=group"
 * @kernels: (nullable) (array zero-terminated=1): patterns for the names of kernel files, without suffix
 * @options: (nullable): for the driver's compiler
 * @reason: (nullable): what is broken
 * @link: (nullable): the address of a report of it
 * @file: (nullable): the user's file that has this entry; %NULL for an entry of Capra
 */
typedef struct {
  char *name, *platform, *vendor, *device, *driver_from, *driver_before;
  CapraQuirkAction action;
  char *variant, **kernels, *options, *reason, *link, *file;
} CapraQuirk;

/**
 * capra_quirks_list:
 *
 * Reads data/quirks.ini of the library's resources and the user's quirks.ini, once per process; what is wrong in the
 * user's is reported in the log, and ignored.
 *
 * Returns: (element-type CapraQuirk) (transfer none): the entries that hold for @device
 */
CAPRA_API
const GPtrArray *capra_quirks_list (CapraDevice *device);

/**
 * capra_quirk_describe:
 *
 * Returns: (transfer full): what is avoided, why, and the link, for the user
 */
CAPRA_API
char *capra_quirk_describe (const CapraQuirk *quirk);

/**
 * capra_quirks_avoid:
 * @key: of the tuning, such as "taps.variant"
 *
 * Returns: whether the value @value is not chosen for @device
 */
CAPRA_API
gboolean capra_quirks_avoid (CapraDevice *device, const char *key, const char *value);

G_END_DECLS
