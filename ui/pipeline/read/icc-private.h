/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Icc-private: what finding a profile in different files shares. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  ICC_RGB,
  ICC_GREY,
  ICC_CMYK,
} IccColors;

/* Bytes of the file that go. */
typedef struct {
  gsize offset, length;
} IccCut;

/**
 * IccFound:
 * @colors: of the image
 * @broken: whether the profile cannot even be read
 * @cuts: (element-type IccCut): in ascending order
 * @mend: (nullable): changes the file that was cut
 * @at: for @mend: where the profile's entry is
 */
typedef struct _IccFound IccFound;
struct _IccFound {
  GByteArray *profile;
  IccColors colors;
  gboolean broken;
  GArray *cuts;
  void (*mend) (GByteArray *bytes, const IccFound *found);
  gsize at;
};

/* Four bytes, the most significant first. */
guint32 capra_icc_word (const guint8 *data);
void capra_icc_cut (IccFound *found, gsize offset, gsize length);
/* Appends what @from to @end inflates to; FALSE if that is no zlib stream, or too long. */
gboolean capra_icc_inflate (const guint8 *from, const guint8 *end, GByteArray *to);
/* In the first directory of a TIFF, classic or big. FALSE also for any other file. */
gboolean capra_icc_find_in_tiff (const guint8 *data, gsize length, IccFound *found);

G_END_DECLS
