/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns-popover: chooses the columns of a table that are shown. */
#pragma once

#include "ui/panel/results/results-table.h"

G_BEGIN_DECLS

#define CAPRA_TYPE_COLUMNS_POPOVER (capra_columns_popover_get_type ())
G_DECLARE_FINAL_TYPE (CapraColumnsPopover, capra_columns_popover, CAPRA, COLUMNS_POPOVER, GtkPopover)

/* @table: (nullable) */
void capra_columns_popover_set_table (CapraColumnsPopover *popover, CapraResultsTable *table);

G_END_DECLS
