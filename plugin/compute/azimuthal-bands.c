/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal bands: reads the frame, and stores the result, in bands. */
#include "plugin/compute/azimuthal-bands.h"

#include "algorithms/azimuthal/azimuthal-bands.h"
#include "runtime/memory/array-transfer.h"

/* The pixels of a piece of the result, at most, unless a row has more. */
#define PIECE (1 << 20)

typedef struct {
  CapraJob *job;
  const Babl *format;
  GeglRectangle extent;
} Frame;

/* A CapraBandFunc. */
static CapraArray *
read_rows (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  const Frame *frame = data;
  GeglRectangle rect = { frame->extent.x, frame->extent.y + (gint) first, frame->extent.width, (gint) rows };
  g_auto (CapraPixels) pixels = { NULL };

  if (!capra_job_get_pixels (frame->job, "input", &rect, frame->format, CAPRA_FIT_EXACT, &pixels, error))
    return NULL;
  return g_steal_pointer (&pixels.array);
}

CapraAzimuthal *
capra_azimuthal_bands_integrate (CapraAzimuthalSource *source, CapraJob *job, const Babl *format, float **values,
                                 GError **error)
{
  Frame frame = { job, format, capra_job_get_extent (job, "input") };
  CapraBandSource bands = { .device = job->device, .rows = (gsize) job->band_rows, .read = read_rows, .data = &frame };
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_source_get_bands (source, job, (guint) job->band_rows, error);
  const CapraAzimuthalSettings *settings = &source->settings;

  if (!azimuthal || !capra_format_get_shape (format, settings->width, settings->height, &bands.shape))
    return NULL;
  *values = g_new (float, (gsize) CAPRA_AZIMUTHAL_N_PLANES * settings->bins * settings->azimuthal_bins);
  if (capra_azimuthal_integrate_bands (azimuthal, &bands, *values, error))
    return g_steal_pointer (&azimuthal);
  g_clear_pointer (values, g_free);
  return NULL;
}

gboolean
capra_azimuthal_bands_store (CapraJob *job, const float *values, GError **error)
{
  gint width = job->roi.width, height = job->roi.height, step = CLAMP (PIECE / width, 1, height);

  for (gint y = 0; y < height; y += step)
    {
      GeglRectangle rect = { job->roi.x, job->roi.y + y, width, MIN (step, height - y) };
      CapraShape shape = CAPRA_SHAPE_2D ((gsize) width, (gsize) rect.height, CAPRA_F32);
      g_auto (CapraPixels) pixels = { NULL, capra_rect (&rect) };

      pixels.array = capra_array_new_from_data (job->device, &shape, values + (gsize) y * (gsize) width, error);
      if (!pixels.array || !job->store (job->share, &pixels, error))
        return FALSE;
    }
  return TRUE;
}
