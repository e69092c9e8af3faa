/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Whole bands: an operation that needs the whole image, but not at once, since the device has no memory for all of it.
 *
 * The operation reads its input in bands of rows, as often as its algorithm needs, and stores its result band by band.
 * It does so if the job has a number of rows for bands (out-of-memory.c chooses it). */
#pragma once

#include "algorithms/common/band-source.h"
#include "plugin/compute/job.h"

G_BEGIN_DECLS

/* Sets @pixels to @rect of the image that the operation reads: exactly these pixels. */
typedef gboolean (*CapraWholeRead) (CapraJob *job, const GeglRectangle *rect, CapraPixels *pixels, GError **error);

/* What the functions of a source of bands need; it must exist as long as the source. */
typedef struct {
  CapraJob *job;
  CapraWholeRead read;
} CapraWholeBands;

/* The image of the job's region, which @bands->read reads as pixels of @channels and @type. */
CapraBandSource capra_whole_bands_get_source (CapraWholeBands *bands, guint channels, CapraType type);

/* The number of bands, and the region of band @i. */
guint capra_whole_bands_count (const CapraJob *job);
GeglRectangle capra_whole_bands_get (const CapraJob *job, guint i);

/* Keeps the labels of @rect, a band, on the host, as capra_job_set_labels() does for a whole image. */
gboolean capra_whole_bands_store_labels (CapraJob *job, CapraArray *labels, const GeglRectangle *rect, GError **error);

/* Makes @array (taken) the pixels of the result that are those of @rect, a band. The result is downloaded. */
gboolean capra_whole_bands_store (CapraJob *job, CapraArray *array, const GeglRectangle *rect, GError **error);

G_END_DECLS
