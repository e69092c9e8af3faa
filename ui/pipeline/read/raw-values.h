/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data-image: images whose numbers are taken as they are, for measuring instead of for looking at.
 *
 * Such an image lies in a buffer of floats (of doubles where floats do not hold all of its numbers) that says it is
 * in linear light, in a space without a curve, so that no operation's format changes a number. Integers stay what
 * they are: 0 to 255, 0 to 65535. An alpha is a share, 0 to 1. The buffer itself carries what its file held, so that
 * whoever gets it knows. */
#pragma once

#include "ui/pipeline/read/image-file.h"
#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/**
 * CapraRawValues:
 * @type: of the file's numbers; %CAPRA_SAMPLE_NONE without a file
 * @associated: whether its colors have been multiplied by the alpha
 */
typedef struct {
  CapraSampleType type;
  gboolean associated;
} CapraRawValues;

/* Says of @buffer that it holds numbers. */
void capra_raw_values_mark (GeglBuffer *buffer, const CapraRawValues *data);
/* %NULL for any other image. */
const CapraRawValues *capra_raw_values_get (GeglBuffer *buffer);

/* The format of such buffers: with @channels of floats or doubles; 2 and 4 have an alpha. */
const Babl *capra_raw_values_format (int channels, gboolean associated, gboolean doubles);

/**
 * capra_raw_values_load:
 *
 * As capra_image_load(), but of the numbers: TIFF, PNG and .npy as they are stored, other formats as GEGL decodes
 * them. The image's warning says what of the file was left out.
 */
CapraImage *capra_raw_values_load (GFile *file, GError **error);
/* In a thread; capra_image_load_finish() gives the result. */
void capra_raw_values_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);

/**
 * capra_raw_values_adapt:
 * @node: of a graph that works on @data
 *
 * Properties that say so with their keys get the values that numbers need, unless they were set: "data" for any,
 * "whole-numbers" where the file held integers.
 */
void capra_raw_values_adapt (GeglNode *node, const CapraRawValues *data);

/* What the file held whose numbers @node gives, a source of a buffer; FALSE if it gives none. */
gboolean capra_raw_values_find (GeglNode *node, CapraRawValues *data);

G_END_DECLS
