/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results-columns: the columns of tables in plain words, with their units. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Translated; an unknown @name itself. */
const char *capra_results_column_get_title (const char *name);
/* Translated; "" without a unit. */
const char *capra_results_column_get_unit (const char *name);
/* Whether it is shown unless the user chooses otherwise. @regions: whether the table is one of regions. */
gboolean capra_results_column_is_common (const char *name, gboolean regions);
/* (transfer full): the title for a narrow table, with the unit in a line of its own. */
char *capra_results_column_dup_short_header (const char *name);

G_END_DECLS
