/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: masks of what is above the background (clip.h). */
#include "algorithms/clip/clip-device.h"
#include "algorithms/clip/clip-params.h"
#include "algorithms/threshold/histogram-params.h"
#include "algorithms/threshold/threshold-private.h"

/* threshold.cl reads the same word of both. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (clip_state_t, above) == OTSU_ABOVE * sizeof (float));

CapraArray *
capra_threshold_clip (CapraArray *input, const CapraClipOptions *options, CapraType type, CapraClip *clip,
                      GError **error)
{
  g_autoptr (CapraArray) words = NULL;
  g_autoptr (CapraArray) mask = NULL;
  gboolean found = FALSE;

  g_return_val_if_fail (input && options && clip, NULL);

  if (!capra_clip_check (input, options, error))
    return NULL;
  if (capra_array_get_shape (input)->type != CAPRA_F32 || !capra_clip_device_fits (input))
    return capra_clip (input, options, clip, error) ? capra_threshold_above_mask (input, clip->threshold, type, error)
                                                    : NULL;
  words = capra_clip_device_start (input, options, error);
  if (words)
    mask = capra_threshold_above_found (input, words, type, error);
  if (!mask || !capra_clip_device_finish (words, options, clip, &found, error))
    return NULL;
  if (found)
    return g_steal_pointer (&mask);
  return capra_clip_on_host (input, options, clip, error)
           ? capra_threshold_above_mask (input, clip->threshold, type, error)
           : NULL;
}
