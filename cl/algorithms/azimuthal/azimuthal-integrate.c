/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration: launches the kernels that integrate frames. */
#include <glib/gi18n-lib.h>

#include "algorithms/azimuthal/azimuthal-fail.h"
#include "algorithms/azimuthal/azimuthal-run.h"
#include "runtime/device/tuning.h"

#define MAX_BATCH 8
#define MAX_CHECKED 4 /* also of CPUs */

static gboolean
check_arrays (CapraAzimuthal *azimuthal, CapraArray *frames, guint n_frames, CapraArray *variance, CapraArray *results,
              GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;
  const CapraShape *out = &results->shape;

  if (!capra_azimuthal_check_frames (azimuthal, &frames->shape, error))
    return FALSE;
  if (n_frames > frames->shape.depth)
    return capra_azimuthal_fail (error, _ ("%u frames of an array that has %u"), n_frames, (guint) frames->shape.depth);
  if ((settings->error == CAPRA_AZIMUTHAL_ERROR_VARIANCE) != (variance != NULL))
    return capra_azimuthal_fail (error, variance ? _ ("the error model takes no image of variances")
                                                 : _ ("the error model requires an image of variances"));
  if (variance
      && (variance->shape.type != CAPRA_F32 || variance->shape.channels != 1 || variance->shape.width != settings->width
          || variance->shape.height != settings->height
          || (variance->shape.depth != 1 && variance->shape.depth < n_frames)))
    return capra_azimuthal_fail (
      error, _ ("the variances must be f32 values with the size of the frames, one plane or one for each "
                "frame"));
  if (out->type != CAPRA_F32 || out->channels != 1 || out->width != settings->bins
      || out->height * out->depth < (gsize) n_frames * N_PLANES * settings->azimuthal_bins)
    return capra_azimuthal_fail (error,
                                 _ ("the array for the results must be as capra_azimuthal_new_results() returns it"));
  return TRUE;
}

CapraArray *
capra_azimuthal_new_results (CapraAzimuthal *azimuthal, guint n_frames, GError **error)
{
  CapraShape shape = { azimuthal->settings.bins, azimuthal->settings.azimuthal_bins,
                       (gsize) MAX (n_frames, 1) * N_PLANES, 1, CAPRA_F32 };

  return capra_array_new_uninitialized (azimuthal->context, &shape, error);
}

/* Frames in which each pixel of the matrix is valid. */
static gboolean
is_unchecked (const CapraAzimuthalRun *run)
{
  CapraAzimuthalError error = run->azimuthal->settings.error;

  return !run->dummy && run->frames->shape.type != CAPRA_F32
         && (error == CAPRA_AZIMUTHAL_ERROR_NONE || error == CAPRA_AZIMUTHAL_ERROR_POISSON
             || error == CAPRA_AZIMUTHAL_ERROR_HYBRID);
}

static gboolean
end (CapraLaunch *launch, const CapraAzimuthalRun *run, guint batch, gsize group, GError **error)
{
  const CapraAzimuthal *azimuthal = run->azimuthal;

  capra_launch_uint (launch, azimuthal->matrix.n_rows);
  capra_launch_float (launch, (float) azimuthal->settings.empty);
  capra_launch_write (launch, run->results);
  return capra_launch_run_1d (launch, azimuthal->matrix.n_rows * group, group, capra_azimuthal_run_bytes (run, batch),
                              error);
}

static gboolean
run_unchecked (const CapraAzimuthalRun *run, guint first, guint batch, GError **error)
{
  gsize group = capra_azimuthal_row_group (run->azimuthal);
  g_autofree char *options = capra_azimuthal_run_options (run, batch, group);
  CapraLaunch launch;

  capra_azimuthal_run_begin (run, &launch, "azimuthal-integrate", options, "azimuthal_integrate", first);
  capra_launch_read (&launch, run->azimuthal->fixed);
  return end (&launch, run, batch, group, error);
}

static gboolean
run_checked (const CapraAzimuthalRun *run, guint first, guint batch, GError **error)
{
  gsize group = capra_azimuthal_row_group (run->azimuthal);
  g_autofree char *options = capra_azimuthal_run_options (run, batch, group);
  CapraLaunch launch;

  capra_azimuthal_run_begin (run, &launch, "azimuthal-checked", options, "azimuthal_checked", first);
  capra_azimuthal_run_set_images (run, &launch);
  return end (&launch, run, batch, group, error);
}

/* One frame whose variances are found in its bins, or whose values are clipped. */
static gboolean
run_clipped (const CapraAzimuthalRun *run, guint first, GError **error)
{
  const CapraAzimuthalSettings *settings = &run->azimuthal->settings;
  gsize group = capra_azimuthal_row_group (run->azimuthal);
  g_autofree char *options = capra_azimuthal_run_options (run, 1, group);
  CapraLaunch launch;

  capra_azimuthal_run_begin (run, &launch, "azimuthal-clip", options, "azimuthal_clip", first);
  capra_azimuthal_run_set_images (run, &launch);
  capra_launch_float (&launch, (float) settings->clip_threshold);
  capra_launch_uint (&launch, settings->clip ? settings->clip_iterations : 0);
  return end (&launch, run, 1, group, error);
}

static gboolean
run_all (const CapraAzimuthalRun *run, guint n_frames, GError **error)
{
  const CapraAzimuthalSettings *settings = &run->azimuthal->settings;
  gboolean clipped = settings->clip || settings->error == CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL;
  gboolean unchecked = !clipped && is_unchecked (run);
  int most = capra_tuning_get_int (run->azimuthal->context->device, "azimuthal.batch",
                                   capra_azimuthal_row_group (run->azimuthal) == 1 ? MAX_CHECKED : MAX_BATCH);
  guint batch = most >= 8 ? 8 : most >= 4 ? 4 : most >= 2 ? 2 : 1;

  if (!unchecked)
    batch = MIN (batch, MAX_CHECKED);
  for (guint first = 0; first < n_frames; first += batch)
    {
      gboolean ran = FALSE;

      while (clipped ? batch > 1 : batch > n_frames - first)
        batch /= 2;
      if (clipped)
        ran = run_clipped (run, first, error);
      else
        ran = unchecked ? run_unchecked (run, first, batch, error) : run_checked (run, first, batch, error);
      if (!ran)
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_azimuthal_integrate (CapraAzimuthal *azimuthal, CapraArray *frames, guint n_frames, CapraArray *variance,
                           CapraArray *results, GError **error)
{
  CapraArray *variances = variance ? variance : azimuthal->variance;
  CapraAzimuthalRun run;
  gboolean done = FALSE;

  g_return_val_if_fail (azimuthal->fixed, FALSE);

  if (!check_arrays (azimuthal, frames, n_frames, variances, results, error))
    return FALSE;
  capra_azimuthal_run_init (&run, azimuthal, frames, variances);
  run.results = results;
  capra_azimuthal_hold (azimuthal);
  done = run_all (&run, n_frames, error);
  capra_azimuthal_release (azimuthal);
  return done;
}
