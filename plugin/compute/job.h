/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Job: one run of an operation on one device, with its input and output pixels. */
#pragma once

#include <gegl-plugin.h>

#include "algorithms/common/band-source.h"
#include "plugin/buffers/device-tiles.h"
#include "plugin/buffers/format.h"

G_BEGIN_DECLS

/* The region of the input on @pad that @roi of the result depends on. */
typedef GeglRectangle (*CapraRequiredFunc) (GeglOperation *operation, const char *pad, const GeglRectangle *roi);

/**
 * CapraJob:
 * @operation: the operation
 * @context: GEGL's context, which holds the buffers of the pads
 * @roi: the region to compute
 * @extent: the bounding box of the whole result; empty for a source, which cannot be asked for it while it computes
 * @get_required: (nullable): the region of the input that a region of the result depends on; %NULL if not @divisible
 * @tile_format: (nullable): the format of the result's tiles; %NULL for the one that its readers need
 * @array_format: (nullable): the format of the result's arrays, which differs from that of the output pad only where
 *   CapraOperationClass.converts; %NULL for that of the output pad
 * @divisible: whether parts of the region can be computed independently of each other
 * @in_bands: if not @divisible: whether the operation can compute in bands and on several devices (whole-bands.h)
 * @one_device: whether it computes in bands on one device only
 * @band_rows: the maximum number of rows of the bands in which it reads its input then; 0 to compute all at once
 * @parts: (nullable): the devices that compute then, and their rows; %NULL for @device alone
 * @n_parts: the number of @parts
 * @store: stores pixels of the result that is computed in bands, and takes their array
 * @share: the first argument of @store
 * @device: the device to compute on
 * @result: the pixels computed by one call of the operation; empty if @output is set instead
 * @tiles: (nullable): the results of all calls; owned
 * @output: (nullable): a buffer for the output pad, instead of pixels; owned
 * @labels: (nullable): the numbers of the regions whose colors are the result, see capra_job_set_labels(); owned
 */
typedef struct {
  GeglOperation *operation;
  GeglOperationContext *context;
  GeglRectangle roi, extent;
  CapraRequiredFunc get_required;
  const Babl *tile_format, *array_format;
  gboolean divisible;
  gboolean in_bands, one_device;
  gint band_rows;
  CapraBandPart *parts;
  guint n_parts;
  gboolean (*store) (gpointer share, CapraPixels *pixels, GError **error);
  gpointer share;
  CapraDevice *device;
  CapraPixels result;
  CapraDeviceTiles *tiles;
  GeglBuffer *output;
  GeglBuffer *labels;
} CapraJob;

/* Computes a job. */
typedef gboolean (*CapraJobFunc) (CapraJob *job, GError **error);

/* Whether a job with parts computes each of them at once, so that the results can stay on the devices. */
gboolean capra_job_is_at_once (const CapraJob *job);

/* The buffer on @pad, owned by the context; %NULL if nothing is connected. */
GeglBuffer *capra_job_get_buffer (CapraJob *job, const char *pad);

/* The bounding box of the image on @pad; empty if nothing is connected. */
GeglRectangle capra_job_get_extent (CapraJob *job, const char *pad);

/* How the array of capra_job_get_pixels() may differ from the requested rectangle. */
typedef enum {
  CAPRA_FIT_EXACT, /* it holds exactly the rectangle */
  CAPRA_FIT_LOOSE, /* it may hold a somewhat larger part of the image, which saves a copy */
} CapraFit;

/* Sets @pixels to the pixels of @rect on @pad in @format, on the job's device. Arrays of resident buffers and uploads
 * that are still valid are used again; other pixels are gathered and uploaded. */
gboolean capra_job_get_pixels (CapraJob *job, const char *pad, const GeglRectangle *rect, const Babl *format,
                               CapraFit fit, CapraPixels *pixels, GError **error);

/* As capra_job_get_pixels(), but the pixels are still to be converted by @conversion, if @converts is set: for
 * operations that do so while they compute. */
gboolean capra_job_get_unconverted (CapraJob *job, const char *pad, const GeglRectangle *rect, const Babl *format,
                                    CapraFit fit, CapraPixels *pixels, CapraConversion *conversion, gboolean *converts,
                                    GError **error);

/* As capra_job_get_pixels(), of @buffer, which shows the whole image, instead of a pad. */
gboolean capra_job_get_buffer_pixels (CapraJob *job, GeglBuffer *buffer, const GeglRectangle *rect, const Babl *format,
                                      CapraFit fit, CapraPixels *pixels, GError **error);

/* Makes @array (taken) the result: the pixels of @rect in the job's array format. */
void capra_job_set_result (CapraJob *job, CapraArray *array, const CapraRect *rect);

/* The format of label numbers that are kept with colors. */
#define CAPRA_FORMAT_LABELS babl_format ("Y' u32")

/* Makes @buffer itself the output. */
void capra_job_set_output (CapraJob *job, GeglBuffer *buffer);

/* Keeps @bands (taken), labels (u32) of all pixels, with the result, which shows the regions for the eye: an operation
 * that measures the result reads the numbers by capra_job_get_labels(). */
void capra_job_set_labels (CapraJob *job, GArray *bands);

/* The buffer on @pad, or that of the labels that were kept with it. */
GeglBuffer *capra_job_get_labels (CapraJob *job, const char *pad);

CapraRect capra_rect (const GeglRectangle *rect);
GeglRectangle capra_rect_to_gegl (const CapraRect *rect);

/* @rect with @x and @y more pixels to each side, as far as the coordinates of GEGL's infinite plane; @rect itself if it
 * is empty or infinite. */
GeglRectangle capra_rect_enlarge (const GeglRectangle *rect, gint x, gint y);

G_END_DECLS
