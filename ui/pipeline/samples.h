/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers: the types that files of numbers hold, and what their readers and writers share.
 *
 * Samples are interleaved, rows from the top, in the machine's byte order. All values go through doubles, which
 * hold every number of every type here but 64-bit integers beyond 2^53. */
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
 * @channels: 1 to 4; with 2 and 4 the last one is an alpha
 * @associated: whether colors have been multiplied by that alpha
 */
typedef struct {
  int width, height, channels;
  gboolean associated;
  CapraSampleType type;
} CapraSampleLayout;

/* Bytes of a sample. */
gsize capra_sample_type_get_size (CapraSampleType type);
/* Whether it is a type of integers. */
gboolean capra_sample_type_is_integer (CapraSampleType type);
/* Such as "u16". */
const char *capra_sample_type_get_name (CapraSampleType type);
/* What its alpha has where a pixel is opaque: the largest integer, or 1. */
double capra_sample_type_get_opaque (CapraSampleType type);
/* Whether the type holds exactly @value; floats hold NaN and infinities. */
gboolean capra_sample_type_holds (CapraSampleType type, double value);

/* FALSE if a 64-bit integer is beyond 2^53. */
gboolean capra_samples_to_doubles (CapraSampleType type, gconstpointer samples, gsize count, double *values);
/* The nearest values of the type; what lies outside of its range becomes its end, NaN 0. Not for 16-bit floats. */
void capra_samples_from_doubles (CapraSampleType type, const double *values, gsize count, gpointer samples);
/* Reverses the bytes of each sample. */
void capra_samples_swap_bytes (CapraSampleType type, gpointer samples, gsize count);

/* Bytes of a row. */
gsize capra_sample_layout_get_stride (const CapraSampleLayout *layout);
/* The size of an image that can be worked on; else FALSE with @error set. */
gboolean capra_sample_layout_check (const CapraSampleLayout *layout, GError **error);

/**
 * CapraSampleSink:
 * @begin: gets the layout before any row
 * @rows: gets rows in order, from the first to the last
 *
 * What a reader of files gives to. Both return FALSE with @error set to end the reading.
 */
typedef struct {
  gboolean (*begin) (const CapraSampleLayout *layout, gpointer data, GError **error);
  gboolean (*rows) (int y, int rows, gconstpointer samples, gpointer data, GError **error);
  gpointer data;
} CapraSampleSink;

/**
 * CapraSampleReader:
 * @remark: (out) (optional) (nullable): what of the file was left out, such as further pages (g_free)
 *
 * Reads a file. Returns FALSE with @error set if it is damaged, cut short, or holds what Capra cannot take.
 */
typedef gboolean (*CapraSampleReader) (const char *path, const CapraSampleSink *sink, char **remark, GError **error);

/* Gives rows to a writer of files; FALSE with @error set ends the writing. */
typedef gboolean (*CapraSampleRows) (int y, int rows, gpointer samples, gpointer data, GError **error);

/* How many rows of @layout readers and writers take at once. */
int capra_sample_layout_get_band_rows (const CapraSampleLayout *layout);

G_END_DECLS
