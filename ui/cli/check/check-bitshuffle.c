/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of decoding compressed chunks: exact, with damaged chunks. */
#include <string.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-batch.h"

/* Compressed, plain, and uncompressed chunks; @damaged spoils the end of the first one. */
static void
make_batch (ReferenceBatch *batch, const CapraBitshuffleLayout *layout, gboolean damaged)
{
  static const CapraBitshuffleCoding codings[] = { CAPRA_BITSHUFFLE_LZ4, CAPRA_BITSHUFFLE_RAW, CAPRA_BITSHUFFLE_LZ4,
                                                   CAPRA_BITSHUFFLE_PLANES };
  g_autoptr (GPtrArray) chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autoptr (GRand) random = g_rand_new_with_seed (layout->element);

  for (guint i = 0; i < REFERENCE_BATCH_CHUNKS; i++)
    {
      g_autofree guint8 *values = reference_batch_values (layout->values, layout->element, i + 1, random);
      GByteArray *chunk = reference_batch_chunk (layout, values, codings[i], random);

      if (i == 0 && damaged)
        memset (chunk->data + CAPRA_BITSHUFFLE_HEADER + 4, 255, MIN (chunk->len - CAPRA_BITSHUFFLE_HEADER - 4, 4));
      g_ptr_array_add (chunks, chunk);
    }
  reference_batch_init (batch, layout, chunks, codings);
}

/* The decoded values as doubles, which hold 32 bits exactly. */
static double *
expected_values (const ReferenceBatch *batch, const CapraShape *shape, gboolean converted)
{
  const CapraBitshuffleLayout *layout = &batch->layout;
  gsize count = capra_shape_count (shape);
  double *expected = g_new (double, count);

  for (gsize i = 0; i < count; i++)
    expected[i] = converted
                    ? reference_batch_number (layout->kind, layout->element, batch->expected + i * layout->element)
                    : reference_value (shape->type, batch->expected, i);
  return expected;
}

static gboolean
check_layout (Check *check, const CapraBitshuffleLayout *layout, gboolean damage, gboolean converted)
{
  g_auto (ReferenceBatch) batch = { 0 };
  CapraShape shape = { layout->values, 1, REFERENCE_BATCH_CHUNKS, !converted && layout->element == 8 ? 2 : 1,
                       converted ? CAPRA_F32 : reference_batch_type (layout) };
  g_autoptr (CapraArray) input = NULL, output = NULL, damaged = NULL;
  g_autofree double *expected = NULL;
  double numbers[REFERENCE_BATCH_CHUNKS];

  check_case (check, "%u values of %u bytes, blocks of %u%s, to %s", (guint) layout->values, layout->element,
              layout->block, damage ? ", damaged" : "", capra_type_name (shape.type));
  make_batch (&batch, layout, damage);
  for (guint i = 0; i < REFERENCE_BATCH_CHUNKS; i++)
    numbers[i] = batch.damaged[i];
  input = check_upload (check, &CAPRA_SHAPE_2D (batch.bytes, 1, CAPRA_U8), batch.data);
  output = input ? capra_bitshuffle_decode (input, layout, &shape, &damaged, &check->error) : NULL;
  if (!output || !check_values (check, g_steal_pointer (&damaged), numbers, 0))
    return FALSE;
  expected = expected_values (&batch, &shape, converted);
  return check_values (check, g_steal_pointer (&output), expected, 0);
}

/* Blocks whose planes are words and others; fewer values than a block, and values after the last block. Each size of
 * values has kernels. */
static gboolean
run_bitshuffle (Check *check)
{
  static const struct {
    guint element;
    CapraBitshuffleKind kind;
  } kinds[] = { { 4, CAPRA_BITSHUFFLE_UNSIGNED }, { 2, CAPRA_BITSHUFFLE_UNSIGNED }, { 1, CAPRA_BITSHUFFLE_SIGNED },
                { 8, CAPRA_BITSHUFFLE_FLOAT },    { 4, CAPRA_BITSHUFFLE_FLOAT },    { 2, CAPRA_BITSHUFFLE_SIGNED } };
  static const guint blocks[] = { 128, 56, 0 }, counts[] = { 317, 1003, 7 };
  gboolean doubles = capra_device_get_info (check->device)->doubles;

  for (guint k = 0; k < (check->full ? G_N_ELEMENTS (kinds) : 2); k++)
    for (guint b = 0; b < G_N_ELEMENTS (blocks); b++)
      for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
        {
          /* Doubles become floats only on a device that has them. */
          gboolean converts = kinds[k].kind != CAPRA_BITSHUFFLE_FLOAT || kinds[k].element != 8 || doubles;
          CapraBitshuffleLayout layout;

          if (!capra_bitshuffle_layout_init (&layout, kinds[k].kind, kinds[k].element, counts[c], blocks[b],
                                             &check->error)
              || !check_layout (check, &layout, b == 0 && c < 2, FALSE)
              || (check->full && converts && !check_layout (check, &layout, FALSE, TRUE)))
            return FALSE;
        }
  return TRUE;
}

static const char *const bitshuffle_variants[] = { "bitshuffle.variant=item", "bitshuffle.variant=group",
                                                   "bitshuffle.variant=group,bitshuffle.scratch=global", NULL };
const CheckFamily check_bitshuffle = { .name = "bitshuffle", .variants = bitshuffle_variants, .run = run_bitshuffle };
