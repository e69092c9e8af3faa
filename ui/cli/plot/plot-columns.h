/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plot-columns: which columns of a table are drawn. */
#pragma once

#include "ui/figure/columns.h"

G_BEGIN_DECLS

/* Indices of columns; @error is -1 without one. */
typedef struct {
  int x, y, error;
} PlotColumns;

/**
 * plot_columns_choose:
 * @names: (nullable): for x, y and the error, by names or by numbers from 1, separated by commas
 *
 * Without @names: the first column, the second one or the one with a name for intensities, and the first one with a
 * name for errors, such as "sem" or "sigma".
 *
 * Returns: FALSE with @error set if the table has no such columns
 */
gboolean plot_columns_choose (const CapraColumns *table, const char *names, PlotColumns *columns, GError **error);

G_END_DECLS
