/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Icc-private: finding the color profile in different file formats. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ICC_RGB,
  ICC_GRAY,
  ICC_CMYK,
} IccColors;

/* Bytes of the file to remove. */
typedef struct {
  gsize offset, length;
} IccCut;

/**
 * IccFound:
 * @colors: of the image
 * @broken: whether the profile cannot be read
 * @cuts: (element-type IccCut): in ascending order
 * @fix: (nullable): repairs the file after the cuts
 * @at: for @fix: the offset of the profile's directory entry
 */
typedef struct _IccFound IccFound;
struct _IccFound {
  GByteArray *profile;
  IccColors colors;
  gboolean broken;
  GArray *cuts;
  void (*fix) (GByteArray *bytes, const IccFound *found);
  gsize at;
};

/* 32 bits, big-endian. */
guint32 capra_icc_word (const guint8 *data);
void capra_icc_cut (IccFound *found, gsize offset, gsize length);
/* Decompresses the bytes from @from to @end and appends them; FALSE if they are not a zlib stream, or too many. */
gboolean capra_icc_inflate (const guint8 *from, const guint8 *end, GByteArray *to);
/* In the first directory of a TIFF or BigTIFF; FALSE for any other file. */
gboolean capra_icc_find_in_tiff (const guint8 *data, gsize length, IccFound *found);

G_END_DECLS
