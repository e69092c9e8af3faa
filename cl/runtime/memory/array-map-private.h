/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The state of mappings. */
#pragma once

#include "runtime/memory/array-map.h"

G_BEGIN_DECLS

/* Whether @array can be mapped for reading, or for writing: no other mapping excludes it. */
gboolean capra_array_can_map (CapraArray *array, gboolean write);

G_END_DECLS
