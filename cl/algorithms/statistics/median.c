/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Median: by a bracket from a sample where that fits, else by radix selection. */
#include "algorithms/statistics/median-private.h"
#include "algorithms/statistics/median.h"

gboolean
capra_median (const CapraBandSource *input, guint64 *count, double *median, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (CapraArray) whole = NULL;

  /* The bracket keeps those of all values that it may need. */
  if (capra_band_source_get_n_parts (input) == 1 && capra_band_source_count (input) == 1
      && !(whole = capra_band_source_read (input, 0, error)))
    return FALSE;
  if (whole && capra_median_bracket_fits (whole))
    {
      if (capra_median_bracket (whole, count, median, &failure))
        return TRUE;
      if (failure)
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
  return capra_median_radix (input, count, median, error);
}
