/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Number-format: how numbers are written, so that those of a column line up. */
#include "ui/panel/results/number-format.h"

#include <math.h>

#define DIGITS 6         /* of the largest number of a column */
#define MIN_DIGITS 3     /* that most of its numbers have */
#define MAX_DECIMALS 9   /* without an exponent */
#define MAX_INTEGER 1e15 /* larger integers are rounded to six digits, too */

/* Whether the number has no further decimals, but for its rounding in binary. */
static gboolean
is_exact (double value, int decimals)
{
  double scaled = value * pow (10.0, decimals);

  return fabs (scaled - round (scaled)) <= 1e-12 * fabs (scaled);
}

static int
find_decimals (CapraTable *table, guint column, int limit)
{
  gsize rows = capra_table_get_rows (table);
  int decimals = 0;

  for (gsize row = 0; row < rows && decimals < limit; row++)
    {
      double value = capra_table_get (table, row, column);

      while (isfinite (value) && decimals < limit && !is_exact (value, decimals))
        decimals++;
    }
  return decimals;
}

/* Whether most numbers of the column have fewer digits than necessary with this number of decimals. */
static gboolean
loses_digits (CapraTable *table, guint column, int decimals)
{
  double least = pow (10.0, MIN_DIGITS - 1 - decimals);
  gsize rows = capra_table_get_rows (table), lost = 0, kept = 0;

  for (gsize row = 0; row < rows; row++)
    {
      double value = capra_table_get (table, row, column);

      if (!isfinite (value) || is_exact (value, decimals))
        kept += isfinite (value) && value != 0.0;
      else if (fabs (value) < least)
        lost++;
      else
        kept++;
    }
  return lost > kept;
}

CapraNumberFormat
capra_number_format_find (CapraTable *table, guint column)
{
  gsize rows = capra_table_get_rows (table);
  double largest = 0.0;
  int decimals = 0;

  for (gsize row = 0; row < rows; row++)
    {
      double value = fabs (capra_table_get (table, row, column));

      if (isfinite (value) && value > largest)
        largest = value;
    }
  if (largest >= MAX_INTEGER)
    return (CapraNumberFormat){ DIGITS - 1, TRUE };
  if (largest > 0.0)
    decimals = MAX (DIGITS - 1 - (int) floor (log10 (largest)), 0);
  if (decimals > MAX_DECIMALS)
    return (CapraNumberFormat){ DIGITS - 1, TRUE };
  decimals = find_decimals (table, column, decimals);
  if (loses_digits (table, column, decimals))
    return (CapraNumberFormat){ DIGITS - 1, TRUE };
  return (CapraNumberFormat){ decimals, FALSE };
}

/* (nullable): the text of a value that is not finite. */
static const char *
print_special (double value)
{
  if (isnan (value))
    return "–";
  if (isinf (value))
    return value > 0 ? "∞" : "-∞";
  return NULL;
}

char *
capra_number_format_print (const CapraNumberFormat *format, double value)
{
  const char *special = print_special (value);

  if (special)
    return g_strdup (special);
  return g_strdup_printf (format->exponent ? "%.*e" : "%.*f", format->decimals, value);
}

char *
capra_number_format_print_single (double value)
{
  const char *special = print_special (value);

  if (special)
    return g_strdup (special);
  return g_strdup_printf (value == floor (value) && fabs (value) < MAX_INTEGER ? "%.0f" : "%.6g", value);
}
