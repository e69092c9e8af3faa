/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: recognizes files by their first bytes, also in builds without CFITSIO. */
#include <string.h>

#include "formats/fits/fits.h"
#include "formats/source-file.h"

gboolean
capra_fits_recognize (const char *path)
{
  static const char start[] = "SIMPLE  =";
  char found[sizeof start - 1];

  return capra_source_file_peek (path, found, sizeof found) == sizeof found && memcmp (found, start, sizeof found) == 0;
}
