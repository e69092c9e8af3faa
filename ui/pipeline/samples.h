/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers: the types that files of numbers hold, and what their readers and writers share.
 *
 * Samples are interleaved, rows from the top, in the machine's byte order. All values go through doubles, which
 * hold every number of every type here but 64-bit integers beyond 2^53. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_NUMBER_NONE,
  CAPRA_NUMBER_U8,
  CAPRA_NUMBER_I8,
  CAPRA_NUMBER_U16,
  CAPRA_NUMBER_I16,
  CAPRA_NUMBER_U32,
  CAPRA_NUMBER_I32,
  CAPRA_NUMBER_U64,
  CAPRA_NUMBER_I64,
  CAPRA_NUMBER_F16,
  CAPRA_NUMBER_F32,
  CAPRA_NUMBER_F64,
} CapraNumberType;

/**
 * CapraNumberLayout:
 * @channels: 1 to 4; with 2 and 4 the last one is an alpha
 * @associated: whether colors have been multiplied by that alpha
 */
typedef struct {
  int width, height, channels;
  gboolean associated;
  CapraNumberType type;
} CapraNumberLayout;

/* Bytes of a sample. */
gsize capra_number_get_size (CapraNumberType type);
/* Whether it is a type of integers. */
gboolean capra_number_is_whole (CapraNumberType type);
/* Such as "u16". */
const char *capra_number_get_name (CapraNumberType type);
/* What its alpha has where a pixel is opaque: the largest integer, or 1. */
double capra_number_get_opaque (CapraNumberType type);
/* Whether the type holds exactly @value; floats hold NaN and infinities. */
gboolean capra_number_holds (CapraNumberType type, double value);

/* FALSE if a 64-bit integer is beyond 2^53. */
gboolean capra_numbers_to_doubles (CapraNumberType type, gconstpointer samples, gsize count, double *values);
/* The nearest values of the type; what lies outside of its range becomes its end, NaN 0. Not for 16-bit floats. */
void capra_numbers_from_doubles (CapraNumberType type, const double *values, gsize count, gpointer samples);
/* Reverses the bytes of each sample. */
void capra_numbers_swap (CapraNumberType type, gpointer samples, gsize count);

/* Bytes of a row. */
gsize capra_number_layout_get_stride (const CapraNumberLayout *layout);
/* The size of an image that can be worked on; else FALSE with @error set. */
gboolean capra_number_layout_check (const CapraNumberLayout *layout, GError **error);

/**
 * CapraNumberSink:
 * @begin: gets the layout before any row
 * @rows: gets rows in order, from the first to the last
 *
 * What a reader of files gives to. Both return FALSE with @error set to end the reading.
 */
typedef struct {
  gboolean (*begin) (const CapraNumberLayout *layout, gpointer data, GError **error);
  gboolean (*rows) (int y, int rows, gconstpointer samples, gpointer data, GError **error);
  gpointer data;
} CapraNumberSink;

/**
 * CapraNumberReader:
 * @remark: (out) (optional) (nullable): what of the file was left out, such as further pages (g_free)
 *
 * Reads a file. Returns FALSE with @error set if it is damaged, cut short, or holds what Capra cannot take.
 */
typedef gboolean (*CapraNumberReader) (const char *path, const CapraNumberSink *sink, char **remark, GError **error);

/* Gives rows to a writer of files; FALSE with @error set ends the writing. */
typedef gboolean (*CapraNumberRows) (int y, int rows, gpointer samples, gpointer data, GError **error);

/* How many rows of @layout readers and writers take at once. */
int capra_number_layout_get_band (const CapraNumberLayout *layout);

G_END_DECLS
