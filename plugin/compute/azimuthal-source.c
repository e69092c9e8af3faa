/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Azimuthal source: reads the images, and finds or makes the integration. */
#include "plugin/compute/azimuthal-source.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "algorithms/azimuthal/azimuthal-bands.h"
#include "plugin/operation.h"
#include "runtime/base/error.h"
#include "runtime/memory/idle-cache.h"

/* How long an integration is kept without use. */
#define IDLE_TIME (60 * G_TIME_SPAN_SECOND)

/* An integration and what it was made from. */
typedef struct {
  char *key;
  CapraAzimuthal *azimuthal;
} Kept;

static void
kept_free (gpointer data)
{
  Kept *kept = data;

  capra_azimuthal_unref (kept->azimuthal);
  g_free (kept->key);
  g_free (kept);
}

static CapraIdleCache *
get_cache (void)
{
  static CapraIdleCache *cache = NULL;

  if (g_once_init_enter (&cache))
    g_once_init_leave (&cache, capra_idle_cache_new ("capra-azimuthal", IDLE_TIME, kept_free));
  return cache;
}

/* What to find in the cache. */
typedef struct {
  const char *key;
  CapraAzimuthal *found; /* a reference */
} Search;

static gboolean
match (gpointer item, gpointer data)
{
  const Kept *kept = item;
  Search *search = data;

  if (!g_str_equal (kept->key, search->key))
    return FALSE;
  search->found = capra_azimuthal_ref (kept->azimuthal);
  return TRUE;
}

static gint64
modified (const char *path)
{
  GStatBuf found;

  if (!*path || g_stat (path, &found) != 0)
    return 0;
  return (gint64) found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec + (gint64) found.st_size * 7;
}

guint
capra_azimuthal_source_get_state (const CapraAzimuthalSource *source)
{
  guint64 state = (guint64) modified (source->poni) * 31 + (guint64) modified (source->dark) * 17
                  + (guint64) modified (source->flat) * 13 + (guint64) modified (source->variance);

  return (guint) (state ^ (state >> 32));
}

void
capra_azimuthal_source_clear (CapraAzimuthalSource *source)
{
  CapraAzimuthalSettings *settings = &source->settings;

  g_free ((gpointer) settings->mask);
  g_free ((gpointer) settings->dark);
  g_free ((gpointer) settings->flat);
  g_free ((gpointer) settings->variance);
  settings->mask = NULL;
  settings->dark = settings->flat = settings->variance = NULL;
}

/* Sets @image to that in the file @path, if there is one, with the size of the frames. */
static gboolean
read_image (const CapraAzimuthalSource *source, const char *path, const float **image, GError **error)
{
  GeglRectangle frame = { 0, 0, (gint) source->settings.width, (gint) source->settings.height };
  g_autoptr (GeglNode) graph = NULL;
  g_autoptr (GeglBuffer) buffer = NULL;
  GeglNode *load = NULL, *sink = NULL;
  float *values = NULL;

  if (!*path)
    return TRUE;
  graph = gegl_node_new ();
  load = gegl_node_new_child (graph, "operation", "gegl:load", "path", path, NULL);
  sink = gegl_node_new_child (graph, "operation", "gegl:buffer-sink", "buffer", &buffer, NULL);
  gegl_node_link (load, sink);
  gegl_node_process (sink);
  if (!buffer || !gegl_rectangle_equal (gegl_buffer_get_extent (buffer), &frame))
    {
      const GeglRectangle none = { 0, 0, 0, 0 }, *extent = buffer ? gegl_buffer_get_extent (buffer) : &none;

      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("cannot use %s: the image has %d x %d pixels, the frame %d x %d"), path, extent->width,
                   extent->height, frame.width, frame.height);
      return FALSE;
    }
  *image = values = g_new (float, (gsize) frame.width * frame.height);
  gegl_buffer_get (buffer, &frame, 1.0,
                   babl_format_with_space ("Y float", babl_format_get_space (gegl_buffer_get_format (buffer))), values,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  return TRUE;
}

/* Sets the size of the frames, and the mask to that on the aux pad, if there is one: bytes of 0 and 1. */
static gboolean
read_frame (CapraAzimuthalSource *source, CapraJob *job, GError **error)
{
  GeglRectangle frame = capra_job_get_extent (job, "input"), aux = capra_job_get_extent (job, "aux");
  GeglBuffer *buffer = capra_job_get_buffer (job, "aux");
  gsize n = (gsize) frame.width * frame.height;
  g_autofree float *values = NULL;
  guint8 *mask = NULL;

  source->settings.width = (guint) frame.width;
  source->settings.height = (guint) frame.height;
  if (!capra_operation_get_aux (job->operation) || !buffer)
    return TRUE;
  if (!gegl_rectangle_contains (&aux, &frame))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("the mask on the aux pad (%d x %d at %d, %d) does not cover the frame (%d x %d at %d, %d)"),
                   aux.width, aux.height, aux.x, aux.y, frame.width, frame.height, frame.x, frame.y);
      return FALSE;
    }
  values = g_new (float, n);
  source->settings.mask = mask = g_malloc (n);
  gegl_buffer_get (buffer, &frame, 1.0, babl_format ("Y float"), values, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  for (gsize i = 0; i < n; i++)
    mask[i] = values[i] != 0;
  return TRUE;
}

/* All that the integration depends on, as text. */
static char *
make_key (const CapraAzimuthalSource *source, CapraDevice *device)
{
  const CapraAzimuthalSettings *s = &source->settings;
  gsize n = (gsize) s->width * s->height;
  g_autofree char *sum = s->mask ? g_compute_checksum_for_data (G_CHECKSUM_SHA256, s->mask, n) : NULL;

  return g_strdup_printf (
    "%p %s %" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT " %s %" G_GINT64_FORMAT
    " %s %u %u %d %u %u %d %d %d %.17g %d %d %.17g %.17g %.17g %d %.17g %u %s",
    (gpointer) device, source->poni, modified (source->poni), source->dark, modified (source->dark), source->flat,
    modified (source->flat), source->variance, modified (source->variance), sum ? sum : "-", s->width, s->height,
    s->unit, s->bins, s->azimuthal_bins, s->splitting, s->error, s->solid_angle, s->polarization, s->detector_mask,
    s->has_dummy, s->dummy, s->delta_dummy, s->empty, s->clip, s->clip_threshold, s->clip_iterations,
    s->matrix_path ? s->matrix_path : "-");
}

static gboolean
read_files (CapraAzimuthalSource *source, GError **error)
{
  CapraAzimuthalSettings *settings = &source->settings;

  if (!*source->poni)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, _ ("no PONI file; set the property \"poni\""));
      return FALSE;
    }
  return capra_poni_load (source->poni, &settings->poni, error)
         && read_image (source, source->dark, &settings->dark, error)
         && read_image (source, source->flat, &settings->flat, error)
         && read_image (source, source->variance, &settings->variance, error);
}

CapraAzimuthal *
capra_azimuthal_source_get (CapraAzimuthalSource *source, CapraJob *job, GError **error)
{
  g_autofree char *key = NULL;
  Search search = { NULL, NULL };
  CapraAzimuthal *azimuthal = NULL;
  Kept *kept = NULL;

  if (!read_frame (source, job, error))
    return NULL;
  key = make_key (source, job->device);
  search.key = key;
  if (capra_idle_cache_find (get_cache (), match, &search))
    return search.found;
  azimuthal = read_files (source, error) ? capra_azimuthal_new (job->device, &source->settings, error) : NULL;
  if (!azimuthal)
    return NULL;
  kept = g_new (Kept, 1);
  *kept = (Kept){ g_steal_pointer (&key), capra_azimuthal_ref (azimuthal) };
  capra_idle_cache_add (get_cache (), kept);
  return azimuthal;
}

CapraAzimuthal *
capra_azimuthal_source_get_bands (CapraAzimuthalSource *source, CapraJob *job, guint rows, GError **error)
{
  if (!read_frame (source, job, error) || !read_files (source, error))
    return NULL;
  return capra_azimuthal_new_bands (job->device, &source->settings, rows, error);
}
