/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write-raw-values: writes raw values as TIFF and NumPy arrays. (PNG: write-png.c.) */
#include "ui/pipeline/write/raw-result.h"
#include "ui/pipeline/write/npy-writer.h"
#include "ui/pipeline/write/tiff-writer.h"

gboolean
capra_write_raw_tiff (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  g_auto (CapraRawResult) numbers = { .buffer = NULL };
  const CapraSampleLayout *own = &numbers.layout;
  CapraTiffLayout layout;

  if (!capra_raw_result_compute (&numbers, saving, "tif", error))
    return FALSE;
  layout = (CapraTiffLayout){ .width = own->width,
                              .height = own->height,
                              .channels = (guint16) own->channels,
                              .bits = (guint16) (8 * capra_sample_type_get_size (own->type)),
                              .photometric = own->channels > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK };
  layout.format = !capra_sample_type_is_integer (own->type)   ? SAMPLEFORMAT_IEEEFP
                  : capra_sample_type_holds (own->type, -1.0) ? SAMPLEFORMAT_INT
                                                              : SAMPLEFORMAT_UINT;
  if (own->channels % 2 == 0)
    layout.alpha = own->associated ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
  return capra_tiff_write (file, &layout, capra_raw_result_get_rows, &numbers, error);
}

gboolean
capra_write_raw_npy (CapraSaving *saving, CapraOutputFile *file, GError **error)
{
  g_auto (CapraRawResult) numbers = { .buffer = NULL };

  return capra_raw_result_compute (&numbers, saving, "npy", error)
         && capra_npy_write (file, &numbers.layout, capra_raw_result_get_rows, &numbers, error);
}
