/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches of encoded chunks, decoded block by block. */
#include "ui/cli/check/reference-batch.h"

#include <string.h>

#include "ui/cli/check/reference-bitshuffle.h"

guint8 *
reference_batch_values (gsize n, guint element, guint kind, GRand *random)
{
  guint8 *values = g_malloc0 (MAX (n * element, 1));

  for (gsize i = 0; i < n * element; i++)
    switch (kind % 4)
      {
      case 0: values[i] = (guint8) g_rand_int (random); break;
      case 1: values[i] = i % element == 0 ? g_rand_int (random) & g_rand_int (random) & 7 : 0; break;
      case 2: values[i] = (guint8) (i / 300 * 37 + (g_rand_int (random) % 200 == 0)); break;
      default: break;
      }
  return values;
}

/* What @chunk decodes to, block by block, with the scalar decoder. */
static guint32
decode (const CapraBitshuffleLayout *layout, const guint8 *chunk, const guint32 *offsets, guint8 *values)
{
  guint64 whole = layout->values / 8 * 8;
  guint32 damaged = CAPRA_BITSHUFFLE_GOOD;

  for (guint i = 0; i < layout->n_blocks; i++)
    {
      gsize n = MIN (layout->block, whole - (gsize) i * layout->block), bytes = n * layout->element;
      /* Exactly as long as needed, so that AddressSanitizer finds accesses outside. */
      g_autofree guint8 *planes = g_malloc (bytes);

      if (!reference_lz4_decode (chunk + offsets[i], offsets[i + 1] - 4 - offsets[i], planes, bytes)
          && damaged == CAPRA_BITSHUFFLE_GOOD)
        damaged = i;
      reference_bitshuffle_values (planes, n, layout->element, values + (gsize) i * layout->block * layout->element);
    }
  memcpy (values + whole * layout->element, chunk + offsets[layout->n_blocks] - 4,
          (layout->values - whole) * layout->element);
  return damaged;
}

float
reference_batch_number (CapraBitshuffleKind kind, guint element, const guint8 *p)
{
  union {
    guint8 bytes[8];
    guint64 bits;
    float f;
    double d;
  } u = { .bits = 0 };
  guint unused = 64 - 8 * element;

  memcpy (u.bytes, p, element);
  if (kind == CAPRA_BITSHUFFLE_FLOAT)
    return element == 4 ? u.f : (float) u.d;
  if (kind == CAPRA_BITSHUFFLE_UNSIGNED)
    return (float) u.bits;
  return (float) ((gint64) (u.bits << unused) >> unused);
}

CapraType
reference_batch_type (const CapraBitshuffleLayout *layout)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_I8, CAPRA_U16, CAPRA_I16, CAPRA_U32, CAPRA_I32 };

  if (layout->element == 8)
    return CAPRA_U32;
  return layout->kind == CAPRA_BITSHUFFLE_FLOAT
           ? CAPRA_F32
           : types[layout->element / 2 * 2 + (layout->kind == CAPRA_BITSHUFFLE_SIGNED)];
}

GByteArray *
reference_batch_chunk (const CapraBitshuffleLayout *layout, const guint8 *values, CapraBitshuffleCoding coding,
                       GRand *random)
{
  GByteArray *chunk = NULL;
  gsize bytes = layout->values * layout->element, whole = layout->values / 8 * 8;

  if (coding == CAPRA_BITSHUFFLE_LZ4)
    return reference_bitshuffle_encode (values, layout->values, layout->element, layout->block, reference_lz4_random,
                                        random);
  chunk = g_byte_array_new ();
  g_byte_array_append (chunk, values, (guint) bytes);
  if (coding == CAPRA_BITSHUFFLE_PLANES)
    for (gsize at = 0; at < whole; at += layout->block)
      reference_bitshuffle_planes (values + at * layout->element, MIN (layout->block, whole - at), layout->element,
                                   chunk->data + at * layout->element);
  return chunk;
}

void
reference_batch_init (ReferenceBatch *batch, const CapraBitshuffleLayout *layout, GPtrArray *chunks,
                      const CapraBitshuffleCoding *codings)
{
  gsize decoded = layout->values * layout->element;
  g_autofree guint32 *offsets = g_new (guint32, layout->n_blocks + 1);

  *batch = (ReferenceBatch){ .layout = *layout, .n = chunks->len };
  for (guint i = 0; i < batch->n; i++)
    batch->sizes[i] = ((GByteArray *) chunks->pdata[i])->len;
  batch->bytes = capra_bitshuffle_batch_size (layout, batch->n, batch->sizes, batch->positions);
  batch->data = g_malloc0 (batch->bytes);
  batch->expected = g_malloc0 (MAX (decoded * batch->n, 1));
  for (guint i = 0; i < batch->n; i++)
    {
      const GByteArray *chunk = chunks->pdata[i];
      guint8 *expected = batch->expected + i * decoded;
      gboolean added = FALSE;

      memcpy (batch->data + batch->positions[i], chunk->data, chunk->len);
      added = capra_bitshuffle_batch_add (layout, batch->data, batch->n, i, batch->positions[i], chunk->len, codings[i],
                                          NULL);
      batch->damaged[i] = CAPRA_BITSHUFFLE_GOOD;
      if (!added)
        continue;
      if (codings[i] == CAPRA_BITSHUFFLE_RAW)
        memcpy (expected, chunk->data, decoded);
      else if (codings[i] == CAPRA_BITSHUFFLE_LZ4
               && capra_bitshuffle_scan (layout, chunk->data, chunk->len, offsets, NULL))
        batch->damaged[i] = decode (layout, chunk->data, offsets, expected);
      else if (codings[i] == CAPRA_BITSHUFFLE_PLANES)
        {
          gsize whole = layout->values / 8 * 8;

          for (gsize at = 0; at < whole; at += layout->block)
            reference_bitshuffle_values (chunk->data + at * layout->element, MIN (layout->block, whole - at),
                                         layout->element, expected + at * layout->element);
          memcpy (expected + whole * layout->element, chunk->data + whole * layout->element,
                  decoded - whole * layout->element);
        }
    }
}

void
reference_batch_clear (ReferenceBatch *batch)
{
  g_free (batch->data);
  g_free (batch->expected);
}
