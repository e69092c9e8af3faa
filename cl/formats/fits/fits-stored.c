/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS: reads uncompressed images, several rows at a time in several threads. */
#include "formats/fits/fits-private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "formats/fits/fits-cards.h"
#include "formats/fits/fits-convert.h"

/* Bytes that a thread reads at a time: they stay in the processor's cache until they are converted. */
#define BLOCK_BYTES ((gsize) 256 << 10)
/* Fewer bytes than this are not worth a thread. */
#define THREAD_BYTES ((gsize) 2 << 20)
#define MAX_THREADS 8

/* What the threads that read a plane share. */
typedef struct {
  CapraFits *fits;
  const CapraFitsImage *image;
  CapraFitsScaling scaling;
  guint64 offset; /* of the plane */
  gsize row_bytes, rows_at_once;
  float *pixels;
  gint next_block; /* atomic */
  gint failed;     /* atomic */
} Plane;

/* Reads blocks until none is left. */
static gboolean
read_blocks (Plane *plane, GError **error)
{
  const CapraFitsImage *image = plane->image;
  g_autofree guint8 *block = g_try_malloc (plane->row_bytes * plane->rows_at_once);
  gsize first = 0;

  if (!block)
    {
      g_set_error (error, CAPRA_FORMAT_ERROR, CAPRA_FORMAT_ERROR_READ, "%s", g_strerror (ENOMEM));
      return FALSE;
    }
  while ((first = (gsize) g_atomic_int_add (&plane->next_block, 1) * plane->rows_at_once) < image->height
         && !g_atomic_int_get (&plane->failed))
    {
      gsize rows = MIN (plane->rows_at_once, image->height - first);

      if (!capra_source_file_read (plane->fits->file, plane->offset + first * plane->row_bytes, block,
                                   rows * plane->row_bytes, error))
        return FALSE;
      for (gsize y = 0; y < rows; y++)
        capra_fits_convert (&plane->scaling, block + y * plane->row_bytes, image->width,
                            plane->pixels + (image->height - 1 - first - y) * image->width);
    }
  return TRUE;
}

static gpointer
read_in_thread (gpointer data)
{
  Plane *plane = data;
  GError *error = NULL;

  if (!read_blocks (plane, &error))
    g_atomic_int_set (&plane->failed, 1);
  return error;
}

static gboolean
read_in_threads (Plane *plane, GError **error)
{
  guint64 bytes = capra_fits_get_plane_bytes (plane->image);
  guint n = (guint) MIN (MIN (bytes / THREAD_BYTES, MAX_THREADS), g_get_num_processors ());
  GThread *threads[MAX_THREADS] = { 0 };
  GError *first = NULL;

  for (guint i = 1; i < n; i++)
    threads[i] = g_thread_try_new ("fits", read_in_thread, plane, NULL);
  first = read_in_thread (plane);
  for (guint i = 1; i < n; i++)
    {
      g_autoptr (GError) other = threads[i] ? g_thread_join (threads[i]) : NULL;

      if (!first)
        first = g_steal_pointer (&other);
    }
  if (first)
    g_propagate_error (error, first);
  return first == NULL;
}

static CapraFitsScaling
read_scaling (const CapraFitsEntry *entry)
{
  g_autoptr (CapraFitsHeader) header = capra_fits_header_new (entry->records, -1);
  CapraFitsScaling scaling = { .bits = entry->image.bits, .scale = 1.0, .zero = 0.0 };

  capra_fits_header_get_double (header, "BSCALE", &scaling.scale);
  capra_fits_header_get_double (header, "BZERO", &scaling.zero);
  scaling.has_blank = scaling.bits > 0 && capra_fits_header_get_integer (header, "BLANK", 0, &scaling.blank);
  return scaling;
}

gboolean
capra_fits_read_stored (CapraFits *fits, const CapraFitsEntry *entry, gsize plane, float *pixels, GError **error)
{
  const CapraFitsImage *image = &entry->image;
  gsize row_bytes = image->width * (gsize) ABS (image->bits) / 8;
  Plane work = { .fits = fits,
                 .image = image,
                 .pixels = pixels,
                 .row_bytes = row_bytes,
                 .rows_at_once = CLAMP (BLOCK_BYTES / row_bytes, 1, image->height),
                 .offset = entry->data + plane * capra_fits_get_plane_bytes (image) };

  work.scaling = read_scaling (entry);
  return read_in_threads (&work, error);
}
