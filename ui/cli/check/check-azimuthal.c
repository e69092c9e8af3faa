/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of azimuthal integration: the sparse matrix, sums over its rows, and clipping. */
#include <math.h>
#include <string.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/reference-azimuthal.h"

#define WIDTH 37
#define HEIGHT 29
#define PIXELS (WIDTH * HEIGHT)
#define PLANES CAPRA_AZIMUTHAL_N_PLANES

static CapraAzimuthalSettings
make_settings (void)
{
  CapraAzimuthalSettings s;

  capra_azimuthal_settings_init (&s);
  s.poni = (CapraPoni){ .pixel1 = 1e-4,
                        .pixel2 = 1.1e-4,
                        .orientation = 3,
                        .distance = 0.05,
                        .poni1 = -2e-3,
                        .poni2 = 0.3 * WIDTH * 1.1e-4,
                        .rot1 = 0.1,
                        .rot2 = -0.05,
                        .wavelength = 1e-10 };
  s.width = WIDTH;
  s.height = HEIGHT;
  s.bins = 23;
  s.error = CAPRA_AZIMUTHAL_ERROR_POISSON;
  return s;
}

/* Returns the results of frames. */
typedef float *(*Integrate) (Check *check, const CapraAzimuthalSettings *s, CapraArray *frames);

static float *
integrate (Check *check, const CapraAzimuthalSettings *s, CapraArray *frames)
{
  guint n = (guint) capra_array_get_shape (frames)->depth;
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_new (check->device, s, &check->error);
  g_autoptr (CapraArray) results = azimuthal ? capra_azimuthal_new_results (azimuthal, n, &check->error) : NULL;
  g_autofree float *found = g_new (float, (gsize) s->bins *n *PLANES);

  if (!results || !capra_azimuthal_integrate (azimuthal, frames, n, NULL, results, &check->error)
      || !capra_array_download (results, found, &check->error))
    return NULL;
  return g_steal_pointer (&found);
}

/* A CapraBandFunc. */
static CapraArray *
read_rows (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  CapraShape shape = *capra_array_get_shape (data);
  g_autoptr (CapraArray) band = NULL;

  shape.height = rows;
  band = capra_array_new (device, &shape, error);
  return band && capra_array_copy_rows (band, 0, data, first, rows, error) ? g_steal_pointer (&band) : NULL;
}

/* Of one frame, in bands. */
static float *
integrate_bands (Check *check, const CapraAzimuthalSettings *s, CapraArray *frame)
{
  const guint rows = HEIGHT / 2;
  CapraBandSource source = { check->device, *capra_array_get_shape (frame), rows, read_rows, frame };
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_new_bands (check->device, s, rows, &check->error);
  g_autofree float *found = g_new (float, (gsize) s->bins *PLANES);

  if (!azimuthal || !capra_azimuthal_integrate_bands (azimuthal, &source, found, &check->error))
    return NULL;
  return g_steal_pointer (&found);
}

/* Whether the first @planes of a frame are within @tolerance, relative to the value or to a tenth of the largest one of
 * its plane. */
static gboolean
compare_curves (Check *check, const CapraAzimuthalSettings *s, const float *found, const double *expected, guint planes,
                double tolerance)
{
  static const char *const names[] = { "intensity", "std", "sem", "count" };

  for (guint plane = 0; plane < PLANES; plane++)
    {
      const double *right = expected + plane * s->bins;
      double largest = check_largest (right, s->bins);

      for (guint b = 0; b < s->bins && (planes >> plane & 1); b++)
        {
          g_autofree char *name = g_strdup_printf ("bin %u, %s", b, names[plane]);

          if (!check_number (check, name, found[plane * s->bins + b], right[b],
                             tolerance * MAX (fabs (right[b]), 0.1 * largest)))
            return FALSE;
        }
    }
  return TRUE;
}

/* Counts of photons, or floats of which some are NaN. */
static CapraArray *
make_frames (Check *check, guint n, CapraType type, double *values)
{
  CapraShape shape = CAPRA_SHAPE_3D (WIDTH, HEIGHT, n, type), noise_shape = CAPRA_SHAPE_3D (WIDTH, HEIGHT, n, CAPRA_U8);
  gsize count = capra_shape_count (&shape);
  g_autofree guint8 *noise = g_malloc (count), *data = g_malloc (count * 4);

  reference_noise (&noise_shape, 11, noise, values);
  for (gsize i = 0; i < count; i++)
    {
      if (type == CAPRA_F32)
        values[i] = ((float *) (gpointer) data)[i] = i % 13 == 4 ? NAN : noise[i] + 0.25f;
      else if (type == CAPRA_U16)
        ((guint16 *) (gpointer) data)[i] = noise[i];
      else if (type == CAPRA_U32)
        values[i] = ((guint32 *) (gpointer) data)[i] = i % 97 == 5 ? 4294967290u : noise[i];
    }
  return check_upload (check, &shape, type == CAPRA_U8 ? noise : data);
}

/* Areas are sums of float32 in pyFAI, and here. */
static double
tolerance_of (const CapraAzimuthalSettings *s)
{
  return s->splitting == CAPRA_AZIMUTHAL_SPLIT_FULL ? 3e-4 : 1e-6;
}

#define ALL_PLANES ((1u << PLANES) - 1)

static gboolean
check_frames (Check *check, const CapraAzimuthalSettings *s, guint n, CapraType type, const char *what, Integrate func)
{
  g_autofree double *values = g_new (double, PIXELS *n);
  g_autofree float *found = NULL;
  g_autoptr (CapraArray) frames = NULL;

  check_case (check, "%u frames of %s, splitting %d, %s", n, capra_type_name (type), s->splitting, what);
  frames = make_frames (check, n, type, values);
  found = frames ? func (check, s, frames) : NULL;
  for (guint f = 0; found && f < n; f++)
    {
      g_autofree double *expected = reference_azimuthal (s, values + (gsize) f * PIXELS, NULL);

      if (!compare_curves (check, s, found + (gsize) f * PLANES * s->bins, expected, ALL_PLANES, tolerance_of (s)))
        return FALSE;
    }
  return found != NULL;
}

/* The images that correct frames. */
typedef struct {
  guint8 mask[PIXELS];
  float dark[PIXELS], flat[PIXELS];
} Images;

static Images *
make_images (void)
{
  CapraShape shape = CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_F32);
  g_autofree double *values = g_new (double, PIXELS);
  Images *images = g_new0 (Images, 1);

  reference_noise (&shape, 1, images->dark, values);
  reference_noise (&shape, 2, images->flat, values);
  for (guint i = 0; i < PIXELS; i++)
    {
      images->mask[i] = i % 7 == 3;
      images->dark[i] += 2;
      images->flat[i] = i % 11 == 2 ? 0 : images->flat[i] + 1.5f;
    }
  return images;
}

static gboolean
run_azimuthal (Check *check)
{
  static const CapraType types[] = { CAPRA_U16, CAPRA_F32, CAPRA_U32, CAPRA_U8 };
  g_autofree Images *images = make_images ();

  for (int splitting = CAPRA_AZIMUTHAL_SPLIT_NONE; splitting <= CAPRA_AZIMUTHAL_SPLIT_FULL; splitting++)
    for (guint t = 0; t < (check->full ? G_N_ELEMENTS (types) : 1); t++)
      {
        CapraAzimuthalSettings s = make_settings ();

        s.splitting = (CapraAzimuthalSplitting) splitting;
        if (!check_frames (check, &s, 1, types[t], "plain", integrate)
            || (check->full && !check_frames (check, &s, 11, types[t], "plain", integrate)))
          return FALSE;
        s.mask = images->mask;
        s.dark = images->dark;
        s.flat = images->flat;
        s.polarization = 0.95;
        s.normalization = 2.5;
        s.has_dummy = TRUE;
        s.dummy = 40;
        s.delta_dummy = 5.5;
        s.empty = -1;
        if ((check->full || splitting == CAPRA_AZIMUTHAL_SPLIT_BBOX)
            && (!check_frames (check, &s, 3, types[t], "corrected", integrate)
                || !check_frames (check, &s, 1, types[t], "in bands", integrate_bands)))
          return FALSE;
      }
  return TRUE;
}

static const char *const azimuthal_variants[] = { "azimuthal.variant=row,azimuthal.build=host",
                                                  "azimuthal.variant=row,azimuthal.build=device",
                                                  "azimuthal.variant=group,azimuthal.group=32,azimuthal.batch=2,"
                                                  "azimuthal.build=device",
                                                  "azimuthal.variant=group,azimuthal.doubles=0", NULL };
const CheckFamily check_azimuthal = { .name = "azimuthal", .variants = azimuthal_variants, .run = run_azimuthal };

/* Values from 950 to 1049 with outliers of 3000, which clipping leaves out, so that the result is that with the
 * outliers masked. Half the deviation that is allowed would leave out others. Errors follow the definition of the
 * Poisson model alone. */
static gboolean
run_azimuthal_clip (Check *check)
{
  static const CapraAzimuthalError errors[] = { CAPRA_AZIMUTHAL_ERROR_POISSON, CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL,
                                                CAPRA_AZIMUTHAL_ERROR_HYBRID };
  static const Integrate ways[] = { integrate, integrate_bands };
  guint8 mask[PIXELS];
  guint16 frame[PIXELS];
  double values[PIXELS];

  for (guint i = 0; i < PIXELS; i++)
    {
      mask[i] = i % 50 == 7;
      values[i] = frame[i] = (guint16) (mask[i] ? 3000 : 950 + i * 7919 % 100);
    }
  for (guint e = 0; e < G_N_ELEMENTS (errors); e += check_step (check, 2))
    {
      CapraAzimuthalSettings s = make_settings (), masked;
      gboolean poisson = errors[e] == CAPRA_AZIMUTHAL_ERROR_POISSON;
      g_autofree double *expected = NULL;
      g_autoptr (CapraArray) frames = NULL;

      check_case (check, "clipping with error model %u", e);
      s.splitting = CAPRA_AZIMUTHAL_SPLIT_NONE;
      s.bins = 4;
      masked = s;
      masked.mask = mask;
      s.error = errors[e];
      s.clip = TRUE;
      s.clip_iterations = 10;
      s.clip_threshold = 3;
      frames = check_upload (check, &CAPRA_SHAPE_2D (WIDTH, HEIGHT, CAPRA_U16), frame);
      expected = reference_azimuthal (&masked, values, NULL);
      for (guint k = 0; k < G_N_ELEMENTS (ways); k++)
        {
          g_autofree float *found = frames ? ways[k](check, &s, frames) : NULL;

          if (!found
              || !compare_curves (check, &s, found, expected,
                                  poisson ? ALL_PLANES : 1u << CAPRA_AZIMUTHAL_INTENSITY | 1u << CAPRA_AZIMUTHAL_COUNT,
                                  1e-5))
            return FALSE;
        }
    }
  return TRUE;
}

static const char *const clip_variants[] = { "azimuthal.variant=row", "azimuthal.variant=group", NULL };
const CheckFamily check_azimuthal_clip = { .name = "azimuthal-clip",
                                           .variants = clip_variants,
                                           .run = run_azimuthal_clip };
