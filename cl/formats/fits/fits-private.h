/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: what the reader's files share. */
#pragma once

#include <fitsio.h>

#include "formats/fits/fits.h"
#include "formats/source-file.h"

G_BEGIN_DECLS

/**
 * CapraFitsEntry:
 * @image: the public description
 * @data: where the values begin in the file, if the image is not compressed
 * @n_axes: the number of axes, with those of length 1
 * @axes: their lengths
 */
typedef struct {
  CapraFitsImage image;
  guint64 data;
  int n_axes;
  LONGLONG *axes;
} CapraFitsEntry;

struct _CapraFits {
  CapraSourceFile *file;
  fitsfile *handle;
  void *memory; /* the contents of a file that is compressed with gzip */
  size_t memory_size;
  GPtrArray *entries; /* of CapraFitsEntry */
  GStringChunk *names;
};

/* Sets @error to the meaning of a status of CFITSIO. */
void capra_fits_set_error (CapraFits *fits, int status, GError **error);

/* Lists the images of an open file. */
gboolean capra_fits_list_images (CapraFits *fits, GError **error);

/* The bytes of a plane of an uncompressed image. */
guint64 capra_fits_get_plane_bytes (const CapraFitsImage *image);

/* Reads a plane of an uncompressed image; the first row of @pixels is the last one of the file. */
gboolean capra_fits_read_stored (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels,
                                 GError **error);

/* The same for an image that is compressed in a table. */
gboolean capra_fits_read_compressed (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels,
                                     GError **error);

G_END_DECLS
