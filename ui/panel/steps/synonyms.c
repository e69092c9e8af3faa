/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synonyms: other words by which people search for operations. */
#include "ui/panel/steps/synonyms.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Each entry: a part of the names of operations, and words for them, the purpose first. Translators: words of your
 * language for the same purpose; the English ones are found, too. */
static const struct {
  const char *part, *words;
} synonyms[] = {
  { "blur", N_ ("smooth smoothing soften denoise defocus low-pass average") },
  { "median", N_ ("smooth denoise despeckle salt pepper") },
  { "noise-reduction", N_ ("smooth denoise clean") },
  { "bilateral", N_ ("smooth denoise edge preserving") },
  { "mean-curvature", N_ ("smooth denoise") },
  { "snn-mean", N_ ("smooth denoise edge preserving") },
  { "domain-transform", N_ ("smooth denoise edge preserving") },
  { "threshold", N_ ("segment segmentation binarize binary mask foreground background objects count counting cells") },
  { "capra:threshold", N_ ("automatic otsu mean triangle li yen isodata kappa sigma") },
  { "label", N_ ("segment segmentation count counting cells nuclei particles blobs objects components regions") },
  { "measure",
    N_ ("analyze analysis count counting cells nuclei particles objects area size perimeter intensity table") },
  { "statistics", N_ ("average mean median minimum maximum deviation histogram numbers analyze table") },
  { "convolve", N_ ("filter kernel custom matrix sharpen correlate") },
  { "convolution", N_ ("filter kernel custom matrix sharpen") },
  { "azimuthal", N_ ("integrate diffraction powder radial profile saxs waxs rings calibration") },
  { "edge", N_ ("outline border contour gradient") },
  { "sobel", N_ ("outline border contour gradient") },
  { "laplace", N_ ("outline border contour gradient") },
  { "gradient", N_ ("outline border contour slope") },
  { "unsharp", N_ ("sharpen crisp detail") },
  { "high-pass", N_ ("sharpen detail background removal") },
  { "difference-of-gaussians", N_ ("spots blobs band-pass edges") },
  { "value-propagate", N_ ("morphology dilate erode grow shrink") },
  { "dilate", N_ ("morphology grow expand") },
  { "erode", N_ ("morphology shrink") },
  { "distance-transform", N_ ("morphology distance map euclidean") },
  { "watershed", N_ ("segment segmentation split touching") },
  { "slic", N_ ("segment segmentation superpixels") },
  { "invert", N_ ("negative complement") },
  { "brightness-contrast", N_ ("lighten darken brighten") },
  { "exposure", N_ ("lighten darken brighten") },
  { "levels", N_ ("contrast brightness range stretch") },
  { "stretch-contrast", N_ ("normalize rescale range") },
  { "contrast-curve", N_ ("tone gamma levels curves") },
  { "mono-mixer", N_ ("grayscale greyscale monochrome desaturate") },
  { "saturation", N_ ("grayscale desaturate vivid colorful") },
  { "hue-chroma", N_ ("color shift tint") },
  { "color-temperature", N_ ("white balance warm cold") },
  { "crop", N_ ("cut trim region") },
  { "scale", N_ ("resize enlarge shrink size zoom") },
  { "rotate", N_ ("turn angle") },
  { "reflect", N_ ("mirror flip") },
  { "translate", N_ ("move shift offset") },
  { "pixelize", N_ ("mosaic blocks binning") },
  { "noise-", N_ ("grain random") },
  { "fattal02", N_ ("tone mapping hdr") },
  { "mantiuk06", N_ ("tone mapping hdr") },
  { "reinhard05", N_ ("tone mapping hdr") },
};

static void
append (GString *all, const char *words, gboolean purpose)
{
  g_string_append_c (all, ' ');
  g_string_append_len (all, words, purpose ? (gssize) strcspn (words, " ") : -1);
}

static char *
collect (const char *name, gboolean purposes)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (synonyms); i++)
    if (strstr (name, synonyms[i].part))
      {
        append (words, synonyms[i].words, purposes);
        if (_ (synonyms[i].words) != synonyms[i].words)
          append (words, _ (synonyms[i].words), purposes);
      }
  return g_string_free (words, FALSE);
}

char *
capra_synonyms_get (const char *name)
{
  return collect (name, FALSE);
}

char *
capra_synonyms_get_purposes (const char *name)
{
  return collect (name, TRUE);
}
