/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples: sample types and layouts of image files, shared by their readers and writers.
 *
 * Samples are interleaved, rows from top to bottom, in the machine's byte order. Values are converted through doubles,
 * which represent all of them exactly, except 64-bit integers above 2^53. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_SAMPLE_NONE,
  CAPRA_SAMPLE_U8,
  CAPRA_SAMPLE_I8,
  CAPRA_SAMPLE_U16,
  CAPRA_SAMPLE_I16,
  CAPRA_SAMPLE_U32,
  CAPRA_SAMPLE_I32,
  CAPRA_SAMPLE_U64,
  CAPRA_SAMPLE_I64,
  CAPRA_SAMPLE_F16,
  CAPRA_SAMPLE_F32,
  CAPRA_SAMPLE_F64,
} CapraSampleType;

/**
 * CapraSampleLayout:
 * @channels: 1 to 4; with 2 and 4 the last one is alpha
 * @associated: whether colors are multiplied by alpha
 */
typedef struct {
  int width, height, channels;
  gboolean associated;
  CapraSampleType type;
} CapraSampleLayout;

/* In bytes. */
gsize capra_sample_type_get_size (CapraSampleType type);
gboolean capra_sample_type_is_integer (CapraSampleType type);
/* Such as "u16". */
const char *capra_sample_type_get_name (CapraSampleType type);
/* The alpha of an opaque pixel: the largest integer, or 1. */
double capra_sample_type_get_opaque (CapraSampleType type);
/* Whether the type represents @value exactly; floats represent NaN and infinities. */
gboolean capra_sample_type_holds (CapraSampleType type, double value);

/* FALSE if a 64-bit integer is above 2^53. */
gboolean capra_samples_to_doubles (CapraSampleType type, gconstpointer samples, gsize count, double *values);
/* Rounds to the nearest value of the type and clamps to its range; NaN becomes 0. Not for 16-bit floats. */
void capra_samples_from_doubles (CapraSampleType type, const double *values, gsize count, gpointer samples);
/* Reverses the bytes of each sample. */
void capra_samples_swap_bytes (CapraSampleType type, gpointer samples, gsize count);

/* Bytes per row. */
gsize capra_sample_layout_get_stride (const CapraSampleLayout *layout);
/* FALSE with @error set if the layout is invalid, or the image larger than graphs can process. */
gboolean capra_sample_layout_check (const CapraSampleLayout *layout, GError **error);

/**
 * CapraSampleSink:
 * @begin: receives the layout, before the first row
 * @rows: receives rows in order, from the first to the last
 * @page: of a TIFF, from 1; 0 for the first one, with a remark if the file has more
 *
 * The consumer of what a reader decodes. Both functions return FALSE to stop it, with @error set on failure.
 */
typedef struct {
  gboolean (*begin) (const CapraSampleLayout *layout, gpointer data, GError **error);
  gboolean (*rows) (int y, int rows, gconstpointer samples, gpointer data, GError **error);
  gpointer data;
  guint page;
} CapraSampleSink;

/**
 * CapraSampleReader:
 * @remark: (out) (optional) (nullable): which parts of the file were ignored, such as further pages (g_free)
 *
 * Reads a file. Returns FALSE with @error set if it is damaged, truncated or not supported.
 */
typedef gboolean (*CapraSampleReader) (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

/* Provides rows to a writer. Returns FALSE with @error set to stop it. */
typedef gboolean (*CapraSampleRows) (int y, int rows, gpointer samples, gpointer data, GError **error);

/* Number of rows that readers and writers process at a time. */
int capra_sample_layout_get_band_rows (const CapraSampleLayout *layout);

G_END_DECLS
