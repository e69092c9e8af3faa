/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Out of memory: computes rows of a result on one device, in bands if the device's memory does not suffice. */
#include "plugin/compute/out-of-memory.h"

#include "plugin/compute/forecast.h"
#include "runtime/base/error.h"
#include "runtime/memory/memory.h"

/* The minimum height of a band, in rows, and the minimum width of one of this height. */
#define MIN_ROWS 8
#define MIN_COLUMNS 64
/* Bands are made smaller than memory requires, so that transfers and computations overlap, unless their input becomes
 * larger than this many times the band: rows that the operation reads on each side are uploaded for each band. */
#define MAX_INPUT_RATIO 1.25

void
capra_host_tiles_init (CapraHostTiles *host, const GeglRectangle *extent, const Babl *array_format,
                       const Babl *tile_format)
{
  *host = (CapraHostTiles){ .array_format = array_format, .tile_format = tile_format, .extent = *extent };
  g_mutex_init (&host->lock);
}

void
capra_host_tiles_clear (CapraHostTiles *host)
{
  capra_tile_grid_free_tiles (&host->grid, host->tiles);
  g_mutex_clear (&host->lock);
}

/* Creates the tiles if that has not been done. */
static void
ensure_tiles (CapraHostTiles *host)
{
  g_mutex_lock (&host->lock);
  if (!host->tiles)
    {
      host->grid = capra_tile_grid_new (&host->extent, host->array_format, host->tile_format);
      host->tiles = capra_tile_grid_new_tiles (&host->grid);
    }
  g_mutex_unlock (&host->lock);
}

void
capra_share_init (CapraShare *share, const CapraJob *job, CapraJobFunc func, CapraHostTiles *host)
{
  *share = (CapraShare){ *job, func, host, capra_bands_new () };
  g_mutex_init (&share->lock);
}

void
capra_share_clear (CapraShare *share)
{
  g_clear_pointer (&share->downloads, capra_download_queue_free);
  g_clear_pointer (&share->bands, g_array_unref);
  g_clear_object (&share->job.output);
  g_clear_object (&share->job.labels);
  g_mutex_clear (&share->lock);
}

/* Downloads @pixels (taken), a band of the result. */
static void
download_band (CapraShare *share, CapraPixels *pixels)
{
  if (!share->downloads)
    {
      ensure_tiles (share->host);
      share->downloads = capra_download_queue_new (&share->host->grid, share->host->tiles);
    }
  capra_download_queue_push (share->downloads, pixels);
}

/* Stores the result of @roi. That of all rows stays on the device for the next operation; a band is downloaded. */
static gboolean
store_result (CapraShare *share, const GeglRectangle *roi, CapraPixels *result, GError **error)
{
  CapraRect rect = capra_rect (roi);

  /* The array may be larger than requested. Bands must fit together, and other pixels of the input may be old. */
  if (!capra_pixels_crop (result, &rect, error))
    return FALSE;
  if (gegl_rectangle_equal (roi, &share->job.roi))
    capra_bands_add (share->bands, result);
  else
    download_band (share, result);
  return TRUE;
}

/* Stores a band of a result that depends on the whole image. It is downloaded if the next band may need its memory. */
static gboolean
store_band (gpointer data, CapraPixels *pixels, GError **error)
{
  CapraShare *share = data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&share->lock);

  if (capra_job_is_at_once (&share->job))
    {
      capra_bands_add (share->bands, pixels);
      return TRUE;
    }
  download_band (share, pixels);
  return capra_download_queue_finish (share->downloads, error);
}

static gboolean
compute_band (CapraShare *share, const GeglRectangle *roi, GError **error)
{
  CapraJob band = share->job;
  gboolean done = FALSE;

  band.roi = *roi;
  band.result.array = NULL;
  band.output = band.labels = NULL;
  done = share->func (&band, error) && (!band.result.array || store_result (share, &band.roi, &band.result, error));
  if (done)
    {
      g_set_object (&share->job.output, band.output);
      g_set_object (&share->job.labels, band.labels);
    }
  capra_pixels_clear (&band.result);
  g_clear_object (&band.output);
  g_clear_object (&band.labels);
  return done;
}

/* The size of a band. */
typedef struct {
  gint columns, rows;
} BandSize;

/* The first band of the result, and what it depends on of the input. */
static GeglRectangle
get_band (CapraShare *share, const BandSize *size, GeglRectangle *required)
{
  GeglRectangle band = share->job.roi;

  band.width = MIN (size->columns, band.width);
  band.height = MIN (size->rows, band.height);
  *required = share->job.get_required (share->job.operation, "input", &band);
  return band;
}

/* Whether a band fits into the device's budget if it holds nothing else. A band that turns out to be too high is
 * computed again, in memory that is allocated anew: that costs more than bands which are a little too low. */
static gboolean
may_fit (CapraShare *share, const BandSize *size)
{
  GeglRectangle required, band = get_band (share, size, &required);
  CapraMemory memory;

  capra_memory_query (share->job.device, &memory);
  return capra_forecast_get_bytes (share->job.operation, &required, &band) <= (double) memory.budget;
}

static gboolean
is_divisible (const BandSize *size)
{
  return size->rows >= 2 * MIN_ROWS || size->columns >= 2 * MIN_COLUMNS;
}

static void
halve (BandSize *size)
{
  if (size->rows >= 2 * MIN_ROWS)
    size->rows = (size->rows + 1) / 2;
  else if (size->columns >= 2 * MIN_COLUMNS)
    size->columns = (size->columns + 1) / 2;
}

/* The size of the first band: all of the result, or half of what may fit. */
static BandSize
get_first_size (CapraShare *share)
{
  BandSize size = { share->job.roi.width, share->job.roi.height }, half;
  GeglRectangle required;

  if (may_fit (share, &size))
    return size;
  while (is_divisible (&size) && !may_fit (share, &size))
    halve (&size);
  half = (BandSize){ size.columns, MAX ((size.rows + 1) / 2, MIN_ROWS) };
  get_band (share, &half, &required);
  return required.height <= MAX_INPUT_RATIO * half.rows ? half : size;
}

/* On all devices that compute. */
static void
free_unused (const CapraJob *job)
{
  for (guint i = 0; i < job->n_parts; i++)
    capra_memory_free_unused (job->parts[i].device);
  if (job->n_parts == 0)
    capra_memory_free_unused (job->device);
}

/* Whether smaller bands may help after @failure. Moves other failures to @error, and that of all rows, @first, if bands
 * are not @divisible. */
static gboolean
may_retry (CapraShare *share, gboolean divisible, GError **first, GError **failure, GError **error)
{
  if (!g_error_matches (*failure, CAPRA_ERROR, CAPRA_ERROR_MEMORY))
    {
      g_propagate_error (error, g_steal_pointer (failure));
      return FALSE;
    }
  if (*first && !divisible)
    {
      g_propagate_error (error, g_steal_pointer (first));
      return FALSE;
    }
  if (!*first)
    {
      *first = g_steal_pointer (failure);
      free_unused (&share->job);
    }
  return TRUE;
}

/* Moves @band, of @size, to the right, or to the beginning of the next rows. FALSE if there are no more. */
static gboolean
next_band (const CapraShare *share, const BandSize *size, GeglRectangle *band)
{
  const GeglRectangle *roi = &share->job.roi;

  band->x += band->width;
  if (band->x == roi->x + roi->width)
    {
      band->x = roi->x;
      band->y += band->height;
    }
  band->width = MIN (size->columns, roi->x + roi->width - band->x);
  band->height = MIN (size->rows, roi->y + roi->height - band->y);
  return band->height > 0;
}

/* A result of which parts can be computed independently. */
static gboolean
compute_parts (CapraShare *share, GError **error)
{
  BandSize size = get_first_size (share);
  GeglRectangle band = share->job.roi;
  gboolean more = TRUE;
  g_autoptr (GError) first = NULL;

  band.width = MIN (size.columns, band.width);
  band.height = MIN (size.rows, band.height);
  while (more)
    {
      g_autoptr (GError) local = NULL;

      if (compute_band (share, &band, &local))
        {
          more = next_band (share, &size, &band);
          continue;
        }
      if (share->downloads && g_error_matches (local, CAPRA_ERROR, CAPRA_ERROR_MEMORY)
          && capra_download_queue_wait (share->downloads))
        continue;
      if (!may_retry (share, is_divisible (&size), &first, &local, error))
        return FALSE;
      halve (&size);
      band.width = MIN (size.columns, band.width);
      band.height = MIN (size.rows, band.height);
    }
  return TRUE;
}

/* The rows of the largest part, if there are several; 0 otherwise. */
static gint
get_largest_part (const CapraJob *job)
{
  gsize largest = 0;

  for (guint i = 0; i < job->n_parts; i++)
    largest = MAX (largest, job->parts[i].rows);
  return (gint) largest;
}

/* The rows of the image that is read in bands: the result may have others. */
static gint
count_rows (CapraJob *job)
{
  GeglRectangle input = capra_job_get_extent (job, "input");

  return job->in_bands ? input.height : job->roi.height;
}

/* A result that depends on the whole image: at once, also if that succeeds only after other memory was freed, else in
 * bands. */
static gboolean
compute_whole (CapraShare *share, GError **error)
{
  CapraJob *job = &share->job;
  g_autoptr (GError) first = NULL;

  job->store = store_band;
  job->share = share;
  job->band_rows = get_largest_part (job);
  for (;;)
    {
      gint rows = job->band_rows > 0 ? job->band_rows : count_rows (job);
      gboolean again = first != NULL;
      g_autoptr (GError) local = NULL;

      g_array_set_size (share->bands, 0);
      if (compute_band (share, &job->roi, &local))
        {
          capra_bands_sort (share->bands);
          return TRUE;
        }
      if (!may_retry (share, job->in_bands && rows >= 2 * MIN_ROWS, &first, &local, error))
        return FALSE;
      if (again)
        job->band_rows = (rows + 1) / 2;
    }
}

gboolean
capra_share_compute (CapraShare *share, GError **error)
{
  gboolean done = FALSE;

  g_array_set_size (share->bands, 0);
  done = share->job.divisible ? compute_parts (share, error) : compute_whole (share, error);
  if (!share->downloads)
    return done;
  return capra_download_queue_finish (share->downloads, done ? error : NULL) && done;
}
