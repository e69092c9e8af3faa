/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detector image: the dark image, flat-field image or mask of a detector, from a file. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

/* Between the path of an HDF5 file and that of a data set, as in silx and pyFAI. */
#define DETECTOR_IMAGE_SEPARATOR "::"

/* Reads the image of @width x @height pixels in @file: a FITS file, or an HDF5 file, whose data set may follow the path
 * after the separator. As in pyFAI, its rows are those of the file: the first row of a FITS file belongs to the first
 * row of a frame.
 *
 * Returns: (transfer full): its pixels; NULL with @error set */
float *detector_image_read (const char *file, guint width, guint height, GError **error);

G_END_DECLS
