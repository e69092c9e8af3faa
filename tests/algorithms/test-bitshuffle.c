/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bitshuffle chunks of every element size, block size and length against a scalar decoder; damaged chunks. Each element
 * size has kernels of its own: those of 2 and 4 bytes, as detectors write them, are built without `-m slow`. */
#include <string.h>

#include "tests/support/support.h"
#include "ui/cli/check/reference-batch.h"
#include "ui/cli/check/reference-bitshuffle.h"

static const char *const variants[] = { "bitshuffle.variant=item", "bitshuffle.variant=group" };

/* The element sizes that are tested. */
static guint
smallest_element (void)
{
  return g_test_slow () ? 1 : 2;
}

static guint
largest_element (void)
{
  return g_test_slow () ? 8 : 4;
}

/* Decodes a batch on a device and compares it. */
static void
check (CapraDevice *device, const ReferenceBatch *batch, gboolean converted)
{
  const CapraBitshuffleLayout *layout = &batch->layout;
  gsize decoded = layout->values * layout->element;
  CapraShape shape = { layout->values, 1, batch->n, !converted && layout->element == 8 ? 2 : 1,
                       converted ? CAPRA_F32 : reference_batch_type (layout) };
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) input = capra_array_new_from_data (device, &CAPRA_SHAPE_2D (batch->bytes, 1, CAPRA_U8),
                                                            batch->data, &error);
  g_autoptr (CapraArray) damaged = NULL;
  g_autoptr (CapraArray) output = capra_bitshuffle_decode (input, layout, &shape, &damaged, &error);
  guint32 got_damaged[REFERENCE_BATCH_CHUNKS];
  g_autofree guint8 *got = NULL;

  g_assert_no_error (error);
  got = g_malloc (capra_shape_bytes (&shape));
  g_assert_true (capra_array_download (output, got, &error) && capra_array_download (damaged, got_damaged, &error));
  for (guint i = 0; i < batch->n; i++)
    g_assert_cmpuint (got_damaged[i], ==, batch->damaged[i]);
  if (!converted)
    g_assert_cmpmem (got, decoded * batch->n, batch->expected, decoded * batch->n);
  else
    for (gsize i = 0; i < layout->values * batch->n; i++)
      {
        float expected = reference_batch_number (layout->kind, layout->element, batch->expected + i * layout->element);

        if (memcmp (&expected, (float *) got + i, sizeof expected) != 0
            && !(expected != expected && ((float *) got)[i] != ((float *) got)[i]))
          g_error ("value %zu is %.9g instead of %.9g", i, ((float *) got)[i], expected);
      }
}

static void
check_layout (const CapraBitshuffleLayout *layout, GRand *random)
{
  static const CapraBitshuffleCoding codings[] = { CAPRA_BITSHUFFLE_LZ4, CAPRA_BITSHUFFLE_RAW, CAPRA_BITSHUFFLE_LZ4,
                                                   CAPRA_BITSHUFFLE_PLANES };
  guint first = (guint) g_rand_int_range (random, 0, 4);
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_auto (ReferenceBatch) batch = { 0 };

  for (guint i = 0; i < REFERENCE_BATCH_CHUNKS; i++)
    {
      g_autofree guint8 *values = reference_batch_values (layout->values, layout->element, first + i, random);

      g_ptr_array_add (chunks, reference_batch_chunk (layout, values, codings[i], random));
    }
  reference_batch_init (&batch, layout, chunks, codings);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      support_force_tuning (variants[v]);
      check (support_device (v), &batch, FALSE);
      if (layout->kind == CAPRA_BITSHUFFLE_FLOAT && layout->element == 4)
        continue;
      /* Conversions are the same in both variants: one kind is enough for the second, as kernels take long to build. */
      if (v == 0
          || (layout->kind == (layout->element < 4 ? CAPRA_BITSHUFFLE_UNSIGNED : CAPRA_BITSHUFFLE_SIGNED)
              && g_test_slow ()))
        check (support_device (1 - v), &batch, TRUE);
    }
  g_unsetenv ("CAPRA_TUNING");
}

static void
test_layouts (gconstpointer data)
{
  guint element = GPOINTER_TO_UINT (data);
  static const guint blocks[] = { 0, 8, 16, 32, 136, 1000 };
  g_autoptr (GRand) random = g_rand_new_with_seed (element);

  for (guint b = 0; b < G_N_ELEMENTS (blocks); b++)
    {
      CapraBitshuffleLayout layout;
      g_autoptr (GError) error = NULL;
      guint64 block = 0;

      capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, element, 1, blocks[b], &error);
      g_assert_no_error (error);
      block = layout.block;
      for (guint blocks_more = 0; blocks_more < 3; blocks_more++)
        for (guint more = 0; more < 24 && more < block; more += 1 + more / 9)
          {
            /* n mod B is `more`, or up to 8 less than a whole block. */
            guint64 n = blocks_more * block + (blocks_more == 2 ? block - more : more);
            CapraBitshuffleKind kind = (CapraBitshuffleKind) (more % (element < 4 ? 2 : 3));

            if (n == 0)
              continue;
            g_assert_true (capra_bitshuffle_layout_init (&layout, kind, element, n, blocks[b], NULL));
            check_layout (&layout, random);
          }
    }
}

/* Blocks that do not fit into local memory. */
static void
test_large_blocks (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gsize local = capra_device_get_info (support_device (0))->local_memory;

  for (guint element = g_test_slow () ? 1 : 4; element <= largest_element (); element *= 2)
    {
      guint64 block = (local / element + 1024) / 8 * 8;
      CapraBitshuffleLayout layout;

      g_assert_true (
        capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, element, block + 1003, block, NULL));
      check_layout (&layout, random);
    }
}

/* Chunks with changed, missing and repeated bytes, in their blocks or anywhere. */
static void
test_damaged (void)
{
  static const CapraBitshuffleCoding codings[] = { CAPRA_BITSHUFFLE_LZ4, CAPRA_BITSHUFFLE_LZ4, CAPRA_BITSHUFFLE_LZ4,
                                                   CAPRA_BITSHUFFLE_LZ4 };
  g_autoptr (GRand) random = g_rand_new_with_seed (2);
  guint n_damaged = 0, n_refused = 0;

  for (guint round = 0; round < 300; round++)
    {
      guint element = g_test_slow () ? 1u << round % 4 : 2u << round % 2;
      CapraBitshuffleLayout layout;
      g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
      g_auto (ReferenceBatch) batch = { 0 };

      g_assert_true (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, element,
                                                   (guint64) g_rand_int_range (random, 8, 3000), 256, NULL));
      for (guint i = 0; i < REFERENCE_BATCH_CHUNKS; i++)
        {
          g_autofree guint8 *values = reference_batch_values (layout.values, element, round + i, random);
          GByteArray *chunk = reference_batch_chunk (&layout, values, CAPRA_BITSHUFFLE_LZ4, random);
          guint from = round % 10 == 0 ? 0 : 16;

          for (guint k = 0; k < i && from < chunk->len; k++)
            chunk->data[g_rand_int_range (random, (gint) from, (gint) chunk->len)] = k == 0
                                                                                       ? 255
                                                                                       : (guint8) g_rand_int (random);
          if (round % 7 == 0 && i == 1)
            g_byte_array_set_size (chunk, (guint) g_rand_int_range (random, 0, (gint) chunk->len));
          g_ptr_array_add (chunks, chunk);
        }
      reference_batch_init (&batch, &layout, chunks, codings);
      for (guint i = 0; i < REFERENCE_BATCH_CHUNKS; i++)
        {
          n_damaged += batch.damaged[i] != CAPRA_BITSHUFFLE_GOOD;
          n_refused += ((guint32 *) batch.data)[4 * i + 2] == CAPRA_BITSHUFFLE_MISSING;
        }
      for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
        {
          support_force_tuning (variants[v]);
          check (support_device (v), &batch, FALSE);
        }
    }
  g_unsetenv ("CAPRA_TUNING");
  g_assert_cmpuint (n_damaged, >, 50);
  g_assert_cmpuint (n_refused, >, 50);
}

/* Blocks of an LZ4 stream that is written by hand. */
static void
test_streams (void)
{
  static const struct {
    guint8 bytes[32];
    guint n;
    gboolean good;
  } streams[] = {
    /* 16 values of one byte: a run of zeros, and five literals. */
    { { 0x17, 0, 1, 0, 0x50, 0, 0, 0, 0, 0 }, 10, FALSE }, /* 1 + 11 + 5 bytes are one too many */
    { { 0x16, 0, 1, 0, 0x50, 1, 2, 3, 4, 5 }, 10, TRUE },
    { { 0x16, 0, 1, 0, 0x50, 1, 2, 3, 4 }, 9, FALSE },     /* a literal is missing */
    { { 0x16, 0, 2, 0, 0x50, 1, 2, 3, 4, 5 }, 10, FALSE }, /* a match before the block's first byte */
    { { 0x16, 0, 0, 0, 0x50, 1, 2, 3, 4, 5 }, 10, FALSE }, /* a distance of 0 */
    { { 0x16, 0, 1 }, 3, FALSE },                          /* half a distance */
    { { 0xf0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 }, 18, TRUE },
    { { 0xf0, 255, 255, 255, 255 }, 5, FALSE }, /* an endless length */
    { { 0x1f, 7, 1, 0, 255, 255 }, 6, FALSE },
    { { 0x1b, 7, 1, 0 }, 4, FALSE },   /* ends with a match */
    { { 0x1b, 7, 1, 0, 0 }, 5, TRUE }, /* no literals after it */
    { { 0 }, 0, FALSE },
    { { 0 }, 1, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      static const CapraBitshuffleCoding coding[] = { CAPRA_BITSHUFFLE_LZ4 };
      const guint8 header[] = { 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, (guint8) streams[i].n };
      g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
      GByteArray *chunk = g_byte_array_new ();
      CapraBitshuffleLayout layout;
      g_auto (ReferenceBatch) batch = { 0 };

      g_byte_array_append (chunk, header, sizeof header);
      g_byte_array_append (chunk, streams[i].bytes, streams[i].n);
      g_ptr_array_add (chunks, chunk);
      g_assert_true (capra_bitshuffle_layout_init_from_chunk (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 1, 16, chunk->data,
                                                              chunk->len, NULL));
      reference_batch_init (&batch, &layout, chunks, coding);
      g_assert_cmpuint (batch.damaged[0], ==, streams[i].good ? CAPRA_BITSHUFFLE_GOOD : 0);
      for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
        {
          support_force_tuning (variants[v]);
          check (support_device (v), &batch, FALSE);
        }
    }
  g_unsetenv ("CAPRA_TUNING");
}

/* The message of the error of a scan contains @text. */
static void
assert_refused (const CapraBitshuffleLayout *layout, const guint8 *chunk, gsize bytes, const char *text)
{
  /* Exactly as long as needed, so that AddressSanitizer finds accesses outside. */
  g_autofree guint8 *copy = g_memdup2 (chunk, bytes);
  g_autofree guint32 *offsets = g_new (guint32, layout->n_blocks + 1);
  g_autoptr (GError) error = NULL;

  g_assert_false (capra_bitshuffle_scan (layout, copy, bytes, offsets, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  if (!strstr (error->message, text))
    g_error ("\"%s\" lacks \"%s\"", error->message, text);
}

static void
test_scan (void)
{
  /* 17 values of two bytes in blocks of 8. */
  static const guint8 chunk[] = { 0, 0, 0, 0, 0, 0, 0, 34, 0, 0, 0, 16, 0, 0, 0, 1, 7, 0, 0, 0, 2, 7, 7, 1, 2 };
  CapraBitshuffleLayout layout, other;
  guint32 offsets[3];
  g_autoptr (GError) error = NULL;

  capra_bitshuffle_layout_init_from_chunk (&layout, CAPRA_BITSHUFFLE_SIGNED, 2, 17, chunk, sizeof chunk, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (layout.block, ==, 8);
  g_assert_cmpuint (layout.n_blocks, ==, 2);
  g_assert_true (capra_bitshuffle_scan (&layout, chunk, sizeof chunk, offsets, &error));
  g_assert_cmpuint (offsets[0], ==, 16);
  g_assert_cmpuint (offsets[1], ==, 21);
  g_assert_cmpuint (offsets[2], ==, 27);

  assert_refused (&layout, chunk, 11, "ends inside of its header");
  assert_refused (&layout, chunk, 14, "ends before block 0 of 2");
  assert_refused (&layout, chunk, 20, "ends before block 1 of 2");
  assert_refused (&layout, chunk, 22, "block 1 of 2 has a length of 2 bytes, of which the chunk has 1");
  assert_refused (&layout, chunk, 24, "inside of its last values");
  other = layout;
  other.values = 18;
  assert_refused (&other, chunk, sizeof chunk, "34 bytes instead of 36");
  g_assert_true (capra_bitshuffle_layout_init (&other, CAPRA_BITSHUFFLE_SIGNED, 2, 17, 16, NULL));
  assert_refused (&other, chunk, sizeof chunk, "blocks of 8 values, others of 16");
}

static void
test_arguments (void)
{
  static const guint8 bytes[64];
  CapraBitshuffleLayout layout;
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) batch = capra_array_new_from_data (support_device (0), &CAPRA_SHAPE_2D (64, 1, CAPRA_U8),
                                                            bytes, NULL);
  g_autoptr (CapraArray) damaged = NULL;
  gsize sizes[] = { 5, 6 }, positions[2];

  g_assert_false (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 3, 8, 0, NULL));
  g_assert_false (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_FLOAT, 2, 8, 0, NULL));
  g_assert_false (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, 0, 0, NULL));
  g_assert_false (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, 1u << 30, 0, NULL));
  g_assert_false (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, 8, 12, NULL));
  g_assert_false (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, 8, 1u << 29, NULL));
  g_assert_true (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, 4485690, 0, NULL));
  g_assert_cmpuint (layout.block, ==, 2048);
  g_assert_cmpuint (layout.n_blocks, ==, 2191);
  g_assert_true (capra_bitshuffle_layout_init (&layout, CAPRA_BITSHUFFLE_UNSIGNED, 4, 20, 8, NULL));
  g_assert_cmpuint (capra_bitshuffle_batch_size (&layout, 2, sizes, positions), ==, 64 + 16 + 16 + 16);
  g_assert_cmpuint (positions[1], ==, 80);
  sizes[0] = G_MAXSIZE - 3;
  g_assert_cmpuint (capra_bitshuffle_batch_size (&layout, 2, sizes, positions), ==, 0);

  g_assert_null (capra_bitshuffle_decode (batch, &layout, &CAPRA_SHAPE_2D (21, 1, CAPRA_U32), &damaged, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  g_assert_null (capra_bitshuffle_decode (batch, &layout, &CAPRA_SHAPE_2D (20, 1, CAPRA_U16), &damaged, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint element = smallest_element (); element <= largest_element (); element *= 2)
    {
      g_autofree char *name = g_strdup_printf ("/bitshuffle/layouts/%u", element);

      g_test_add_data_func (name, GUINT_TO_POINTER (element), test_layouts);
    }
  g_test_add_func ("/bitshuffle/large-blocks", test_large_blocks);
  g_test_add_func ("/bitshuffle/damaged", test_damaged);
  g_test_add_func ("/bitshuffle/streams", test_streams);
  g_test_add_func ("/bitshuffle/scan", test_scan);
  g_test_add_func ("/bitshuffle/arguments", test_arguments);
  return g_test_run ();
}
