/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal integration in bands: the sums of a group of bins over all bands of a frame, as often as values are
 * clipped. */
#include "algorithms/azimuthal/azimuthal-bands.h"

#include <string.h>

#include "algorithms/azimuthal/azimuthal-run.h"
#include "algorithms/common/fill.h"
#include "runtime/memory/array-transfer.h"
#include "runtime/memory/memory.h"

/* The sums take at most this part of the budget, unless these are few rows. */
#define SUMS_SHARE 4
#define MIN_BINS 256

/* Finds the coordinates of the pixels of all bands of @rows rows. */
static gboolean
find_range (CapraAzimuthal *azimuthal, guint rows, GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;
  CapraAzimuthalPart part = capra_azimuthal_part_init (settings);

  for (part.first = 0; part.first < settings->height; part.first += rows)
    {
      part.rows = MIN (rows, settings->height - part.first);
      if (!capra_azimuthal_extend_range (azimuthal, &part, error))
        return FALSE;
    }
  return TRUE;
}

CapraAzimuthal *
capra_azimuthal_new_bands (CapraDevice *device, const CapraAzimuthalSettings *settings, guint rows, GError **error)
{
  g_autoptr (CapraAzimuthal) azimuthal = capra_azimuthal_make (device, settings, error);
  CapraAzimuthalPart all, band;
  AzimuthalBins bins;

  g_return_val_if_fail (rows > 0, NULL);

  if (!azimuthal)
    return NULL;
  all = band = capra_azimuthal_part_init (settings);
  band.rows = MIN (rows, band.rows);
  azimuthal->mask = capra_azimuthal_find_mask (settings);
  azimuthal->range = CAPRA_AZIMUTHAL_RANGE_INIT;
  /* Bands that are too high are found before all of them are read. */
  if (!capra_azimuthal_check_budget (azimuthal, settings, &band, TRUE, azimuthal->mask, error)
      || !find_range (azimuthal, rows, error))
    return NULL;
  capra_azimuthal_bins_init (&bins, settings, &all);
  capra_azimuthal_bins_set_range (&bins, &azimuthal->range);
  capra_azimuthal_set_axes (azimuthal, &bins.radial, &bins.azimuthal);
  return g_steal_pointer (&azimuthal);
}

/* What is computed for some rows of the matrix. */
typedef struct {
  CapraAzimuthal *azimuthal;
  const CapraBandSource *frame;
  CapraAzimuthalPart part; /* its bins; the band is set for each */
  gboolean clipped;
  char *options; /* of the kernels that work on sums */
  CapraArray *sums, *ended, *running, *results;
} Bins;

static void
bins_clear (Bins *bins)
{
  g_clear_pointer (&bins->options, g_free);
  g_clear_pointer (&bins->sums, capra_array_unref);
  g_clear_pointer (&bins->ended, capra_array_unref);
  g_clear_pointer (&bins->running, capra_array_unref);
  g_clear_pointer (&bins->results, capra_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bins, bins_clear)

static gboolean
is_clipped (const CapraAzimuthalSettings *settings)
{
  return settings->clip || settings->error == CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL;
}

/* The bytes of a row of sums: doubles, or pairs of floats. */
static gsize
row_bytes (const CapraAzimuthalSettings *settings)
{
  return (is_clipped (settings) ? N_SUMS_CLIPPED : N_SUMS) * 8;
}

static gboolean
bins_init (Bins *bins, CapraAzimuthal *azimuthal, const CapraBandSource *frame, const CapraAzimuthalPart *part,
           GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;
  CapraShape sums = CAPRA_SHAPE_2D (part->n_bins * row_bytes (settings), 1, CAPRA_U8);
  CapraShape ended = CAPRA_SHAPE_2D (part->n_bins, 1, CAPRA_U32), one = CAPRA_SHAPE_2D (1, 1, CAPRA_U32);
  CapraShape results = CAPRA_SHAPE_2D (part->n_bins, N_PLANES, CAPRA_F32);
  CapraContext *context = azimuthal->context;

  *bins = (Bins){ azimuthal, frame, *part, is_clipped (settings) };
  bins->options = g_strdup_printf ("-DGROUP=1 -DERROR=%d -DCLIPPED=%d%s", settings->error, bins->clipped,
                                   capra_azimuthal_has_doubles (azimuthal) ? " -DDOUBLES" : "");
  bins->sums = capra_array_new_uninitialized (context, &sums, error);
  bins->ended = bins->sums ? capra_array_new_uninitialized (context, &ended, error) : NULL;
  bins->running = bins->ended ? capra_array_new_uninitialized (context, &one, error) : NULL;
  bins->results = bins->running ? capra_array_new_uninitialized (context, &results, error) : NULL;
  return bins->results != NULL;
}

static void
begin_step (const Bins *bins, CapraLaunch *launch, const char *kernel)
{
  capra_launch_begin (launch, bins->azimuthal->context, "azimuthal-steps", bins->options, kernel);
  capra_launch_uint (launch, bins->part.n_bins);
}

static gboolean
end_step (const Bins *bins, CapraLaunch *launch, GError **error)
{
  return capra_launch_run_1d (launch, bins->part.n_bins, STEP_GROUP,
                              bins->part.n_bins * row_bytes (&bins->azimuthal->settings), error);
}

static gboolean
begin_sums (const Bins *bins, GError **error)
{
  CapraLaunch launch;

  begin_step (bins, &launch, "azimuthal_begin");
  capra_launch_write (&launch, bins->ended);
  capra_launch_write (&launch, bins->sums);
  return end_step (bins, &launch, error);
}

/* Ends or narrows rows. Sets @running if there are some to be summed again. */
static gboolean
narrow (const Bins *bins, gboolean last, guint32 *running, GError **error)
{
  CapraLaunch launch;

  if (!capra_array_fill (bins->running, 0, error))
    return FALSE;
  begin_step (bins, &launch, "azimuthal_step");
  capra_launch_write (&launch, bins->ended);
  capra_launch_write (&launch, bins->sums);
  capra_launch_float (&launch, (float) bins->azimuthal->settings.clip_threshold);
  capra_launch_uint (&launch, last);
  capra_launch_write (&launch, bins->running);
  return end_step (bins, &launch, error) && capra_array_download_first (bins->running, running, sizeof *running, error);
}

/* Adds the pixels of @band, of which @part has the matrix, with @kernel. */
static gboolean
add_pixels (const Bins *bins, CapraAzimuthal *part, CapraArray *band, const char *kernel, GError **error)
{
  gsize group = capra_azimuthal_row_group (part);
  g_autofree char *common = NULL, *options = NULL;
  CapraAzimuthalRun run;
  CapraLaunch launch;

  capra_azimuthal_run_init (&run, part, band, part->variance);
  common = capra_azimuthal_run_options (&run, 1, group);
  options = g_strdup_printf ("%s -DCLIPPED=%d", common, bins->clipped);
  capra_azimuthal_run_begin (&run, &launch, "azimuthal-bands", options, kernel, 0);
  capra_azimuthal_run_set_images (&run, &launch);
  capra_launch_uint (&launch, bins->part.n_bins);
  capra_launch_read (&launch, bins->ended);
  capra_launch_write (&launch, bins->sums);
  return capra_launch_run_1d (&launch, bins->part.n_bins * group, group, capra_azimuthal_run_bytes (&run, 1), error);
}

static gboolean
add_band (const Bins *bins, gsize i, const char *kernel, GError **error)
{
  const CapraAzimuthalSettings *settings = &bins->azimuthal->settings;
  CapraAzimuthalPart part = bins->part;
  CapraAzimuthal matrix = { .context = bins->azimuthal->context, .settings = *settings };
  g_autoptr (CapraArray) band = NULL;
  g_autofree guint8 *pixels = NULL;
  gboolean done = FALSE;

  part.first = (guint) (i * bins->frame->rows);
  part.rows = (guint) MIN (bins->frame->rows, settings->height - part.first);
  pixels = g_memdup2 (bins->azimuthal->mask + capra_azimuthal_part_offset (&part, settings),
                      capra_azimuthal_part_count (&part, settings));
  /* Before the band is read, there is more memory for the sort. */
  done = capra_azimuthal_build (&matrix, settings, &part, &bins->azimuthal->range, pixels, error);
  band = done ? capra_band_source_read (bins->frame, i, error) : NULL;
  done = band && add_pixels (bins, &matrix, band, kernel, error);
  capra_azimuthal_clear_arrays (&matrix);
  return done;
}

static gboolean
add_bands (const Bins *bins, const char *kernel, GError **error)
{
  for (gsize i = 0; i < capra_band_source_count (bins->frame); i++)
    if (!add_band (bins, i, kernel, error))
      return FALSE;
  return TRUE;
}

/* Clips values until no row changes. */
static gboolean
add_clipped (const Bins *bins, GError **error)
{
  const CapraAzimuthalSettings *settings = &bins->azimuthal->settings;
  guint iterations = settings->clip ? settings->clip_iterations : 0;
  guint32 running = 1;

  for (guint i = 0; running; i++)
    {
      gboolean last = i == iterations;
      gboolean deviations = settings->error == CAPRA_AZIMUTHAL_ERROR_AZIMUTHAL
                            || (settings->error == CAPRA_AZIMUTHAL_ERROR_HYBRID && !last);

      if (!add_bands (bins, "azimuthal_sums", error) || (deviations && !add_bands (bins, "azimuthal_deviations", error))
          || !narrow (bins, last, &running, error))
        return FALSE;
    }
  return TRUE;
}

/* Copies the results of the bins into those of all. */
static gboolean
store (const Bins *bins, float *results, GError **error)
{
  const CapraAzimuthalSettings *settings = &bins->azimuthal->settings;
  gsize n = bins->part.n_bins, all = (gsize) settings->bins * settings->azimuthal_bins;
  g_autofree float *values = g_new (float, n * N_PLANES);
  CapraLaunch launch;

  begin_step (bins, &launch, "azimuthal_store");
  capra_launch_read (&launch, bins->sums);
  capra_launch_float (&launch, (float) settings->empty);
  capra_launch_write (&launch, bins->results);
  if (!end_step (bins, &launch, error) || !capra_array_download (bins->results, values, error))
    return FALSE;
  for (guint plane = 0; plane < N_PLANES; plane++)
    memcpy (results + plane * all + bins->part.first_bin, values + plane * n, n * sizeof *values);
  return TRUE;
}

static gboolean
integrate (CapraAzimuthal *azimuthal, const CapraBandSource *frame, const CapraAzimuthalPart *part, float *results,
           GError **error)
{
  g_auto (Bins) bins = { NULL };

  return bins_init (&bins, azimuthal, frame, part, error) && begin_sums (&bins, error)
         && (bins.clipped ? add_clipped (&bins, error) : add_bands (&bins, "azimuthal_sums", error))
         && store (&bins, results, error);
}

gboolean
capra_azimuthal_integrate_bands (CapraAzimuthal *azimuthal, const CapraBandSource *frame, float *results,
                                 GError **error)
{
  const CapraAzimuthalSettings *settings = &azimuthal->settings;
  CapraAzimuthalPart part = capra_azimuthal_part_init (settings);
  guint32 n = part.n_bins, most = 0;
  CapraMemory memory;

  g_return_val_if_fail (azimuthal->mask && frame->n_parts == 0, FALSE);

  if (!capra_azimuthal_check_frames (azimuthal, &frame->shape, error))
    return FALSE;
  capra_memory_query (frame->device, &memory);
  most = (guint32) MIN (memory.budget / SUMS_SHARE / (row_bytes (settings) + (1 + N_PLANES) * 4), n);
  most = MAX (most, MIN_BINS);
  for (part.first_bin = 0; part.first_bin < n; part.first_bin += part.n_bins)
    {
      part.n_bins = MIN (most, n - part.first_bin);
      if (!integrate (azimuthal, frame, &part, results, error))
        return FALSE;
    }
  return TRUE;
}
