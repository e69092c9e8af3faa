/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Quarantine: kernels that ended programs when a driver built or ran them for the first time, and variants that
 * `capra check` found wrong. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

/**
 * CapraQuarantined:
 * @name: of a kernel: those of its file and of itself, and a number for its build options; or of a variant, as
 *   "taps.variant=group"
 * @family: (nullable): for a variant, the family of kernels that failed
 * @until: when a kernel is tried again, in seconds since 1970; 0 for a variant
 */
typedef struct {
  char *name, *family;
  gint64 until;
} CapraQuarantined;

/**
 * capra_quarantine_list:
 *
 * Before a program builds and launches a kernel that has not run with this driver yet, it writes a marker, which it
 * removes after the launch, and at its exit. If two programs in turn ended in between, this kernel alone is set aside:
 * another variant is used, or else another device. One program may have been ended by its user. It is tried again after
 * an hour; if that ends the program again, after two hours, and so on, at most after a week. A variant that fails
 * `capra check` is set aside if another one passes. Both hold for one version of the driver and of the kernels. The
 * setting `quarantine` turns this off.
 *
 * Returns: (element-type CapraQuarantined) (transfer full): what is set aside on @device
 */
CAPRA_API
GPtrArray *capra_quarantine_list (CapraDevice *device);

/**
 * capra_quarantined_describe:
 *
 * Returns: (transfer full): what is set aside, why, until when, and how to lift that, for the user
 */
CAPRA_API
char *capra_quarantined_describe (const CapraQuarantined *quarantined);

/**
 * capra_quarantine_add:
 * @variant: such as "taps.variant=group"
 * @family: of kernels that failed `capra check`
 *
 * Sets a variant aside, for processes that use @device from now on.
 *
 * Returns: %FALSE with @error set if that cannot be stored
 */
CAPRA_API
gboolean capra_quarantine_add (CapraDevice *device, const char *variant, const char *family, GError **error);

/**
 * capra_quarantine_lift:
 *
 * Lets the next processes use all kernels and variants on @device again.
 *
 * Returns: %FALSE with @error set if a file cannot be removed
 */
CAPRA_API
gboolean capra_quarantine_lift (CapraDevice *device, GError **error);

G_END_DECLS
