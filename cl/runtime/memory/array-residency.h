/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Residency: arrays that stay on the device until their next use, and may be evicted meanwhile. */
#pragma once

#include "runtime/memory/array.h"

G_BEGIN_DECLS

/**
 * capra_array_make_resident:
 * @discardable: whether the caller can get the contents from elsewhere
 *
 * Turns the caller's reference into a resident one: the array stays on the device for a later use, and counts as
 * %CAPRA_MEMORY_RESIDENT.
 *
 * - If memory is short, an array whose references are all resident may be evicted. Its contents move to the host, and
 *   back when the array is used. If every holder of a reference declared them discardable, they are lost instead.
 * - Code that uses an array that may be resident takes an ordinary reference first, which prevents eviction. If the
 *   array is discardable, it then checks capra_array_is_evicted().
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

/**
 * capra_array_is_shared:
 * @held: the number of references that the caller knows, resident ones included
 *
 * Returns: whether there are others, so that the contents must not be changed
 */
CAPRA_API
gboolean capra_array_is_shared (CapraArray *array, guint held);

G_END_DECLS
