/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: what the reader's files share. */
#pragma once

#include "formats/fits/fits.h"
#include "formats/source-file.h"

G_BEGIN_DECLS

/**
 * CapraFitsEntry:
 * @image: the public description
 * @records: the cards of its unit as in the file, ended by a NUL
 * @data: where the values begin in the file, if the image is not compressed
 * @n_axes: the number of axes, with those of length 1
 * @axes: their lengths
 */
typedef struct {
  CapraFitsImage image;
  char *records;
  guint64 data;
  guint n_axes;
  guint64 *axes;
} CapraFitsEntry;

struct _CapraFits {
  CapraSourceFile *file;
  GPtrArray *entries; /* of CapraFitsEntry */
  GStringChunk *names;
};

/* Lists the images of an open file. The units are found here and not by CFITSIO, which crashes on some damaged
 * headers. */
gboolean capra_fits_list_images (CapraFits *fits, GError **error);

/* Whether the keywords of a table with a compressed image are possible. @header: with the keywords of the table */
gboolean capra_fits_check_table (CapraFitsHeader *header);

/* Whether the data of such a table, @bytes at @table, are within it, and gzip data end within their tile. */
gboolean capra_fits_check_tiles (CapraFitsHeader *header, const guint8 *table, gsize bytes);

/* (transfer full): a file in memory with the table of a compressed image in its second unit, which CFITSIO can read. */
GByteArray *capra_fits_extract_table (CapraFits *fits, const CapraFitsEntry *entry, GError **error);

/* The bytes of a plane of an uncompressed image. */
guint64 capra_fits_get_plane_bytes (const CapraFitsImage *image);

/* Reads a plane of an uncompressed image; the first row of @pixels is the last one of the file. */
gboolean capra_fits_read_stored (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels,
                                 GError **error);

/* The same for an image that is compressed in a table. */
gboolean capra_fits_read_compressed (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels,
                                     GError **error);

G_END_DECLS
