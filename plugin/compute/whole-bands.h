/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Whole bands: an operation that needs the whole image, but not at once on one device: since that has no memory for all
 * of it, or since several devices compute a part each.
 *
 * The operation reads its input in bands of rows, as often as its algorithm needs, and stores its result band by band.
 * It does so if the job has a number of rows for bands (out-of-memory.c chooses it). If the job has parts (dispatch.c),
 * their devices read and store at the same time. */
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
  GMutex lock;
  GArray *labels; /* bands that capra_whole_bands_store_labels() keeps on their devices */
} CapraWholeBands;

void capra_whole_bands_init (CapraWholeBands *bands, CapraJob *job, CapraWholeRead read);
void capra_whole_bands_clear (CapraWholeBands *bands);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraWholeBands, capra_whole_bands_clear)

/* The image of the job's region, which @bands->read reads as pixels of @channels and @type. */
CapraBandSource capra_whole_bands_get_source (CapraWholeBands *bands, guint channels, CapraType type);

/* Keeps @labels (taken), those from row @first on, as capra_job_set_labels() does for a whole image. */
gboolean capra_whole_bands_store_labels (CapraWholeBands *bands, CapraArray *labels, gsize first, GError **error);

/* Makes the labels that were stored those of the job, when all bands are stored. */
void capra_whole_bands_set_labels (CapraWholeBands *bands);

/* Makes @array (taken) the pixels of the result from row @first on. */
gboolean capra_whole_bands_store (CapraWholeBands *bands, CapraArray *array, gsize first, GError **error);

/* Computes a band of the result from a band of the image. May be called in several threads. */
typedef CapraArray *(*CapraWholeCompute) (CapraArray *band, gpointer data, GError **error);

/* Stores what @compute returns for each band of the image. */
gboolean capra_whole_bands_compute (CapraWholeBands *bands, CapraWholeCompute compute, gpointer data, GError **error);

G_END_DECLS
