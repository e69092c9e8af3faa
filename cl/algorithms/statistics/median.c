/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median: by a bracket from a sample where that fits, else by radix selection. */
#include "algorithms/statistics/median-private.h"
#include "algorithms/statistics/median.h"

gboolean
capra_median (CapraArray *input, guint64 *count, double *median, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (capra_median_bracket_fits (input))
    {
      if (capra_median_bracket (input, count, median, &failure))
        return TRUE;
      if (failure)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
  return capra_median_radix (input, count, median, error);
}
