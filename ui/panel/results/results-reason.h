/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-reason: why a number of a table is not finite, in plain words. */
#pragma once

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/* (transfer full) (nullable): translated; %NULL for a finite number. */
char *capra_results_dup_reason (const CapraTable *table, gsize row, guint column);

G_END_DECLS
