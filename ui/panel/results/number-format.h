/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-format: how numbers are written, so that those of a column line up. */
#pragma once

#include "algorithms/common/table.h"

G_BEGIN_DECLS

/**
 * CapraNumberFormat:
 * @decimals: digits behind the point
 * @exponent: whether numbers have an exponent
 */
typedef struct {
  int decimals;
  gboolean exponent;
} CapraNumberFormat;

/* The format of a column's numbers: as many decimals as its largest number has within six digits, or fewer if none
 * needs them; with an exponent where most of its numbers would lose too many digits. */
CapraNumberFormat capra_number_format_find (CapraTable *table, guint column);
/* (transfer full): "–" for NaN. */
char *capra_number_format_print (const CapraNumberFormat *format, double value);
/* (transfer full): a number that is in no column, with up to six digits. */
char *capra_number_format_print_single (double value);

G_END_DECLS
