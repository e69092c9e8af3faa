/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks of the HDF5 filter 32008 (bitshuffle with LZ4): a scalar encoder and a scalar decoder. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Compresses @bytes bytes at @data into a raw LZ4 block, which is appended to @block. */
typedef void (*ReferenceLz4Func) (const guint8 *data, gsize bytes, GByteArray *block, gpointer user_data);

/* Compresses with matches of random lengths and distances; @user_data: GRand. */
void reference_lz4_random (const guint8 *data, gsize bytes, GByteArray *block, gpointer user_data);

/* A chunk of @n values of @element bytes, in blocks of @block values (a multiple of 8). */
GByteArray *reference_bitshuffle_encode (const guint8 *values, gsize n, guint element, guint block,
                                         ReferenceLz4Func compress, gpointer user_data);

/* Transposes the bits of @n values, a multiple of 8, or transposes them back. */
void reference_bitshuffle_planes (const guint8 *values, gsize n, guint element, guint8 *planes);
void reference_bitshuffle_values (const guint8 *planes, gsize n, guint element, guint8 *values);

/* Decodes a raw LZ4 block. Returns FALSE if it is damaged; the rest of @out is then zero. */
gboolean reference_lz4_decode (const guint8 *in, gsize in_bytes, guint8 *out, gsize out_bytes);

G_END_DECLS
