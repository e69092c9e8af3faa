/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Files with a sparse matrix: everything in them is checked, so that a damaged one is built again. */
#include "algorithms/azimuthal/azimuthal-file.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "runtime/base/write-text.h"

#define MAGIC "CapraAz1"
#define SUM_BYTES 32
#define KEY_LENGTH 64

typedef struct {
  char magic[8], key[KEY_LENGTH];
  guint32 n_rows, n_entries, weighted, unused;
  AzimuthalAxis radial, azimuthal;
} Header;

/* The sizes of the parts of a file. */
typedef struct {
  gsize starts, pixels, coefficients, all;
} Sizes;

static Sizes
get_sizes (const Header *header)
{
  Sizes sizes = { ((gsize) header->n_rows + 1) * sizeof (guint32), (gsize) header->n_entries * sizeof (guint32),
                  header->weighted ? (gsize) header->n_entries * sizeof (float) : 0, 0 };

  sizes.all = sizeof *header + sizes.starts + sizes.pixels + sizes.coefficients + SUM_BYTES;
  return sizes;
}

char *
capra_sparse_make_key (const CapraAzimuthalSettings *settings, const guint8 *pixels)
{
  const CapraPoni *p = &settings->poni;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *text = g_strdup_printf (
    "%.17g %.17g %u %.17g %.17g %.17g %.17g %.17g %.17g %.17g %u %u %d %u %u %d", p->pixel1, p->pixel2, p->orientation,
    p->distance, p->poni1, p->poni2, p->rot1, p->rot2, p->rot3, p->wavelength, settings->width, settings->height,
    settings->unit, settings->bins, settings->azimuthal_bins, settings->splitting);

  g_checksum_update (sum, (const guchar *) text, -1);
  g_checksum_update (sum, pixels, (gssize) settings->width * settings->height);
  return g_strdup (g_checksum_get_string (sum));
}

static void
digest (gconstpointer data, gsize length, guint8 sum[SUM_BYTES])
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize bytes = SUM_BYTES;

  g_checksum_update (checksum, data, (gssize) length);
  g_checksum_get_digest (checksum, sum, &bytes);
}

/* Whether a file may be replaced: it is empty, or begins as a saved matrix does. */
static gboolean
is_replaceable (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  gsize length = file ? g_mapped_file_get_length (file) : 0;

  if (length == 0
      || (length >= sizeof MAGIC - 1 && memcmp (g_mapped_file_get_contents (file), MAGIC, sizeof MAGIC - 1) == 0))
    return TRUE;
  return capra_azimuthal_fail (
    error, _ ("the file for the matrix, %s, contains something else; choose another name, or remove it"), path);
}

gboolean
capra_sparse_save (const CapraSparse *matrix, const char *key, const char *path, GError **error)
{
  Header header = { .n_rows = matrix->n_rows,
                    .n_entries = matrix->n_entries,
                    .weighted = matrix->coefficients != NULL,
                    .radial = matrix->radial,
                    .azimuthal = matrix->azimuthal };
  Sizes sizes = get_sizes (&header);
  g_autofree guint8 *data = g_malloc (sizes.all);
  guint8 *to = data;

  if (!is_replaceable (path, error))
    return FALSE;
  memcpy (header.magic, MAGIC, sizeof header.magic);
  memcpy (header.key, key, KEY_LENGTH);
  memcpy (to, &header, sizeof header);
  to += sizeof header;
  memcpy (to, matrix->starts, sizes.starts);
  to += sizes.starts;
  memcpy (to, matrix->pixels, sizes.pixels);
  to += sizes.pixels;
  if (sizes.coefficients)
    memcpy (to, matrix->coefficients, sizes.coefficients);
  digest (data, sizes.all - SUM_BYTES, data + sizes.all - SUM_BYTES);
  return capra_write_data (path, (const char *) data, sizes.all, error);
}

static gboolean
check_axis (const AzimuthalAxis *axis, guint bins)
{
  return axis->bins == bins && isfinite (axis->min) && isfinite (axis->max) && isfinite (axis->delta);
}

static gboolean
check_header (const Header *header, const CapraAzimuthalSettings *settings, const char *key, gsize length)
{
  return memcmp (header->magic, MAGIC, sizeof header->magic) == 0 && memcmp (header->key, key, KEY_LENGTH) == 0
         && header->n_rows == settings->bins * settings->azimuthal_bins && header->weighted <= 1
         && header->weighted == (settings->splitting != CAPRA_AZIMUTHAL_SPLIT_NONE)
         && check_axis (&header->radial, settings->bins) && check_axis (&header->azimuthal, settings->azimuthal_bins)
         && get_sizes (header).all == length;
}

/* The kernels read what the rows and entries say, without further checks. */
static gboolean
check_contents (const CapraSparse *matrix, guint64 n_pixels)
{
  if (matrix->starts[0] != 0 || matrix->starts[matrix->n_rows] != matrix->n_entries)
    return FALSE;
  for (guint32 row = 0; row < matrix->n_rows; row++)
    if (matrix->starts[row] > matrix->starts[row + 1])
      return FALSE;
  for (guint32 e = 0; e < matrix->n_entries; e++)
    if (matrix->pixels[e] >= n_pixels || (matrix->coefficients && !isfinite (matrix->coefficients[e])))
      return FALSE;
  return TRUE;
}

gboolean
capra_sparse_parse (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const char *key, gconstpointer data,
                    gsize length)
{
  const guint8 *from = data;
  guint8 sum[SUM_BYTES];
  Header header;
  Sizes sizes;

  *matrix = (CapraSparse){ 0 };
  if (length < sizeof header + SUM_BYTES)
    return FALSE;
  memcpy (&header, from, sizeof header);
  if (!check_header (&header, settings, key, length))
    return FALSE;
  digest (from, length - SUM_BYTES, sum);
  if (memcmp (sum, from + length - SUM_BYTES, SUM_BYTES) != 0)
    return FALSE;
  sizes = get_sizes (&header);
  from += sizeof header;
  *matrix = (CapraSparse){
    header.radial, header.azimuthal, header.n_rows, header.n_entries, g_memdup2 (from, sizes.starts), NULL, NULL
  };
  matrix->pixels = g_malloc (MAX (sizes.pixels, 1));
  memcpy (matrix->pixels, from + sizes.starts, sizes.pixels);
  if (header.weighted)
    {
      matrix->coefficients = g_malloc (MAX (sizes.coefficients, 1));
      memcpy (matrix->coefficients, from + sizes.starts + sizes.pixels, sizes.coefficients);
    }
  if (check_contents (matrix, (guint64) settings->width * settings->height))
    return TRUE;
  capra_sparse_clear (matrix);
  return FALSE;
}

gboolean
capra_sparse_load (CapraSparse *matrix, const CapraAzimuthalSettings *settings, const char *key, const char *path)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);

  *matrix = (CapraSparse){ 0 };
  return file
         && capra_sparse_parse (matrix, settings, key, g_mapped_file_get_contents (file),
                                g_mapped_file_get_length (file));
}
