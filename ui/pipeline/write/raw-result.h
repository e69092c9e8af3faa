/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data-result: the numbers that a graph results in, and which type of numbers a file gets for them. */
#pragma once

#include "ui/pipeline/read/raw-values.h"
#include "ui/pipeline/write/save-private.h"

G_BEGIN_DECLS

/**
 * CapraRawResult:
 * @layout: what the file gets
 * @buffer: all of the result, as the graph gave it
 */
typedef struct {
  CapraSampleLayout layout;
  GeglBuffer *buffer;
} CapraRawResult;

void capra_raw_result_clear (CapraRawResult *result);

/**
 * capra_raw_result_compute:
 * @saving: of a graph that works on numbers; its bits are 8 or 16: integers of so many bits, to which numbers are
 *   rounded, or 0: what holds them exactly
 * @suffix: of the file: "tif", "npy" or "png"
 *
 * Labels get the smallest of 8, 16 and 32 bits. Other numbers get the type that the graph's file had, if it holds all
 * of them exactly, else 32-bit floats (64-bit ones where the graph gave such); a PNG gets 8 or 16 bits, whichever is
 * enough.
 *
 * Returns: FALSE with @error set if an operation failed, or the file cannot hold the numbers
 */
gboolean capra_raw_result_compute (CapraRawResult *result, CapraSaving *saving, const char *suffix, GError **error);

/* A CapraSampleRows: @data is the CapraRawResult. */
gboolean capra_raw_result_get_rows (int y, int rows, gpointer samples, gpointer data, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CapraRawResult, capra_raw_result_clear)

G_END_DECLS
