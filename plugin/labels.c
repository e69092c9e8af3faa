/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels: exact numbers of regions from whatever image holds them. */
#include "plugin/labels.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "runtime/error.h"

/* How many values a thread should have to look at before another one helps. */
#define LABELS_COST (64.0 * 1024.0)

/* One-channel formats whose raw values are the numbers, by type. */
static const struct {
  const char *type, *linear, *perceptual;
} raw_formats[] = {
  { "u8", "Y u8", "Y' u8" },
  { "u16", "Y u16", "Y' u16" },
  { "u32", "Y u32", "Y' u32" },
};

typedef struct {
  GeglBuffer *buffer;
  const GeglRectangle *rect;
  const Babl *format; /* in which raw values are fetched */
  gsize bytes;        /* of such a value */
  gboolean real;      /* doubles */
  guint32 *target;
  gint bad;           /* atomic: a value was no label */
} Fetch;

static gboolean
number (const Fetch *fetch, const void *values, gsize i, guint32 *label)
{
  double value = 0.0;

  if (!fetch->real)
    {
      *label = fetch->bytes == 1   ? ((const guint8 *) values)[i]
               : fetch->bytes == 2 ? ((const guint16 *) values)[i]
                                   : ((const guint32 *) values)[i];
      return TRUE;
    }
  value = ((const double *) values)[i];
  if (!(value >= 0.0 && value <= G_MAXUINT32) || value != floor (value))
    return FALSE;
  *label = (guint32) value;
  return TRUE;
}

static void
fetch_rows (const GeglRectangle *area, gpointer data)
{
  Fetch *fetch = data;
  g_autofree guchar *row = g_malloc ((gsize) area->width * fetch->bytes);

  for (gint y = area->y; y < area->y + area->height && !g_atomic_int_get (&fetch->bad); y++)
    {
      guint32 *target = fetch->target + (gsize) (y - fetch->rect->y) * fetch->rect->width;

      gegl_buffer_get (fetch->buffer, GEGL_RECTANGLE (area->x, y, area->width, 1), 1.0,
                       fetch->format, row, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (gint x = 0; x < area->width; x++)
        if (!number (fetch, row, x, &target[area->x - fetch->rect->x + x]))
          g_atomic_int_set (&fetch->bad, TRUE);
    }
}

/* Raw integers where the image has them; else doubles, under whatever curve its values have. */
static void
choose_format (Fetch *fetch, const Babl *source)
{
  const Babl *type = babl_format_get_type (source, 0);
  const Babl *space = babl_format_get_space (source);
  int flags = babl_get_model_flags (babl_format_get_model (source));
  gboolean linear = (flags & (BABL_MODEL_FLAG_NONLINEAR | BABL_MODEL_FLAG_PERCEPTUAL)) == 0;

  for (gsize i = 0; i < G_N_ELEMENTS (raw_formats) && (flags & BABL_MODEL_FLAG_GRAY) != 0; i++)
    if (type == babl_type (raw_formats[i].type))
      {
        fetch->format = babl_format_with_space (linear ? raw_formats[i].linear
                                                       : raw_formats[i].perceptual, space);
        fetch->bytes = babl_format_get_bytes_per_pixel (fetch->format);
        return;
      }
  fetch->format = babl_format_with_space (linear ? "Y double" : "Y' double", space);
  fetch->bytes = sizeof (double);
  fetch->real = TRUE;
}

static gboolean
fetch_labels (CapraJob *job, const char *pad, const GeglRectangle *rect, CapraPixels *pixels,
              GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (rect->width, rect->height, CAPRA_U32);
  g_autoptr(CapraArray) array = capra_array_new_unset (job->device, &shape, error);
  Fetch fetch = { capra_job_get_buffer (job, pad), rect };

  fetch.target = array ? capra_array_map_write (array, error) : NULL;
  if (!fetch.target)
    return FALSE;
  choose_format (&fetch, gegl_buffer_get_format (fetch.buffer));
  gegl_parallel_distribute_area (rect, LABELS_COST, GEGL_SPLIT_STRATEGY_HORIZONTAL, fetch_rows,
                                 &fetch);
  if (!capra_array_unmap (array, error))
    return FALSE;
  if (fetch.bad)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                           _("the input holds values that are no labels (fractions, negative numbers "
                             "or NaN); connect capra:label with rendering=numbers"));
      return FALSE;
    }
  pixels->array = g_steal_pointer (&array);
  pixels->rect = capra_rect (rect);
  return TRUE;
}

gboolean
capra_labels_take (CapraJob *job, const char *pad, const GeglRectangle *rect, CapraPixels *pixels,
                   GError **error)
{
  const Babl *format = gegl_buffer_get_format (capra_job_get_buffer (job, pad));
  const Babl *space = babl_format_get_space (format);

  if (format == babl_format_with_space ("Y' u32", space)
      || format == babl_format_with_space ("Y u32", space))
    return capra_job_take (job, pad, rect, format, CAPRA_FIT_EXACT, pixels, error);
  return fetch_labels (job, pad, rect, pixels, error);
}
