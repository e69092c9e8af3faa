/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Azimuthal integration: the geometry of pyFAI's tutorial, 1000 bins, errors from Poisson's model. */
#include "ui/cli/bench/bench-azimuthal.h"

#define FRAMES 8

/* The sparse matrix of the last call, so that calls of one workload measure the integration alone. */
static struct {
  CapraDevice *device;
  int splitting;
  CapraAzimuthal *azimuthal;
} last;

static CapraAzimuthal *
get_azimuthal (CapraDevice *device, int splitting, GError **error)
{
  CapraAzimuthalSettings settings;

  if (last.azimuthal && last.device == device && last.splitting == splitting)
    return last.azimuthal;
  g_clear_pointer (&last.azimuthal, capra_azimuthal_unref);
  capra_azimuthal_settings_init (&settings);
  settings.poni = (CapraPoni){
    .detector = "Eiger4M", .pixel1 = 75e-6, .pixel2 = 75e-6, .orientation = 3, .distance = 1, .wavelength = 1e-10
  };
  settings.width = BENCH_EIGER_WIDTH;
  settings.height = BENCH_EIGER_HEIGHT;
  settings.splitting = (CapraAzimuthalSplitting) splitting;
  settings.error = CAPRA_AZIMUTHAL_ERROR_POISSON;
  last.azimuthal = capra_azimuthal_new (device, &settings, error);
  last.device = device;
  last.splitting = splitting;
  return last.azimuthal;
}

void
bench_fill_counts (guint32 *values, gsize n)
{
  guint32 state = 1;

  for (gsize i = 0; i < n; i++)
    {
      state = state * 1664525 + 1013904223;
      values[i] = state >> 28;
    }
}

static CapraArray *
make_frames (CapraDevice *device, GError **error)
{
  CapraShape shape = { BENCH_EIGER_WIDTH, BENCH_EIGER_HEIGHT, FRAMES, 1, CAPRA_U32 };
  g_autofree guint32 *values = g_new (guint32, capra_shape_count (&shape));

  bench_fill_counts (values, capra_shape_count (&shape));
  return capra_array_new_from_data (device, &shape, values, error);
}

CapraArray *
bench_prepare_azimuthal (const BenchWorkload *workload, CapraArray *image, GError **error)
{
  /* The same frames for all inputs: they are larger than caches. */
  static CapraArray *frames = NULL;

  if (frames && capra_array_get_device (frames) != capra_array_get_device (image))
    g_clear_pointer (&frames, capra_array_unref);
  if (!frames)
    frames = make_frames (capra_array_get_device (image), error);
  return frames ? capra_array_ref (frames) : NULL;
}

gboolean
bench_run_azimuthal (const BenchCall *call, GError **error)
{
  int parameter = (int) call->workload->parameter;
  guint frames = (guint) parameter % 100;
  CapraAzimuthal *azimuthal = get_azimuthal (capra_array_get_device (call->image), parameter / 100, error);
  g_autoptr (CapraArray) results = azimuthal ? capra_azimuthal_new_results (azimuthal, frames, error) : NULL;

  return results && capra_azimuthal_integrate (azimuthal, call->second, frames, NULL, results, error)
         && bench_finish (g_steal_pointer (&results), call, error);
}
