/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: makes a small, clean file of the table with a compressed image, for CFITSIO.
 *
 * CFITSIO divides by zero or overflows for some wrong keywords, and for some that occur twice. So it never reads a file
 * itself: it gets a file in memory whose keywords are checked here and occur once, with the data of the table. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "formats/fits/fits-cards.h"
#include "formats/fits/fits-private.h"

#define BLOCK 2880
/* Of CFITSIO. */
#define MAX_AXES 6
#define MAX_FIELDS 16
#define MAX_PARAMETERS 9
/* A tile is decompressed at once. */
#define MAX_TILE ((guint64) 1 << 28)
/* Of the strings and numbers that describe such images. */
#define MAX_TEXT 24
#define TEXT_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_()+-."
#define MAX_TABLE ((guint64) G_MAXINT32 / 2)

static gboolean
is_within (CapraFitsHeader *header, const char *name, guint index, gint64 low, gint64 high, gint64 *value)
{
  return capra_fits_header_get_integer (header, name, index, value) && *value >= low && *value <= high;
}

/* Whether the tiles cover the image with one row of the table each. */
static gboolean
check_tiles (CapraFitsHeader *header, gint64 rows)
{
  gint64 n = 0;
  guint64 tiles = 1, values = 1;

  if (!is_within (header, "ZNAXIS", 0, 1, MAX_AXES, &n))
    return FALSE;
  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *key = g_strdup_printf ("ZTILE%u", i);
      gint64 length = 0, tile = 0;

      if (!is_within (header, "ZNAXIS", i, 1, G_MAXINT32, &length))
        return FALSE;
      /* By default a tile is a row. */
      tile = i == 1 ? length : 1;
      if (capra_fits_header_get_text (header, key) && !is_within (header, "ZTILE", i, 1, G_MAXINT32, &tile))
        return FALSE;
      if (!g_uint64_checked_mul (&tiles, tiles, ((guint64) length - 1) / (guint64) tile + 1)
          || !g_uint64_checked_mul (&values, values, (guint64) MIN (tile, length)))
        return FALSE;
    }
  return tiles <= (guint64) rows && values <= MAX_TILE;
}

/* Whether the parameters of the compression are those that exist. */
static gboolean
check_parameters (CapraFitsHeader *header)
{
  for (guint i = 1; i <= MAX_PARAMETERS; i++)
    {
      g_autofree char *key = g_strdup_printf ("ZNAME%u", i);
      const char *name = capra_fits_header_get_text (header, key);
      gint64 value = 0;

      if (g_strcmp0 (name, "BLOCKSIZE") == 0 && (!is_within (header, "ZVAL", i, 16, 32, &value) || value % 16 != 0))
        return FALSE;
      if (g_strcmp0 (name, "BYTEPIX") == 0 && (!is_within (header, "ZVAL", i, 1, 8, &value) || (value & (value - 1))))
        return FALSE;
    }
  return TRUE;
}

/* The bytes of a column with this TFORM in a row; 0 if compressed images have no such columns. */
static gint64
get_width (const char *form)
{
  static const char types[] = "BIJKEDPQ";
  static const gint64 widths[] = { 1, 2, 4, 8, 4, 8, 8, 16 };
  const char *found = NULL, *rest = NULL;

  form += *form == '1';
  found = *form ? strchr (types, *form) : NULL;
  if (!found)
    return 0;
  rest = form + 1;
  if (*found == 'P' || *found == 'Q')
    {
      rest += *rest && strchr ("BIJKED", *rest) ? 1 : 0;
      if (*rest == '(')
        rest += 1 + strspn (rest + 1, "0123456789") + 1;
    }
  return strlen (form) == (gsize) (rest - form) ? widths[found - types] : 0;
}

/* Whether the name of the compression is known. */
static gboolean
check_compression (CapraFitsHeader *header)
{
  static const char *const names[] = { "RICE_1", "RICE_ONE", "GZIP_1", "GZIP_2", "PLIO_1", "HCOMPRESS_1", NULL };
  const char *name = capra_fits_header_get_text (header, "ZCMPTYPE");

  return name && g_strv_contains (names, name);
}

static gboolean
check_columns (CapraFitsHeader *header, gint64 width)
{
  gint64 fields = 0, sum = 0;

  if (!is_within (header, "TFIELDS", 0, 1, MAX_FIELDS, &fields))
    return FALSE;
  for (guint i = 1; i <= fields; i++)
    {
      g_autofree char *key = g_strdup_printf ("TFORM%u", i);
      const char *form = capra_fits_header_get_text (header, key);
      gint64 bytes = form ? get_width (form) : 0;

      if (bytes == 0)
        return FALSE;
      sum += bytes;
    }
  return sum == width;
}

gboolean
capra_fits_check_table (CapraFitsHeader *header)
{
  gint64 width = 0, rows = 0, heap = 0, bits = 0, axes = 0;

  return is_within (header, "BITPIX", 0, 8, 8, &bits) && is_within (header, "NAXIS", 0, 2, 2, &axes)
         && is_within (header, "NAXIS1", 0, 1, 1024, &width) && is_within (header, "NAXIS2", 0, 1, G_MAXINT32, &rows)
         && is_within (header, "PCOUNT", 0, 0, G_MAXINT64 / 4, &heap) && check_columns (header, width)
         && check_tiles (header, rows) && check_parameters (header) && check_compression (header);
}

/* Appends the card of the keyword @name, followed by the number @index if that is not 0, if @header has it. */
static void
append_card (GString *cards, CapraFitsHeader *header, const char *name, guint index)
{
  g_autofree char *key = index ? g_strdup_printf ("%s%u", name, index) : g_strdup (name);
  const char *text = capra_fits_header_get_text (header, key);
  gsize start = cards->len;

  /* CFITSIO copies some texts into short arrays. */
  if (!text || strlen (text) > MAX_TEXT || text[strspn (text, TEXT_CHARACTERS)] != '\0')
    return;
  g_string_append_printf (cards, "%-8s= ", key);
  if (g_ascii_isalpha (*text) && !(text[1] == '\0' && (*text == 'T' || *text == 'F')))
    g_string_append_printf (cards, "'%-8s'", text);
  else if (g_str_has_prefix (name, "TFORM") || g_str_has_prefix (name, "TTYPE"))
    g_string_append_printf (cards, "'%-8s'", text);
  else
    g_string_append_printf (cards, "%20s", text);
  g_string_append_printf (cards, "%*s", (int) (start + 80 - cards->len), "");
}

static void
append_text (GString *cards, const char *text)
{
  g_string_append_printf (cards, "%-80s", text);
}

static void
append_end (GString *cards)
{
  append_text (cards, "END");
  g_string_append_printf (cards, "%*s", (int) ((BLOCK - cards->len % BLOCK) % BLOCK), "");
}

/* The headers of an empty primary unit and of the table. */
static GString *
make_headers (CapraFitsHeader *header)
{
  static const struct {
    const char *name;
    guint numbers; /* 0: without a number */
  } keywords[] = { { "BITPIX", 0 },
                   { "NAXIS", 0 },
                   { "NAXIS", 2 },
                   { "PCOUNT", 0 },
                   { "GCOUNT", 0 },
                   { "TFIELDS", 0 },
                   { "TTYPE", MAX_FIELDS },
                   { "TFORM", MAX_FIELDS },
                   { "TSCAL", MAX_FIELDS },
                   { "TZERO", MAX_FIELDS },
                   { "THEAP", 0 },
                   { "ZIMAGE", 0 },
                   { "ZCMPTYPE", 0 },
                   { "ZBITPIX", 0 },
                   { "ZNAXIS", 0 },
                   { "ZNAXIS", MAX_AXES },
                   { "ZTILE", MAX_AXES },
                   { "ZNAME", MAX_PARAMETERS },
                   { "ZVAL", MAX_PARAMETERS },
                   { "ZBLANK", 0 },
                   { "ZQUANTIZ", 0 },
                   { "ZDITHER0", 0 },
                   { "ZSCALE", 0 },
                   { "ZZERO", 0 },
                   { "BSCALE", 0 },
                   { "BZERO", 0 },
                   { "BLANK", 0 } };
  GString *cards = g_string_new (NULL);

  append_text (cards, "SIMPLE  =                    T");
  append_text (cards, "BITPIX  =                    8");
  append_text (cards, "NAXIS   =                    0");
  append_text (cards, "EXTEND  =                    T");
  append_end (cards);
  append_text (cards, "XTENSION= 'BINTABLE'");
  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++)
    for (guint k = keywords[i].numbers ? 1 : 0; k <= keywords[i].numbers; k++)
      append_card (cards, header, keywords[i].name, k);
  append_end (cards);
  return cards;
}

GByteArray *
capra_fits_extract_table (CapraFits *fits, const CapraFitsEntry *entry, GError **error)
{
  g_autoptr (CapraFitsHeader) header = capra_fits_header_new_stored (entry->records, -1);
  GString *cards = make_headers (header);
  gint64 width = 0, rows = 0, heap = 0;
  gsize start = cards->len, bytes = 0, padded = 0;
  g_autofree guint8 *file = NULL;

  capra_fits_header_get_integer (header, "NAXIS1", 0, &width);
  capra_fits_header_get_integer (header, "NAXIS2", 0, &rows);
  capra_fits_header_get_integer (header, "PCOUNT", 0, &heap);
  bytes = (gsize) (width * rows + heap);
  padded = start + (bytes + BLOCK - 1) / BLOCK * BLOCK;
  /* A file that is cut off has fewer bytes than its headers say. */
  if (bytes > MAX_TABLE || bytes > capra_source_file_get_size (fits->file) || !(file = g_try_malloc0 (padded)))
    {
      g_string_free (cards, TRUE);
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED,
                   _ ("%s is cut off, or its compressed image is too large"), capra_source_file_get_path (fits->file));
      return NULL;
    }
  memcpy (file, cards->str, start);
  g_string_free (cards, TRUE);
  if (!capra_source_file_read (fits->file, entry->data, file + start, bytes, error))
    return NULL;
  if (!capra_fits_check_tiles (header, file + start, bytes))
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_DAMAGED, _ ("%s has damaged compressed pixels"),
                   capra_source_file_get_path (fits->file));
      return NULL;
    }
  return g_byte_array_new_take (g_steal_pointer (&file), padded);
}
