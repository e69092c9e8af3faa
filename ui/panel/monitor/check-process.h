/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check-process: runs `capra check` on a device, in a process that a driver may end or hang. */
#pragma once

#include <gio/gio.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraCheckProcess:
 *
 * Signals: "progress" (guint, guint, string): the number of the family that runs now, the number of all, and its name;
 * "ended" (CapraCheckRecord, nullable; string, nullable): with what was found, or else why the check did not end; with
 * neither if it was canceled.
 */
#define CAPRA_TYPE_CHECK_PROCESS (capra_check_process_get_type ())
G_DECLARE_FINAL_TYPE (CapraCheckProcess, capra_check_process, CAPRA, CHECK_PROCESS, GObject)

/**
 * capra_check_process_start:
 * @cancellable: ends the process at once
 *
 * Returns: (transfer full) (nullable): %NULL with @error set
 */
CapraCheckProcess *capra_check_process_start (CapraDevice *device, GCancellable *cancellable, GError **error);

G_END_DECLS
