/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels for frames of detectors: decoding and azimuthal integration. */
#include <string.h>

#include "tests/algorithms/kernels.h"
#include "ui/cli/check/reference-bitshuffle.h"

/* A batch with a compressed chunk, one whose last block is damaged, and a plain one. */
typedef struct {
  CapraBitshuffleLayout layout;
  gsize bytes;
  const guint8 *data;
  CapraShape shape; /* of the result */
} Chunks;

static CapraArray *
make_decoded (gconstpointer data, GError **error)
{
  const Chunks *chunks = data;
  g_autoptr (CapraArray) batch = capra_array_new_from_data (
    kernels_device (), &CAPRA_SHAPE_2D (chunks->bytes, 1, CAPRA_U8), chunks->data, error);
  g_autoptr (CapraArray) damaged = NULL;
  CapraArray *result = batch ? capra_bitshuffle_decode (batch, &chunks->layout, &chunks->shape, &damaged, error) : NULL;
  guint32 got[3];

  if (!result)
    return NULL;
  g_assert_true (capra_array_download (damaged, got, error));
  g_assert_cmpuint (got[0], ==, CAPRA_BITSHUFFLE_GOOD);
  g_assert_cmpuint (got[1], ==, chunks->layout.n_blocks - 1);
  g_assert_cmpuint (got[2], ==, CAPRA_BITSHUFFLE_GOOD);
  return result;
}

static void
check_chunks (guint element, guint n, guint block, CapraType type)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (element);
  g_autofree guint8 *values = g_malloc0 (n * element), *data = NULL;
  g_autoptr (GByteArray) chunk = NULL;
  g_autofree guint32 *offsets = NULL;
  gsize sizes[3], positions[3];
  guint last;
  Chunks chunks = { .shape = { n, 1, 3, type != CAPRA_F32 && element == 8 ? 2 : 1, type } };

  for (guint i = 0; i < n; i++)
    values[i * element] = (guint8) (i / 20 + g_rand_int_range (random, 0, 3));
  chunk = reference_bitshuffle_encode (values, n, element, block, reference_lz4_random, random);
  sizes[0] = sizes[1] = chunk->len;
  sizes[2] = n * element;
  g_assert_true (capra_bitshuffle_layout_init (&chunks.layout, CAPRA_BITSHUFFLE_UNSIGNED, element, n, block, NULL));
  chunks.bytes = capra_bitshuffle_batch_size (&chunks.layout, 3, sizes, positions);
  chunks.data = data = g_malloc0 (chunks.bytes);
  last = chunks.layout.n_blocks - 1;
  offsets = g_new (guint32, last + 2);
  g_assert_true (capra_bitshuffle_scan (&chunks.layout, chunk->data, chunk->len, offsets, NULL));
  for (guint i = 0; i < 3; i++)
    {
      memcpy (data + positions[i], i < 2 ? chunk->data : values, sizes[i]);
      if (i == 1)
        memset (data + positions[i] + offsets[last], 255, offsets[last + 1] - 4 - offsets[last]);
      g_assert_true (capra_bitshuffle_batch_add (&chunks.layout, data, 3, i, positions[i], sizes[i],
                                                 i < 2 ? CAPRA_BITSHUFFLE_LZ4 : CAPRA_BITSHUFFLE_RAW, NULL));
    }
  kernels_each_variant (make_decoded, &chunks, "bitshuffle");
}

/* Blocks whose planes are words, and others; values after the last block. */
void
kernels_test_bitshuffle (void)
{
  static const CapraType types[] = { CAPRA_U8, CAPRA_U16, CAPRA_U32, CAPRA_U32 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      check_chunks (1u << i, 317, 128, types[i]);
      check_chunks (1u << i, 123, 56, i % 2 ? CAPRA_F32 : types[i]);
    }
}

typedef struct {
  CapraAzimuthalSettings settings;
  CapraArray *frames, *variance;
  guint n;
} Frames;

static CapraArray *
make_curves (gconstpointer data, GError **error)
{
  const Frames *frames = data;
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_new (kernels_device (), &frames->settings, error);
  g_autoptr (CapraArray) results = azimuthal ? capra_azimuthal_new_results (azimuthal, frames->n, error) : NULL;

  return results && capra_azimuthal_integrate (azimuthal, frames->frames, frames->n, frames->variance, results, error)
           ? g_steal_pointer (&results)
           : NULL;
}

static CapraArray *
make_frames (guint n, CapraType type)
{
  g_autofree float *noise = support_noise (KERNELS_WIDTH * KERNELS_HEIGHT * n, 0, 100, 3);
  g_autofree guint32 *counts = g_new (guint32, KERNELS_WIDTH * KERNELS_HEIGHT * n);
  g_autoptr (GError) error = NULL;
  CapraArray *array = NULL;

  for (guint i = 0; i < KERNELS_WIDTH * KERNELS_HEIGHT * n; i++)
    counts[i] = (guint32) noise[i];
  array = capra_array_new_from_data (kernels_device (), &CAPRA_SHAPE_3D (KERNELS_WIDTH, KERNELS_HEIGHT, n, type),
                                     type == CAPRA_F32 ? (gconstpointer) noise : counts, &error);
  g_assert_no_error (error);
  return array;
}

/* Curves of integers and floats, all models of errors, a dummy, clipping, and bins of azimuths. */
void
kernels_test_azimuthal (void)
{
  for (guint i = 0; i < 8; i++)
    {
      CapraType type = i % 2 ? CAPRA_F32 : CAPRA_U32;
      guint n = 1 + i % 4;
      g_autoptr (CapraArray) frames = make_frames (n, type), variance = NULL;
      Frames work = { .n = n };
      CapraAzimuthalSettings *s = &work.settings;

      capra_azimuthal_settings_init (s);
      s->poni = (CapraPoni){ .pixel1 = 1e-4, .pixel2 = 1e-4, .orientation = 3, .distance = 0.05, .wavelength = 1e-10 };
      s->width = KERNELS_WIDTH;
      s->height = KERNELS_HEIGHT;
      s->bins = i == 5 ? 1 : 19;
      s->splitting = (CapraAzimuthalSplitting) (i % 3);
      s->error = (CapraAzimuthalError) (i % 5);
      s->has_dummy = i % 4 == 2;
      s->dummy = 7;
      s->azimuthal_bins = i == 6 ? 5 : 1;
      s->clip = i == 4 || i == 7;
      s->clip_iterations = 2;
      if (s->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE)
        variance = make_frames (n, CAPRA_F32);
      work.frames = frames;
      work.variance = variance;
      kernels_each_variant (make_curves, &work, "azimuthal integration");
    }
}
