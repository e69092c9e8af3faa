/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the reader of PONI files. What it accepts must be a geometry that can be used. */
#include <math.h>

#include "algorithms/azimuthal/poni.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  CapraPoni poni;

  if (capra_poni_parse ((const char *) data, size, &poni, &error))
    {
      g_assert_no_error (error);
      g_assert_true (poni.pixel1 > 0 && poni.pixel2 > 0 && poni.distance > 0 && isfinite (poni.rot1));
      g_assert_true (poni.orientation >= 1 && poni.orientation <= 4 && poni.wavelength >= 0);
    }
  else
    g_assert_nonnull (error);
  return 0;
}
