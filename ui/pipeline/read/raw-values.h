/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-values: images whose sample values are loaded without conversion, for measuring rather than viewing.
 *
 * The buffer holds floats (doubles if floats cannot represent all values) in a linear format, so that no operation's
 * format conversion changes a value. Integers keep their values: 0 to 255, 0 to 65535. Alpha is 0 to 1. The buffer
 * carries the sample type of its file. */
#pragma once

#include "ui/pipeline/read/image-file.h"
#include "ui/pipeline/samples.h"

G_BEGIN_DECLS

/**
 * CapraRawValues:
 * @type: of the file's samples; %CAPRA_SAMPLE_NONE without a file
 * @associated: whether colors are multiplied by alpha
 */
typedef struct {
  CapraSampleType type;
  gboolean associated;
} CapraRawValues;

/* Marks @buffer as raw values. */
void capra_raw_values_mark (GeglBuffer *buffer, const CapraRawValues *values);
/* (nullable): %NULL if @buffer does not hold raw values. */
const CapraRawValues *capra_raw_values_get (GeglBuffer *buffer);

/* The format of such buffers; with 2 and 4 channels the last one is alpha. */
const Babl *capra_raw_values_format (int channels, gboolean associated, gboolean doubles);

/**
 * capra_raw_values_load:
 *
 * As capra_image_load(), without conversion: TIFF, PNG and .npy as stored, other formats as GEGL decodes them. The
 * warning of the image says which parts of the file were ignored.
 */
CapraImage *capra_raw_values_load (GFile *file, GError **error);
/* @on_size: (nullable): see capra_image_load_sized() */
CapraImage *capra_raw_values_load_sized (GFile *file, CapraImageSizeFunc on_size, gpointer data, GError **error);
/* @page: of a TIFF, from 1; 0 for the first one */
CapraImage *capra_raw_values_load_page (GFile *file, guint page, CapraImageSizeFunc on_size, gpointer data,
                                        GError **error);
/* Replaces the buffer of an image that GEGL decoded by its raw values. */
gboolean capra_raw_values_take (CapraImage *image, GError **error);

/**
 * capra_raw_values_adapt:
 * @node: of a graph that works on @values
 *
 * Sets properties to the value that their keys give for raw values, unless they were set: the key "whole-numbers" if
 * the file contains integers, "data" otherwise.
 */
void capra_raw_values_adapt (GeglNode *node, const CapraRawValues *values);

/* Gets the raw values that @node outputs from its property "buffer"; FALSE if it has none. */
gboolean capra_raw_values_find (GeglNode *node, CapraRawValues *values);

G_END_DECLS
