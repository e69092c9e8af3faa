/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Icc: finds unusable color profiles in image files.
 *
 * ICC.1:2010 (the profile's header); PNG, third edition, 11.3.2.3 (iCCP); ICC.1 annex B.4 (JPEG's APP2); Google's WebP
 * container specification (ICCP); TIFF 6.0 with tag 34675. GEGL's loaders fail on a damaged profile, and use one for
 * another color model. */
#include "ui/pipeline/read/icc.h"

#include <babl/babl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "ui/pipeline/read/icc-private.h"

#define HEADER_BYTES 128
#define MAX_PROFILE_BYTES ((gsize) 16 << 20)
#define MAX_COPY_BYTES ((gsize) 2 << 30) /* of a file that is copied without its profile */

guint32
capra_icc_word (const guint8 *data)
{
  return (guint32) data[0] << 24 | (guint32) data[1] << 16 | (guint32) data[2] << 8 | data[3];
}

/* Whether a tone curve is complete: babl does not check its number of values. */
static gboolean
check_curve (const guint8 *data, guint32 length)
{
  if (length < 12)
    return FALSE;
  return memcmp (data, "para", 4) == 0
         || (memcmp (data, "curv", 4) == 0 && capra_icc_word (data + 8) <= (length - 12) / 2);
}

/* Whether all tags are within the profile, and tone curves within their tags. */
static gboolean
check_tags (const guint8 *data, guint32 length)
{
  guint32 count = length >= HEADER_BYTES + 4 ? capra_icc_word (data + HEADER_BYTES) : 0;

  if (count == 0 || count > (length - HEADER_BYTES - 4) / 12)
    return FALSE;
  for (guint32 i = 0; i < count; i++)
    {
      const guint8 *entry = data + HEADER_BYTES + 4 + i * 12;
      guint32 offset = capra_icc_word (entry + 4), size = capra_icc_word (entry + 8);

      if (offset > length || size > length - offset || size < 8)
        return FALSE;
      if (memcmp (entry + 1, "TRC", 3) == 0 && !check_curve (data + offset, size))
        return FALSE;
    }
  return TRUE;
}

/* (nullable): why the profile is unusable for the image. */
static char *
find_fault (const IccFound *found)
{
  const char *data = (const char *) found->profile->data, *message = NULL;
  gsize length = found->profile->len;
  gboolean cmyk, gray;

  if (found->broken || length < HEADER_BYTES || capra_icc_word (found->profile->data) > length
      || memcmp (data + 36, "acsp", 4) != 0)
    return g_strdup (_ ("it is damaged"));
  cmyk = memcmp (data + 16, "CMYK", 4) == 0;
  gray = memcmp (data + 16, "GRAY", 4) == 0;
  if (cmyk != (found->colors == ICC_CMYK) || (gray && found->colors != ICC_GRAY))
    return g_strdup_printf (_ ("it is for another color model (%.4s) than the image"), data + 16);
  if (!check_tags (found->profile->data, (guint32) length))
    return g_strdup (_ ("it is damaged"));
  if (babl_space_from_icc (data, (int) length, BABL_ICC_INTENT_RELATIVE_COLORIMETRIC, &message))
    return NULL;
  return g_strdup (message ? message : _ ("it is damaged"));
}

/* PNG: the profile is compressed in a chunk. */
static gboolean
find_in_png (const guint8 *data, gsize length, IccFound *found)
{
  gsize at = 8;

  while (at + 12 <= length)
    {
      gsize size = capra_icc_word (data + at);
      const guint8 *type = data + at + 4, *body = type + 4, *end;

      if (size > length - at - 12 || memcmp (type, "IDAT", 4) == 0)
        return FALSE;
      if (memcmp (type, "IHDR", 4) == 0 && size >= 13)
        found->colors = body[9] & 2 ? ICC_RGB : ICC_GRAY;
      if (memcmp (type, "iCCP", 4) == 0)
        {
          end = memchr (body, 0, size);
          found->broken = !end || end + 2 > body + size || !capra_icc_inflate (end + 2, body + size, found->profile);
          capra_icc_cut (found, at, 12 + size);
          return TRUE;
        }
      at += 12 + size;
    }
  return FALSE;
}

/* JPEG: the profile is in one or more segments; all encoders write them in order. */
static gboolean
find_in_jpeg (const guint8 *data, gsize length, IccFound *found)
{
  static const char name[] = "ICC_PROFILE"; /* a 0, the segment's number and their count follow */
  gsize at = 2;

  while (at + 4 <= length && data[at] == 0xFF && data[at + 1] != 0xDA)
    {
      guint8 marker = data[at + 1];
      gsize size = (gsize) data[at + 2] << 8 | data[at + 3];

      if (size < 2 || size > length - at - 2)
        break;
      if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC && size >= 8)
        found->colors = data[at + 9] == 1 ? ICC_GRAY : data[at + 9] == 4 ? ICC_CMYK : ICC_RGB;
      if (marker == 0xE2 && size >= 2 + sizeof name + 2 && memcmp (data + at + 4, name, sizeof name) == 0)
        {
          g_byte_array_append (found->profile, data + at + 4 + sizeof name + 2, (guint) (size - 4 - sizeof name));
          capra_icc_cut (found, at, 2 + size);
        }
      at += 2 + size;
    }
  return found->cuts->len > 0;
}

/* WebP: the profile is a RIFF chunk, with a flag in the first chunk. */
static gboolean
find_in_webp (const guint8 *data, gsize length, IccFound *found)
{
  gsize at = 12;

  while (at + 8 <= length)
    {
      gsize size = (gsize) data[at + 4] | (gsize) data[at + 5] << 8 | (gsize) data[at + 6] << 16
                   | (gsize) data[at + 7] << 24;

      if (size > length - at - 8)
        return FALSE;
      if (memcmp (data + at, "ICCP", 4) == 0)
        {
          g_byte_array_append (found->profile, data + at + 8, (guint) MIN (size, MAX_PROFILE_BYTES));
          capra_icc_cut (found, at, MIN (8 + size + (size & 1), length - at));
          return TRUE;
        }
      at += 8 + size + (size & 1);
    }
  return FALSE;
}

/* Updates the size and the flag after the profile was removed. */
static void
fix_webp (GByteArray *bytes)
{
  guint32 size = GUINT32_TO_LE (bytes->len - 8);

  memcpy (bytes->data + 4, &size, sizeof size);
  if (bytes->len > 20 && memcmp (bytes->data + 12, "VP8X", 4) == 0)
    bytes->data[20] &= (guint8) ~0x20;
}

static gboolean
find (const guint8 *data, gsize length, IccFound *found)
{
  if (length < 16)
    return FALSE;
  if (memcmp (data, "\x89PNG", 4) == 0)
    return find_in_png (data, length, found);
  if (memcmp (data, "\xff\xd8\xff", 3) == 0)
    return find_in_jpeg (data, length, found);
  if (memcmp (data, "RIFF", 4) == 0 && memcmp (data + 8, "WEBP", 4) == 0)
    return find_in_webp (data, length, found);
  return capra_icc_find_in_tiff (data, length, found);
}

static GByteArray *
strip (const guint8 *data, gsize length, const IccFound *found)
{
  GByteArray *bytes = g_byte_array_sized_new ((guint) length);
  gsize at = 0;

  for (guint i = 0; i < found->cuts->len; i++)
    {
      const IccCut *cut = &g_array_index (found->cuts, IccCut, i);

      g_byte_array_append (bytes, data + at, (guint) (cut->offset - at));
      at = cut->offset + cut->length;
    }
  g_byte_array_append (bytes, data + at, (guint) (length - at));
  if (memcmp (data, "RIFF", 4) == 0)
    fix_webp (bytes);
  if (found->fix)
    found->fix (bytes, found);
  return bytes;
}

gboolean
capra_icc_check (const guint8 *data, gsize length, char **reason, GByteArray **stripped)
{
  g_autoptr (GByteArray) profile = g_byte_array_new ();
  g_autoptr (GArray) cuts = g_array_new (FALSE, FALSE, sizeof (IccCut));
  IccFound found = { .profile = profile, .cuts = cuts, .colors = ICC_RGB };

  *reason = NULL;
  *stripped = NULL;
  if (!find (data, length, &found))
    return TRUE;
  *reason = find_fault (&found);
  if (*reason && length <= MAX_COPY_BYTES)
    *stripped = strip (data, length, &found);
  return *reason == NULL;
}

void
capra_icc_cut (IccFound *found, gsize offset, gsize length)
{
  IccCut cut = { offset, length };

  g_array_append_val (found->cuts, cut);
}

gboolean
capra_icc_inflate (const guint8 *from, const guint8 *end, GByteArray *to)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  guint8 piece[8192];

  while (to->len < MAX_PROFILE_BYTES)
    {
      gsize read = 0, written = 0;
      GConverterResult result = g_converter_convert (G_CONVERTER (zlib), from, (gsize) (end - from), piece,
                                                     sizeof piece, G_CONVERTER_INPUT_AT_END, &read, &written, NULL);

      if (result == G_CONVERTER_ERROR)
        return FALSE;
      g_byte_array_append (to, piece, (guint) written);
      from += read;
      if (result == G_CONVERTER_FINISHED)
        return TRUE;
    }
  return FALSE;
}
