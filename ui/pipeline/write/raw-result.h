/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw-result: the raw values that a graph computes, and the sample type of the file for them. */
#pragma once

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/write/save-private.h"

G_BEGIN_DECLS

/**
 * CapraRawResult:
 * @layout: of the file
 * @buffer: the whole result, in the format of the graph
 */
typedef struct {
  CapraSampleLayout layout;
  GeglBuffer *buffer;
} CapraRawResult;

void capra_raw_result_clear (CapraRawResult *result);

/**
 * capra_raw_result_compute:
 * @saving: of a graph that works on raw values; its bits: 8 or 16 to round to unsigned integers of that size, 0 for a
 *   type that represents all values exactly
 * @suffix: of the file: "tif", "npy" or "png"
 *
 * Labels are stored in 8, 16 or 32 bits. Other values are stored in the sample type of the source file if it represents
 * them exactly, else in 32-bit floats, or 64-bit floats if necessary. A PNG gets 8 or 16 bits.
 *
 * Returns: FALSE with @error set if an operation failed, or no sample type of the format represents the values
 */
gboolean capra_raw_result_compute (CapraRawResult *result, CapraSaving *saving, const char *suffix, GError **error);

/* A CapraSampleRows: @data is the CapraRawResult. */
gboolean capra_raw_result_get_rows (int y, int rows, gpointer samples, gpointer data, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraRawResult, capra_raw_result_clear)

G_END_DECLS
