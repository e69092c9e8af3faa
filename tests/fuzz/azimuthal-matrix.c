/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the reader of saved sparse matrices. The input follows the magic number and the key; the right checksum
 * is appended, so that the checks behind it are reached. What is accepted must be within the bounds that kernels rely
 * on. */
#include <string.h>

#include "algorithms/azimuthal/azimuthal-file.h"

#define START "CapraAz1"
#define SUM_BYTES 32

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

static void
check (const CapraSparse *matrix, guint32 n_pixels)
{
  for (guint32 row = 0; row < matrix->n_rows; row++)
    {
      g_assert_true (matrix->starts[row] <= matrix->starts[row + 1]);
      for (guint32 e = matrix->starts[row]; e < matrix->starts[row + 1]; e++)
        g_assert_true (matrix->pixels[e] < n_pixels);
    }
}

static void
parse (CapraAzimuthalSplitting splitting, const guint8 *data, gsize size)
{
  CapraAzimuthalSettings settings = { .width = 3, .height = 2, .bins = 4, .azimuthal_bins = 1, .splitting = splitting };
  guint8 pixels[6] = { 0 };
  gsize start = strlen (START), length = start + 64 + size + SUM_BYTES, bytes = SUM_BYTES;
  g_autofree guint8 *file = g_malloc (length);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *key = capra_sparse_make_key (&settings, pixels);
  CapraSparse matrix;

  memcpy (file, START, start);
  memcpy (file + start, key, 64);
  memcpy (file + start + 64, data, size);
  g_checksum_update (sum, file, (gssize) (length - SUM_BYTES));
  g_checksum_get_digest (sum, file + length - SUM_BYTES, &bytes);
  if (capra_sparse_parse (&matrix, &settings, key, file, length))
    check (&matrix, 6);
  capra_sparse_clear (&matrix);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  parse (CAPRA_AZIMUTHAL_SPLIT_NONE, data, size);
  parse (CAPRA_AZIMUTHAL_SPLIT_FULL, data, size);
  return 0;
}
