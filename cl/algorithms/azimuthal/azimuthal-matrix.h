/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The sparse matrix of an azimuthal integration on a device: its construction there, and transfers. Private. */
#pragma once

#include "algorithms/azimuthal/azimuthal-sparse.h"
#include "runtime/memory/array-internal.h"

G_BEGIN_DECLS

/* As CapraSparse. */
typedef struct {
  AzimuthalAxis radial, azimuthal;
  guint32 n_rows, n_entries;
  CapraArray *starts, *pixels, *coefficients;
} CapraAzimuthalMatrix;

/* The images that a matrix depends on. @pixels: u8, whether each pixel is left out; @norms: f32, by what its value is
 * divided; @darks: (nullable): f32, what is subtracted. */
typedef struct {
  CapraArray *pixels, *norms, *darks;
} CapraAzimuthalImages;

/* These functions may leave arrays in their structs if they fail. */

/* Uploads the images of @settings, and finds the other two from @mask, that of the part, on the device. */
gboolean capra_azimuthal_images_find (CapraAzimuthalImages *images, CapraContext *context,
                                      const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                                      const guint8 *mask, GError **error);

/* Builds the matrix on the device, which must have double precision. @range: as for capra_sparse_build(). */
gboolean capra_azimuthal_matrix_build (CapraAzimuthalMatrix *matrix, CapraContext *context,
                                       const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                                       const CapraAzimuthalRange *range, const CapraAzimuthalImages *images,
                                       GError **error);

/* Adds the coordinates of the part's pixels to @range, on the device. */
gboolean capra_azimuthal_matrix_extend_range (CapraAzimuthalRange *range, CapraContext *context,
                                              const CapraAzimuthalSettings *settings, const CapraAzimuthalPart *part,
                                              const CapraAzimuthalImages *images, GError **error);

gboolean capra_azimuthal_matrix_upload (CapraAzimuthalMatrix *matrix, CapraContext *context, const CapraSparse *from,
                                        GError **error);
gboolean capra_azimuthal_matrix_download (const CapraAzimuthalMatrix *matrix, CapraSparse *to, GError **error);

/* Sorts the entries of @matrix, the rows of which are @rows, and finds where each row starts. Replaces the arrays. */
gboolean capra_azimuthal_matrix_sort (CapraAzimuthalMatrix *matrix, CapraArray **rows, GError **error);

G_END_DECLS
