/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Job: one run of an operation on one device, with its input and output pixels. */
#pragma once

#include <gegl-plugin.h>

#include "plugin/buffers/bands.h"
#include "plugin/buffers/format.h"

G_BEGIN_DECLS

/**
 * CapraJob:
 * @operation: the operation
 * @context: GEGL's context, which holds the buffers of the pads
 * @roi: the region to compute
 * @divisible: whether parts of the region can be computed independently of each other
 * @device: the device to compute on
 * @result: the computed pixels; empty if @output is set instead
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

/* Computes a job. */
typedef gboolean (*CapraJobFunc) (CapraJob *job, GError **error);

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

/* Makes @array (taken) the result: the pixels of @rect in the format of the output pad. */
void capra_job_set_result (CapraJob *job, CapraArray *array, const CapraRect *rect);

/* Makes @buffer itself the output. */
void capra_job_set_output (CapraJob *job, GeglBuffer *buffer);

CapraRect capra_rect (const GeglRectangle *rect);
GeglRectangle capra_rect_to_gegl (const CapraRect *rect);

G_END_DECLS
