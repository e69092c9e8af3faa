/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Residency: arrays that stay on the device until their next use, and may be evicted meanwhile. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_make_resident:
 * @discardable: whether the caller can get the contents from elsewhere
 *
 * Turns the caller's reference into a resident one: the array stays on the device for a later use, counts as
 * %CAPRA_MEMORY_RESIDENT, and may be evicted while all its references are resident ones. If memory is short, an array
 * is evicted: its contents move to the host, and back when it is used. If they are discardable to all residents, they
 * are not moved but lost. So whoever uses an array that may be resident takes a reference for that time, and checks
 * capra_array_is_evicted() afterwards if it is discardable.
 */
CAPRA_API
void capra_array_make_resident (CapraArray *array, gboolean discardable);

/**
 * capra_array_release_resident:
 * @discardable: as passed to capra_array_make_resident()
 *
 * Releases a resident reference.
 */
CAPRA_API
void capra_array_release_resident (CapraArray *array, gboolean discardable);

/**
 * capra_array_is_evicted:
 * Returns: whether the contents are not on the device at this moment
 */
CAPRA_API
gboolean capra_array_is_evicted (CapraArray *array);

G_END_DECLS
