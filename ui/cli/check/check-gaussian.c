/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of the Gaussian blur: sums along one axis, the sampled Gaussian, and the whole one. */
#include <math.h>

#include "ui/cli/check/check-families.h"
#include "ui/cli/check/check-window.h"

/* As gaussian-blur.h says of the whole Gaussian. Sums of floats with positive weights of sum 1 are well within it. */
#define TOLERANCE 1e-5

typedef struct {
  double sigma[3];
  CapraBorder border;
} Blur;

static CapraArray *
blur_sampled (CapraArray *input, gconstpointer data, const CapraWindow *window, GError **error)
{
  const Blur *blur = data;

  return capra_gaussian_blur (input, blur->sigma, CAPRA_GAUSSIAN_SAMPLED, 4, blur->border, window, error);
}

static double *
expect_sampled (const ReferenceImage *image, gconstpointer data, CapraRect result)
{
  const Blur *blur = data;

  return reference_gaussian (image, blur->sigma, 4, blur->border, result);
}

static void
reach_sampled (gconstpointer data, int *x, int *y)
{
  const Blur *blur = data;

  *x = capra_gaussian_source_radius (blur->sigma[0], CAPRA_GAUSSIAN_SAMPLED, 4);
  *y = capra_gaussian_source_radius (blur->sigma[1], CAPRA_GAUSSIAN_SAMPLED, 4);
}

static const CheckFilter sampled = { blur_sampled, expect_sampled, reach_sampled, TOLERANCE, 1 };

static CapraArray *
blur_whole (CapraArray *input, gconstpointer data, const CapraWindow *window, GError **error)
{
  const Blur *blur = data;

  return capra_gaussian_blur (input, blur->sigma, CAPRA_GAUSSIAN_WHOLE, 4, blur->border, window, error);
}

static double *
expect_whole (const ReferenceImage *image, gconstpointer data, CapraRect result)
{
  const Blur *blur = data;

  return reference_gaussian_whole (image, blur->sigma, blur->border, result);
}

static void
reach_whole (gconstpointer data, int *x, int *y)
{
  const Blur *blur = data;

  *x = capra_gaussian_source_radius (blur->sigma[0], CAPRA_GAUSSIAN_WHOLE, 4);
  *y = capra_gaussian_source_radius (blur->sigma[1], CAPRA_GAUSSIAN_WHOLE, 4);
}

static const CheckFilter whole = { blur_whole, expect_whole, reach_whole, TOLERANCE, 2 };

/* Blurs an image with each border. */
static gboolean
check_blur (Check *check, const CheckFilter *filter, const CapraShape *shape, const double sigma[3])
{
  for (int border = CAPRA_BORDER_NONE; border <= CAPRA_BORDER_WRAP; border++)
    {
      Blur blur = { { sigma[0], sigma[1], sigma[2] }, (CapraBorder) border };

      check_case (check, "%zux%zux%zu, %u channels of %s, sigma %g %g %g, border %d", shape->width, shape->height,
                  shape->depth, shape->channels, capra_type_name (shape->type), sigma[0], sigma[1], sigma[2], border);
      if (!check_filter (check, filter, &blur, shape))
        return FALSE;
    }
  return TRUE;
}

/* A pass along one axis: along x, y and z; with more weights than fit into constant memory, and with a reach that is
 * much longer than the axis. */
static gboolean
run_separable (Check *check)
{
  static const struct {
    CapraShape shape;
    double sigma[3];
  } cases[] = {
    { { 77, 19, 1, 1, CAPRA_F32 }, { 2.5, 0, 0 } },  { { 77, 19, 1, 1, CAPRA_F32 }, { 0, 1.1, 0 } },
    { { 9, 7, 5, 1, CAPRA_F32 }, { 0, 0, 1.7 } },    { { 301, 3, 1, 1, CAPRA_F32 }, { 60, 0, 0 } },
    { { 23, 5, 1, 1, CAPRA_F32 }, { 1e4, 1e4, 0 } }, { { 7, 301, 1, 1, CAPRA_F32 }, { 0, 60, 0 } },
    { { 131, 21, 1, 3, CAPRA_F32 }, { 8, 0, 0 } },   { { 77, 19, 1, 4, CAPRA_U8 }, { 2.5, 0, 0 } },
    { { 77, 19, 1, 2, CAPRA_I16 }, { 0, 1.1, 0 } },  { { 9, 7, 5, 3, CAPRA_U32 }, { 0.8, 1.1, 1.7 } },
    { { 1, 1, 1, 1, CAPRA_F32 }, { 2.5, 0, 0 } },
  };

  for (guint i = 0; i < (check->full ? G_N_ELEMENTS (cases) : 6); i++)
    if (!check_blur (check, &sampled, &cases[i].shape, cases[i].sigma))
      return FALSE;
  return check_not_finite (check, &sampled, &(Blur){ { 5, 0, 0 }, CAPRA_BORDER_CLAMP });
}

static const char *const separable_variants[] = { "taps.variant=vector", "taps.variant=group",
                                                  "taps.variant=vector,taps.values=32,taps.rows=2",
                                                  "taps.variant=group,taps.group-size=128,taps.group-rows=8,"
                                                  "taps.group-width=64",
                                                  NULL };
const CheckFamily check_separable = { .name = "separable", .variants = separable_variants, .run = run_separable };

/* Both axes in one pass. */
static gboolean
run_gaussian (Check *check)
{
  static const double sigmas[][3] = { { 1.3, 0.7, 0 }, { 2.9, 2.2, 0 }, { 0.3, 0.4, 0 }, { 6, 5.5, 0 } };

  for (guint i = 0; i < (check->full ? G_N_ELEMENTS (sigmas) : 1); i++)
    for (guint s = 0; s < check_n_sizes (check); s++)
      {
        CapraShape shape = { check_sizes[s].width, check_sizes[s].height, 1, 1, CAPRA_F32 };

        if (!check_blur (check, &sampled, &shape, sigmas[i]))
          return FALSE;
      }
  for (guint channels = 2; check->full && channels <= 4; channels++)
    if (!check_blur (check, &sampled, &(CapraShape){ 131, 67, 2, channels, CAPRA_F32 }, sigmas[1])
        || !check_blur (check, &sampled, &(CapraShape){ 131, 67, 1, channels, CAPRA_U8 }, sigmas[1]))
      return FALSE;
  /* On GPUs, images in colors with more than two million values have a kernel of their own. */
  if (capra_device_get_info (check->device)->type == CAPRA_DEVICE_GPU)
    {
      CapraShape shape = { 703, 1009, 1, 3, CAPRA_F32 };

      check_case (check, "%zux%zu, %u channels", shape.width, shape.height, shape.channels);
      if (!check_filter (check, &sampled, &(Blur){ { 1.3, 0.7, 0 }, CAPRA_BORDER_CLAMP }, &shape))
        return FALSE;
    }
  return check_windows (check, &sampled, &(Blur){ { 1.3, 0.7, 0 }, CAPRA_BORDER_MIRROR })
         && check_not_finite (check, &sampled, &(Blur){ { 1.3, 0.7, 0 }, CAPRA_BORDER_CLAMP });
}

static const char *const gaussian_variants[] = { "gaussian.variant=vector",
                                                 "gaussian.variant=group,gaussian.separable=1000000",
                                                 "gaussian.variant=group,gaussian.separable=0,convolve.variant=group",
                                                 NULL };
const CheckFamily check_gaussian = { .name = "gaussian", .variants = gaussian_variants, .run = run_gaussian };

/* Decimated, blurred and interpolated. */
static gboolean
run_gaussian_whole (Check *check)
{
  static const double sigmas[] = { 5, 20, 1, 70, 13, 300 };
  static const CheckSize sizes[] = { { 203, 121 }, { 1, 1 }, { 1, 200 }, { 200, 1 }, { 64, 57 } };

  for (guint i = 0; i < (check->full ? G_N_ELEMENTS (sigmas) : 2); i++)
    for (guint s = 0; s < (check->full ? G_N_ELEMENTS (sizes) : 2); s++)
      {
        CapraShape shape = { sizes[s].width, sizes[s].height, 1, 1, CAPRA_F32 };

        if (!check_blur (check, &whole, &shape, (double[]){ sigmas[i], sigmas[i], 0 }))
          return FALSE;
      }
  if (check->full
      && (!check_blur (check, &whole, &(CapraShape){ 85, 77, 2, 3, CAPRA_F32 }, (double[]){ 10, 20, 0 })
          || !check_blur (check, &whole, &(CapraShape){ 90, 75, 1, 4, CAPRA_U8 }, (double[]){ 5, 5, 0 })
          || !check_blur (check, &whole, &(CapraShape){ 90, 75, 1, 1, CAPRA_F32 }, (double[]){ 5, 0, 0 })
          || !check_blur (check, &whole, &(CapraShape){ 90, 75, 1, 1, CAPRA_F32 }, (double[]){ 0, 5, 0 })))
    return FALSE;
  return check_windows (check, &whole, &(Blur){ { 5, 5, 0 }, CAPRA_BORDER_MIRROR })
         && check_not_finite (check, &whole, &(Blur){ { 5, 5, 0 }, CAPRA_BORDER_CLAMP });
}

static const char *const whole_variants[] = { "taps.variant=vector,gaussian.variant=vector,gaussian.factor=8",
                                              "taps.variant=group,gaussian.variant=group,gaussian.factor=16",
                                              "taps.variant=vector,gaussian.variant=vector,gaussian.factor=16", NULL };
const CheckFamily check_gaussian_whole = { .name = "gaussian-whole",
                                           .variants = whole_variants,
                                           .run = run_gaussian_whole };
