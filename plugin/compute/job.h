/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Job: one run of an operation on one device: its pixels in, its pixels out. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/format.h"
#include "plugin/buffers/bands.h"

G_BEGIN_DECLS

/**
 * CapraJob:
 * @operation: who works
 * @context: where GEGL keeps the buffers of its pads
 * @roi: what to compute
 * @divisible: whether it may be computed in parts, as it does not depend on the whole input
 * @device: where
 * @result: the pixels that were computed, if any
 * @output: (nullable): the buffer for the output pad; owned
 */
typedef struct {
  GeglOperation *operation;
  GeglOperationContext *context;
  GeglRectangle roi;
  gboolean divisible;
  CapraDevice *device;
  CapraPixels result;
  GeglBuffer *output;
} CapraJob;

/* The buffer on a pad, %NULL if nothing is connected. Owned by the context. */
GeglBuffer *capra_job_get_buffer (CapraJob *job, const char *pad);

/* The whole image on a pad; of no size if nothing is connected. */
GeglRectangle capra_job_get_extent (CapraJob *job, const char *pad);

/* How an array may fit what was asked for. */
typedef enum {
  CAPRA_FIT_EXACT, /* it holds just that */
  CAPRA_FIT_LOOSE, /* it may hold somewhat more of the image, which saves cutting it out */
} CapraFit;

/* The pixels of @rect from a pad's buffer, on the job's device, as @format. What already lies on a
 * device stays there; everything else is gathered and pushed. */
gboolean capra_job_get_pixels (CapraJob *job, const char *pad, const GeglRectangle *rect, const Babl *format,
                               CapraFit fit, CapraPixels *pixels, GError **error);

/* Makes @array (taken) the result: the pixels of @rect, of the format of the output pad. */
void capra_job_set_result (CapraJob *job, CapraArray *array, const CapraRect *rect);

/* Makes a buffer the result as it is. */
void capra_job_set_output (CapraJob *job, GeglBuffer *buffer);

CapraRect capra_rect (const GeglRectangle *rect);
GeglRectangle capra_rect_to_gegl (const CapraRect *rect);

G_END_DECLS
