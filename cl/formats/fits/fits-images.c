/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: finds the units of a file, and lists its images. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "formats/fits/fits-cards.h"
#include "formats/fits/fits-private.h"

#define BLOCK 2880
#define CARD 80
/* A header of 8 MB. */
#define MAX_BLOCKS 2800
#define MAX_AXES 999

static void
entry_free (gpointer data)
{
  CapraFitsEntry *entry = data;

  g_free (entry->axes);
  g_free (entry->records);
  g_free (entry);
}

static gboolean
has_end (const char *block)
{
  for (gsize at = 0; at < BLOCK; at += CARD)
    if (memcmp (block + at, "END     ", 8) == 0)
      return TRUE;
  return FALSE;
}

/* The cards of the unit at @offset, which is moved behind them. NULL at the end of the file, or if END is missing. */
static char *
read_records (CapraFits *fits, guint64 *offset, GError **error)
{
  g_autoptr (GString) records = g_string_new (NULL);
  guint64 size = capra_source_file_get_size (fits->file);

  for (guint n = 0; n < MAX_BLOCKS && *offset <= size && size - *offset >= BLOCK; n++)
    {
      char block[BLOCK];

      if (!capra_source_file_read (fits->file, *offset, block, BLOCK, error))
        return NULL;
      *offset += BLOCK;
      if (n == 0 && memcmp (block, "SIMPLE  =", 9) != 0 && memcmp (block, "XTENSION=", 9) != 0)
        return NULL;
      /* Texts end at a NUL, which is not allowed in headers. */
      for (gsize i = 0; i < BLOCK; i++)
        block[i] = block[i] ? block[i] : ' ';
      g_string_append_len (records, block, BLOCK);
      if (has_end (block))
        return g_string_free (g_steal_pointer (&records), FALSE);
    }
  return NULL;
}

/* Reads the lengths of @n axes, the keywords @name followed by 1 to @n. */
static gboolean
read_axes (CapraFitsHeader *header, const char *name, guint n, guint64 *axes)
{
  for (guint i = 0; i < n; i++)
    {
      gint64 length = 0;

      if (!capra_fits_header_get_integer (header, name, i + 1, &length) || length < 0)
        return FALSE;
      axes[i] = (guint64) length;
    }
  return TRUE;
}

/* The bytes of the data of a unit, without padding. FALSE if the keywords are wrong. */
static gboolean
get_data_bytes (CapraFitsHeader *header, guint64 *bytes)
{
  g_autofree guint64 *axes = g_new0 (guint64, MAX_AXES);
  gint64 bits = 0, n = 0, groups = 1, parameters = 0;
  guint64 values = 1;
  guint first = 0;

  capra_fits_header_get_integer (header, "GCOUNT", 0, &groups);
  capra_fits_header_get_integer (header, "PCOUNT", 0, &parameters);
  if (!capra_fits_header_get_integer (header, "BITPIX", 0, &bits) || ABS (bits) > 64
      || !capra_fits_header_get_integer (header, "NAXIS", 0, &n) || n < 0 || n > MAX_AXES || groups < 0
      || parameters < 0 || !read_axes (header, "NAXIS", (guint) n, axes))
    return FALSE;
  /* Random groups have an empty first axis. */
  first = n > 1 && axes[0] == 0 && capra_fits_header_is_true (header, "GROUPS") ? 1 : 0;
  for (guint i = first; i < n; i++)
    if (!g_uint64_checked_mul (&values, values, axes[i]))
      return FALSE;
  values = n > 0 ? values : 0;
  return g_uint64_checked_add (&values, values, (guint64) parameters)
         && g_uint64_checked_mul (&values, values, (guint64) groups)
         && g_uint64_checked_mul (bytes, values, (guint64) ABS (bits) / 8) && *bytes <= G_MAXINT64;
}

/* Sets the width, height and planes from the axes whose length is not 1. Returns FALSE if the image is empty. */
static gboolean
set_size (CapraFitsEntry *entry)
{
  CapraFitsImage *image = &entry->image;
  guint64 values = 1;
  guint n = 0;

  image->width = image->height = image->planes = 1;
  image->axis_x = 1;
  image->axis_y = entry->n_axes > 1 ? 2 : 0;
  for (guint i = 0; i < entry->n_axes; i++)
    {
      guint64 length = entry->axes[i];

      if (length < 1 || !g_uint64_checked_mul (&values, values, length) || values > G_MAXINT64 / 8)
        return FALSE;
      if (length == 1)
        continue;
      if (n == 0)
        {
          image->width = length;
          image->axis_x = i + 1;
          image->axis_y = i + 1 < entry->n_axes ? i + 2 : 0;
        }
      else if (n == 1)
        {
          image->height = length;
          image->axis_y = i + 1;
        }
      else
        image->planes *= length;
      n++;
    }
  return entry->n_axes > 0;
}

static gboolean
is_bitpix (gint64 bits)
{
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == -32 || bits == -64;
}

/* Describes the image of a unit in @entry. Returns FALSE if it has none. */
static gboolean
describe_image (CapraFitsHeader *header, CapraFitsEntry *entry)
{
  const char *type = capra_fits_header_get_text (header, "XTENSION");
  gint64 bits = 0, n = 0;

  entry->image.compressed = g_strcmp0 (type, "BINTABLE") == 0 && capra_fits_header_is_true (header, "ZIMAGE");
  if (type && !g_str_equal (type, "IMAGE") && !g_str_equal (type, "IUEIMAGE") && !entry->image.compressed)
    return FALSE;
  if (entry->image.compressed && !capra_fits_check_table (header))
    return FALSE;
  if (!capra_fits_header_get_integer (header, entry->image.compressed ? "ZBITPIX" : "BITPIX", 0, &bits)
      || !is_bitpix (bits)
      || !capra_fits_header_get_integer (header, entry->image.compressed ? "ZNAXIS" : "NAXIS", 0, &n) || n < 1
      || n > MAX_AXES)
    return FALSE;
  entry->image.bits = (int) bits;
  entry->n_axes = (guint) n;
  entry->axes = g_new0 (guint64, entry->n_axes);
  return read_axes (header, entry->image.compressed ? "ZNAXIS" : "NAXIS", entry->n_axes, entry->axes)
         && set_size (entry);
}

/* Adds the unit @number if it is an image. @records: taken */
static void
add_image (CapraFits *fits, int number, CapraFitsHeader *header, char *records, guint64 data)
{
  CapraFitsEntry *entry = g_new0 (CapraFitsEntry, 1);
  const char *name = capra_fits_header_get_text (header, "EXTNAME");

  entry->records = records;
  entry->data = data;
  entry->image.hdu = number;
  entry->image.name = g_string_chunk_insert (fits->names, name ? name : "");
  if (describe_image (header, entry))
    g_ptr_array_add (fits->entries, entry);
  else
    entry_free (entry);
}

static gboolean
fail_empty (CapraFits *fits, int units, GError **error)
{
  const char *path = capra_source_file_get_path (fits->file);

  if (error && *error)
    return FALSE;
  if (units > 0)
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND, _ ("%s has no image"), path);
  else
    g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
                 _ ("cannot read %s: it is not a FITS file, or it is cut off"), path);
  return FALSE;
}

gboolean
capra_fits_list_images (CapraFits *fits, GError **error)
{
  guint64 offset = 0, bytes = 0;
  char *records = NULL;
  int number = 0;

  fits->entries = g_ptr_array_new_with_free_func (entry_free);
  fits->names = g_string_chunk_new (256);
  /* What follows a damaged unit cannot be found. */
  while ((records = read_records (fits, &offset, error)))
    {
      g_autoptr (CapraFitsHeader) header = capra_fits_header_new_stored (records, -1);
      gboolean good = get_data_bytes (header, &bytes);

      if (!good && number == 0)
        {
          g_free (records);
          break;
        }
      add_image (fits, ++number, header, records, offset);
      if (!good || !g_uint64_checked_add (&offset, offset, (bytes + BLOCK - 1) / BLOCK * BLOCK))
        break;
    }
  return fits->entries->len > 0 || fail_empty (fits, number, error);
}

gboolean
capra_fits_find_image (CapraFits *fits, const char *name, guint *index, GError **error)
{
  char *end = NULL;
  guint64 number = g_ascii_strtoull (name, &end, 10);
  gboolean is_number = *name && !*end;

  for (guint i = 0; i < fits->entries->len; i++)
    {
      const CapraFitsImage *image = capra_fits_get_image (fits, i);

      if (!*name || g_ascii_strcasecmp (image->name, name) == 0 || (is_number && number == (guint64) image->hdu))
        {
          *index = i;
          return TRUE;
        }
    }
  g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_NOT_FOUND, _ ("%s has no image \"%s\""),
               capra_source_file_get_path (fits->file), name);
  return FALSE;
}
