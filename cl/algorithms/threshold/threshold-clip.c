/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: masks of what is above the background (clip.h). */
#include "algorithms/clip/clip-device.h"
#include "algorithms/clip/clip-params.h"
#include "algorithms/threshold/histogram-params.h"
#include "algorithms/threshold/threshold-private.h"

/* threshold.cl reads the same word of both. */
G_STATIC_ASSERT (G_STRUCT_OFFSET (clip_state_t, above) == OTSU_ABOVE * sizeof (float));

CapraArray *
capra_threshold_clip_begin (CapraArray *input, const CapraClipOptions *options, CapraType type, CapraArray **state,
                            GError **error)
{
  g_autoptr (CapraArray) words = NULL;
  CapraArray *mask = NULL;
  CapraClip clip;

  g_return_val_if_fail (input && options && state, NULL);

  *state = NULL;
  if (!capra_clip_check (capra_array_get_shape (input), options, error))
    return NULL;
  if (capra_array_get_shape (input)->type != CAPRA_F32 || !capra_clip_device_fits (input))
    return capra_clip (input, options, &clip, error) ? capra_threshold_above_mask (input, clip.threshold, type, error)
                                                     : NULL;
  words = capra_clip_device_start (input, options, error);
  mask = words ? capra_threshold_above_found (input, words, type, error) : NULL;
  if (mask)
    *state = g_steal_pointer (&words);
  return mask;
}

gboolean
capra_threshold_clip_end (CapraArray *state, CapraArray *input, const CapraClipOptions *options, CapraType type,
                          CapraArray **mask, gboolean *replaced, CapraClip *clip, GError **error)
{
  guint rounds = 0;
  CapraArray *other = NULL;

  g_return_val_if_fail (input && options && mask && replaced && clip, FALSE);

  *replaced = FALSE;
  if (!state)
    return capra_clip (input, options, clip, error);
  if (!capra_clip_device_finish (state, input, options, clip, &rounds, error))
    return FALSE;
  if (rounds == 1)
    return TRUE;
  /* The mask was made before the threshold was found. */
  if (rounds == 0 && !capra_clip_on_host (input, options, clip, error))
    return FALSE;
  other = capra_threshold_above_mask (input, clip->threshold, type, error);
  if (!other)
    return FALSE;
  capra_array_unref (*mask);
  *mask = other;
  *replaced = TRUE;
  return TRUE;
}

CapraArray *
capra_threshold_clip (CapraArray *input, const CapraClipOptions *options, CapraType type, CapraClip *clip,
                      GError **error)
{
  g_autoptr (CapraArray) state = NULL;
  g_autoptr (CapraArray) mask = capra_threshold_clip_begin (input, options, type, &state, error);
  gboolean replaced = FALSE;

  if (!mask || !capra_threshold_clip_end (state, input, options, type, &mask, &replaced, clip, error))
    return NULL;
  return g_steal_pointer (&mask);
}
