/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Faults: calls of OpenCL and writes to files that fail on purpose, for tests. Without `CAPRA_FAULT` each costs a test
 * of a flag. */
#pragma once

#include "runtime/base/api.h"
#include "runtime/base/fault-kinds.h"

G_BEGIN_DECLS

/**
 * capra_fault_get_name:
 *
 * Returns: the name of @fault in `CAPRA_FAULT`
 */
CAPRA_API
const char *capra_fault_get_name (CapraFault fault);

/**
 * capra_fault_set:
 * @faults: (nullable): as in `CAPRA_FAULT`; %NULL: none
 *
 * Sets the calls that fail, and counts all calls from now on. "launch:17" makes the 17th launch of a kernel fail,
 * "launch:17-" all from that one on; several are separated by commas. "device:5" makes the device of the fifth call
 * fail from then on, "device:5-" all devices. "count" makes none fail; if `CAPRA_FAULT` is "count", the process prints
 * at its end how many calls there were.
 *
 * Returns: %TRUE on success; otherwise %FALSE with @error set, and no call fails
 */
CAPRA_API
gboolean capra_fault_set (const char *faults, GError **error);

/**
 * capra_fault_get_calls:
 *
 * Returns: the number of calls of that kind since capra_fault_set(), those that failed included
 */
CAPRA_API
guint capra_fault_get_calls (CapraFault fault);

/**
 * capra_fault_write:
 *
 * To be called before a write to a file.
 *
 * Returns: whether the write is to fail, with `errno` set
 */
CAPRA_API
gboolean capra_fault_write (void);

G_END_DECLS
