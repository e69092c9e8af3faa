/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches of encoded chunks with what they decode to. */
#pragma once

#include "capra.h"

G_BEGIN_DECLS

#define REFERENCE_BATCH_CHUNKS 4

/* A batch on the host. */
typedef struct {
  CapraBitshuffleLayout layout;
  guint n;
  guint8 *data;
  gsize bytes;
  gsize positions[REFERENCE_BATCH_CHUNKS], sizes[REFERENCE_BATCH_CHUNKS];
  guint8 *expected; /* the decoded bytes */
  guint32 damaged[REFERENCE_BATCH_CHUNKS];
} ReferenceBatch;

/* Puts chunks (GByteArray) into a batch, with what they decode to. */
void reference_batch_init (ReferenceBatch *batch, const CapraBitshuffleLayout *layout, GPtrArray *chunks,
                           const CapraBitshuffleCoding *codings);
void reference_batch_clear (ReferenceBatch *batch);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ReferenceBatch, reference_batch_clear)

/* Random bytes of @n values, by the rest of @kind by 4: noise, counts, runs, or zeros. Free with g_free(). */
guint8 *reference_batch_values (gsize n, guint element, guint kind, GRand *random);

/* A chunk with @values. */
GByteArray *reference_batch_chunk (const CapraBitshuffleLayout *layout, const guint8 *values,
                                   CapraBitshuffleCoding coding, GRand *random);

/* The value of an encoded number. */
float reference_batch_number (CapraBitshuffleKind kind, guint element, const guint8 *p);

/* The type of decoded values that are not converted. */
CapraType reference_batch_type (const CapraBitshuffleLayout *layout);

G_END_DECLS
