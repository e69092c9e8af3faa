/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Node results: the numbers that a Capra operation publishes in its properties. */
#pragma once

#include <gegl.h>

G_BEGIN_DECLS

/* The key of properties that hold a number that an operation has found. */
#define CAPRA_KEY_RESULT "capra:result"

/* (nullable) (transfer full) (element-type double): the numbers of the operation of @node by the names of their
 * properties (interned), such as "threshold"; %NULL if it has failed or finds none. */
GHashTable *capra_node_get_results (GeglNode *node);

G_END_DECLS
