/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Azimuthal integration of a frame in bands: the same as of the whole frame, which other tests compare with a
 * reference. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-bands.h"
#include "runtime/device/tuning.h"
#include "runtime/memory/array-transfer.h"
#include "runtime/memory/memory.h"
#include "tests/support/support.h"

enum { WIDTH = 67, HEIGHT = 29, COUNT = WIDTH * HEIGHT };

/* A frame on the host, with the images of its integration. */
typedef struct {
  CapraShape shape;
  guint8 data[COUNT * sizeof (float)];
  float dark[COUNT], flat[COUNT], variance[COUNT];
  guint8 mask[COUNT];
} Frame;

typedef struct {
  const char *name;
  CapraAzimuthalSplitting splitting;
  CapraAzimuthalError error;
  CapraType type;
  guint bins, azimuths;
  gboolean clip, images, dummy;
  guint orientation;
} Case;

/* 64 by 40 bins are more than a group with the small budget has. */
static const Case cases[] = {
  { "none", CAPRA_AZIMUTHAL_SPLIT_NONE, CAPRA_AZIMUTHAL_ERROR_NONE, CAPRA_F32, 31, 1, FALSE, FALSE, FALSE, 3 },
  { "box", CAPRA_AZIMUTHAL_SPLIT_BBOX, CAPRA_AZIMUTHAL_ERROR_POISSON, CAPRA_F32, 31, 1, FALSE, TRUE, FALSE, 1 },
  { "full", CAPRA_AZIMUTHAL_SPLIT_FULL, CAPRA_AZIMUTHAL_ERROR_VARIANCE, CAPRA_F32, 31, 1, FALSE, TRUE, TRUE, 2 },
  { "counts", CAPRA_AZIMUTHAL_SPLIT_FULL, CAPRA_AZIMUTHAL_ERROR_POISSON, CAPRA_U16, 40, 1, FALSE, TRUE, FALSE, 4 },
  { "wide", CAPRA_AZIMUTHAL_SPLIT_BBOX, CAPRA_AZIMUTHAL_ERROR_NONE, CAPRA_I32, 40, 1, FALSE, FALSE, TRUE, 3 },
  { "azimuthal", CAPRA_AZIMUTHAL_SPLIT_BBOX, CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL, CAPRA_F32, 31, 1, FALSE, TRUE, FALSE, 3 },
  { "clip", CAPRA_AZIMUTHAL_SPLIT_FULL, CAPRA_AZIMUTHAL_ERROR_POISSON, CAPRA_U16, 17, 1, TRUE, TRUE, FALSE, 3 },
  { "clip-azimuthal", CAPRA_AZIMUTHAL_SPLIT_FULL, CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL, CAPRA_F32, 17, 1, TRUE, FALSE, TRUE,
    2 },
  { "clip-hybrid", CAPRA_AZIMUTHAL_SPLIT_NONE, CAPRA_AZIMUTHAL_ERROR_HYBRID, CAPRA_F32, 17, 1, TRUE, TRUE, FALSE, 4 },
  { "cake", CAPRA_AZIMUTHAL_SPLIT_FULL, CAPRA_AZIMUTHAL_ERROR_POISSON, CAPRA_F32, 64, 40, FALSE, TRUE, FALSE, 3 },
  { "cake-box", CAPRA_AZIMUTHAL_SPLIT_BBOX, CAPRA_AZIMUTHAL_ERROR_NONE, CAPRA_U16, 64, 40, FALSE, FALSE, FALSE, 1 },
  { "cake-clip", CAPRA_AZIMUTHAL_SPLIT_BBOX, CAPRA_AZIMUTHAL_ERROR_HYBRID, CAPRA_F32, 64, 40, TRUE, TRUE, TRUE, 2 },
};

static void
frame_init (Frame *frame, CapraType type)
{
  g_autofree float *noise = support_noise (COUNT, 0, 1000, 5);

  frame->shape = CAPRA_SHAPE_2D (WIDTH, HEIGHT, type);
  for (guint i = 0; i < COUNT; i++)
    {
      /* Outliers for the clipping. */
      float value = noise[i] * (i % 97 == 3 ? 50 : 1);

      frame->dark[i] = i % 501 == 9 ? NAN : noise[COUNT - 1 - i] / 50;
      frame->flat[i] = 0.8f + noise[(i * 7) % COUNT] / 3000;
      frame->variance[i] = 1 + noise[(i * 3) % COUNT];
      frame->mask[i] = i % 11 == 4 || i / WIDTH == 17;
      if (type == CAPRA_F32)
        ((float *) frame->data)[i] = i % 397 == 8 ? NAN : value - 20;
      else if (type == CAPRA_I32)
        ((gint32 *) frame->data)[i] = (gint32) (value * 1e4f);
      else
        ((guint16 *) frame->data)[i] = (guint16) value;
    }
}

static CapraAzimuthalSettings
make_settings (const Case *c, const Frame *frame)
{
  CapraAzimuthalSettings s;

  capra_azimuthal_settings_init (&s);
  s.poni = (CapraPoni){ .pixel1 = 1e-4, .pixel2 = 1.1e-4, .distance = 0.05, .wavelength = 1e-10, .rot1 = 0.05 };
  s.poni.orientation = c->orientation;
  s.poni.poni1 = 0.4 * HEIGHT * 1e-4;
  s.poni.poni2 = 0.3 * WIDTH * 1.1e-4;
  s.width = WIDTH;
  s.height = HEIGHT;
  s.bins = c->bins;
  s.azimuthal_bins = c->azimuths;
  s.splitting = c->splitting;
  s.error = c->error;
  s.polarization = 0.95;
  s.empty = -7;
  s.clip = c->clip;
  s.clip_threshold = 2;
  s.mask = c->images ? frame->mask : NULL;
  s.dark = c->images ? frame->dark : NULL;
  s.flat = c->images ? frame->flat : NULL;
  s.variance = c->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE ? frame->variance : NULL;
  s.has_dummy = c->dummy;
  s.dummy = 300;
  s.delta_dummy = 50;
  return s;
}

/* A CapraBandFunc. */
static CapraArray *
read_rows (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  const Frame *frame = data;
  CapraShape shape = frame->shape;

  g_assert_cmpuint (first + rows, <=, shape.height);
  shape.height = rows;
  return capra_array_new_from_data (device, &shape, frame->data + first * WIDTH * capra_type_size (shape.type), error);
}

static gsize
count_results (const CapraAzimuthalSettings *s)
{
  return (gsize) s->bins * s->azimuthal_bins * CAPRA_AZIMUTHAL_N_PLANES;
}

static float *
integrate_whole (CapraAzimuthal *azimuthal, CapraDevice *device, const Frame *frame)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraArray) array = capra_array_new_from_data (device, &frame->shape, frame->data, &error);
  g_autoptr (CapraArray) results = capra_azimuthal_new_results (azimuthal, 1, &error);

  capra_azimuthal_integrate (azimuthal, array, 1, NULL, results, &error);
  g_assert_no_error (error);
  return support_download (results);
}

/* Sums that differ by their rounding may differ in the last digit of the result. */
static void
assert_results (const Case *c, const float *got, const float *wanted, gsize n, gboolean exact)
{
  for (gsize i = 0; i < n; i++)
    if (exact ? memcmp (&got[i], &wanted[i], sizeof *got) != 0
              : !(fabsf (got[i] - wanted[i]) <= 2 * FLT_EPSILON * fabsf (wanted[i])))
      g_error ("%s: value %u is %.9g in bands, %.9g at once", c->name, (guint) i, got[i], wanted[i]);
}

static void
check (const Case *c, CapraDevice *device, gboolean exact)
{
  static const guint rows[] = { 1, 8, 19, HEIGHT };
  g_autofree Frame *frame = g_new0 (Frame, 1);
  CapraAzimuthalSettings s = make_settings (c, frame);
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraAzimuthal) whole = NULL;
  g_autofree float *wanted = NULL, *got = g_new (float, count_results (&s));

  frame_init (frame, c->type);
  whole = capra_azimuthal_new (device, &s, &error);
  g_assert_no_error (error);
  wanted = integrate_whole (whole, device, frame);
  /* A band for each row takes as long as three times all others. */
  for (guint i = g_test_slow () || (c - cases) % 4 == 1 ? 0 : 1; i < G_N_ELEMENTS (rows); i++)
    {
      CapraBandSource source = { device, frame->shape, rows[i], read_rows, frame };
      g_autoptr (CapraAzimuthal) bands = capra_azimuthal_new_bands (device, &s, rows[i], &error);

      g_assert_no_error (error);
      capra_memory_set_budget (device, rows[i] == 8 ? 600 << 10 : 0);
      capra_azimuthal_integrate_bands (bands, &source, got, &error);
      capra_memory_set_budget (device, 0);
      g_assert_no_error (error);
      assert_results (c, got, wanted, count_results (&s), exact);
      g_assert_cmpmem (capra_azimuthal_get_radial (bands), s.bins * sizeof (double), capra_azimuthal_get_radial (whole),
                       s.bins * sizeof (double));
      g_assert_cmpmem (capra_azimuthal_get_azimuths (bands), s.azimuthal_bins * sizeof (double),
                       capra_azimuthal_get_azimuths (whole), s.azimuthal_bins * sizeof (double));
      g_assert_cmpstr (capra_azimuthal_get_text (bands), ==, capra_azimuthal_get_text (whole));
    }
}

/* Frames of which all pixels are valid take other kernels, which add in another order, if they are not in bands. */
static gboolean
is_checked (const Case *c)
{
  return c->type == CAPRA_F32 || c->clip || c->dummy || c->error == CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL;
}

static void
test_rows (gconstpointer data)
{
  const Case *c = data;

  capra_tuning_try ("azimuthal.variant", "row");
  check (c, support_device ((guint) (c - cases) % 2), is_checked (c));
  capra_tuning_try ("azimuthal.variant", NULL);
}

/* Without double precision, with matrices that the host builds, and with a group of work-items for each row. */
static void
test_variants (gconstpointer data)
{
  const Case *c = data;
  CapraDevice *device = support_device (0);

  capra_tuning_try ("azimuthal.build", "host");
  capra_tuning_try ("azimuthal.variant", "row");
  check (c, device, is_checked (c));
  capra_tuning_try ("azimuthal.doubles", "0");
  check (c, device, is_checked (c));
  capra_tuning_try ("azimuthal.build", NULL);
  capra_tuning_try ("azimuthal.variant", "group");
  check (c, device, FALSE);
  capra_tuning_try ("azimuthal.doubles", NULL);
  check (c, device, FALSE);
  capra_tuning_try ("azimuthal.variant", NULL);
}

static void
test_errors (void)
{
  g_autofree Frame *frame = g_new0 (Frame, 1);
  CapraAzimuthalSettings s = make_settings (&cases[0], frame);
  CapraDevice *device = support_device (0);
  CapraBandSource source = { device, CAPRA_SHAPE_2D (WIDTH, HEIGHT + 1, CAPRA_F32), 8, read_rows, frame };
  g_autoptr (GError) error = NULL;
  g_autoptr (CapraAzimuthal) bands = capra_azimuthal_new_bands (device, &s, 8, &error);
  g_autofree float *got = g_new (float, count_results (&s));

  g_assert_no_error (error);
  g_assert_false (capra_azimuthal_integrate_bands (bands, &source, got, &error));
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT);
  g_clear_error (&error);
  source.shape = CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_F32);
  capra_memory_set_budget (device, 4 << 10);
  g_assert_false (capra_azimuthal_integrate_bands (bands, &source, got, &error));
  capra_memory_set_budget (device, 0);
  g_assert_error (error, CAPRA_ERROR, CAPRA_ERROR_MEMORY);
}

int
main (int argc, char **argv)
{
  guint step = 1;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/azimuthal-bands/rows/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_rows);
    }
  step = support_step (5);
  for (guint i = 1; i < G_N_ELEMENTS (cases); i += step)
    {
      g_autofree char *path = g_strconcat ("/azimuthal-bands/variants/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_variants);
    }
  g_test_add_func ("/azimuthal-bands/errors", test_errors);
  return g_test_run ();
}
