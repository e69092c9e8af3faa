/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Clip: median and standard deviation of an image's background, on the device or the host. */
#include "algorithms/clip/clip.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "algorithms/clip/clip-device.h"
#include "runtime/base/error.h"

gboolean
capra_clip_check (const CapraShape *input, const CapraClipOptions *options, GError **error)
{
  if (input->channels != 1)
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("clipping requires one channel, not %u: convert colors to luminance first"), input->channels);
  else if (!(options->kappa > 0.0) || !isfinite (options->kappa) || !isfinite (options->factor))
    g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                 _ ("kappa is %g and the factor is %g: kappa must be above 0, and both must be finite"), options->kappa,
                 options->factor);
  else
    return TRUE;
  return FALSE;
}

void
capra_clip_set_no_value (GError **error)
{
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                       _ ("no background can be found: the image has no finite value"));
}

double
capra_clip_threshold (const CapraClipOptions *options, double median, double sigma)
{
  return (options->base == CAPRA_CLIP_BASE_MEDIAN ? median : 0.0) + options->factor * sigma;
}

gboolean
capra_clip (CapraArray *input, const CapraClipOptions *options, CapraClip *clip, GError **error)
{
  g_return_val_if_fail (input && options && clip, FALSE);

  if (!capra_clip_check (capra_array_get_shape (input), options, error))
    return FALSE;
  if (capra_clip_device_fits (input))
    {
      g_autoptr (CapraArray) words = capra_clip_device_start (input, options, error);
      guint rounds = 0;

      if (!words || !capra_clip_device_finish (words, input, options, clip, &rounds, error))
        return FALSE;
      if (rounds > 0)
        return TRUE;
      g_debug ("the values are clipped on the host, since the device has not found the result");
    }
  return capra_clip_on_host (input, options, clip, error);
}
