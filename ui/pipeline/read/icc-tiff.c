/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Icc-tiff: finds the color profile of a TIFF, an entry of its first directory. */
#include <string.h>

#include "ui/pipeline/read/icc-private.h"

#define TAG_PHOTOMETRIC 262
#define TAG_PROFILE 34675
#define SEPARATED 5

/* A directory: a count, then entries that start with their tag, then the offset of the next directory. */
typedef struct {
  const guint8 *data;
  gsize length;
  gboolean big_endian, big; /* BigTIFF */
  gsize first, count, entry_bytes;
} Directory;

/* 0 beyond the end of the file. */
static guint64
get (const Directory *directory, gsize offset, guint bytes)
{
  guint64 value = 0;

  if (offset > directory->length || bytes > directory->length - offset)
    return 0;
  for (guint i = 0; i < bytes; i++)
    value |= (guint64) directory->data[offset + i] << (8 * (directory->big_endian ? bytes - 1 - i : i));
  return value;
}

static gboolean
open_directory (Directory *directory)
{
  guint wide = directory->big ? 8 : 4, counts = directory->big ? 8 : 2;
  guint64 offset = get (directory, directory->big ? 8 : 4, wide), count;

  directory->entry_bytes = directory->big ? 20 : 12;
  if (offset < 8 || offset > directory->length)
    return FALSE;
  count = get (directory, (gsize) offset, counts);
  directory->first = (gsize) offset + counts;
  directory->count = (gsize) count;
  return count > 0 && count < 65536
         && directory->first + directory->count * directory->entry_bytes + wide <= directory->length;
}

/* Moves up the entries after the profile's and decrements their count. */
static void
remove_entry (GByteArray *bytes, const IccFound *found)
{
  Directory directory = { .data = bytes->data,
                          .length = bytes->len,
                          .big_endian = bytes->data[0] == 'M',
                          .big = bytes->data[bytes->data[0] == 'M' ? 3 : 2] == 43 };
  guint wide = directory.big ? 8 : 4, counts = directory.big ? 8 : 2;
  gsize end;

  if (!open_directory (&directory))
    return;
  end = directory.first + directory.count * directory.entry_bytes + wide;
  memmove (bytes->data + found->at, bytes->data + found->at + directory.entry_bytes,
           end - found->at - directory.entry_bytes);
  for (guint i = 0; i < counts; i++)
    bytes->data[directory.first - counts + i] = (guint8) ((directory.count - 1)
                                                          >> (8 * (directory.big_endian ? counts - 1 - i : i)));
}

gboolean
capra_icc_find_in_tiff (const guint8 *data, gsize length, IccFound *found)
{
  Directory directory = { .data = data, .length = length };
  gboolean has_profile = FALSE;

  if (memcmp (data, "II", 2) != 0 && memcmp (data, "MM", 2) != 0)
    return FALSE;
  directory.big_endian = data[0] == 'M';
  directory.big = get (&directory, 2, 2) == 43;
  if (!open_directory (&directory))
    return FALSE;
  for (gsize i = 0; i < directory.count; i++)
    {
      gsize at = directory.first + i * directory.entry_bytes;
      guint wide = directory.big ? 8 : 4;
      guint64 tag = get (&directory, at, 2), count = get (&directory, at + 4, wide);
      guint64 offset = get (&directory, at + 4 + wide, wide);

      if (tag == TAG_PHOTOMETRIC)
        found->colors = get (&directory, at + 4 + wide, 2) == SEPARATED ? ICC_CMYK
                        : get (&directory, at + 4 + wide, 2) < 2        ? ICC_GRAY
                                                                        : ICC_RGB;
      if (tag != TAG_PROFILE)
        continue;
      has_profile = TRUE;
      found->at = at;
      found->fix = remove_entry;
      found->broken = offset > length || count > length - offset || count > G_MAXINT;
      if (!found->broken)
        g_byte_array_append (found->profile, data + offset, (guint) count);
    }
  return has_profile;
}
