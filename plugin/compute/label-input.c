/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Label input: exact label numbers from images of any format. */
#include "plugin/compute/label-input.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "runtime/base/error.h"
#include "runtime/memory/array-rows.h"

/* The minimum of values per thread. */
#define VALUES_PER_THREAD (64.0 * 1024.0)

/* The maximum distance of a converted value from a whole number, relative to it: luminance is a sum of three rounded
 * products. */
#define CONVERSION_ERROR 1e-5

typedef enum {
  VALUES_U8,
  VALUES_U16,
  VALUES_U32,
  VALUES_FLOAT,
  VALUES_DOUBLE,
} Values;

static const char *const value_types[] = { "u8", "u16", "u32", "float", "double" };

typedef struct {
  GeglBuffer *buffer;
  const GeglRectangle *rect;
  const Babl *format; /* of the fetched values */
  Values values;
  double tolerance; /* relative distance from whole numbers */
  gint top;         /* the first row of the staging memory */
  guint32 *target;  /* the staging memory */
  gint bad;         /* atomic: a value is not a label */
} Fetch;

static gboolean
get_label (const Fetch *fetch, const void *values, gsize i, guint32 *label)
{
  double value = 0.0, whole = 0.0;

  switch (fetch->values)
    {
    case VALUES_U8: *label = ((const guint8 *) values)[i]; return TRUE;
    case VALUES_U16: *label = ((const guint16 *) values)[i]; return TRUE;
    case VALUES_U32: *label = ((const guint32 *) values)[i]; return TRUE;
    case VALUES_FLOAT: value = ((const float *) values)[i]; break;
    case VALUES_DOUBLE: value = ((const double *) values)[i]; break;
    }
  whole = rint (value);
  if (!(whole >= 0.0 && whole <= G_MAXUINT32) || fabs (value - whole) > fetch->tolerance * MAX (whole, 1.0))
    return FALSE;
  *label = (guint32) whole;
  return TRUE;
}

static void
fetch_area (const GeglRectangle *area, gpointer data)
{
  Fetch *fetch = data;
  g_autofree guchar *row = g_malloc ((gsize) area->width * babl_format_get_bytes_per_pixel (fetch->format));

  for (gint y = area->y; y < area->y + area->height && !g_atomic_int_get (&fetch->bad); y++)
    {
      guint32 *target = fetch->target + (gsize) (y - fetch->top) * fetch->rect->width;

      gegl_buffer_get (fetch->buffer, GEGL_RECTANGLE (area->x, y, area->width, 1), 1.0, fetch->format, row,
                       GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
      for (gint x = 0; x < area->width; x++)
        if (!get_label (fetch, row, x, &target[area->x - fetch->rect->x + x]))
          g_atomic_int_set (&fetch->bad, TRUE);
    }
}

static void
fetch_rows (gpointer host, gsize first, gsize rows, gpointer data)
{
  Fetch *fetch = data;
  GeglRectangle rows_rect = { fetch->rect->x, fetch->rect->y + (gint) first, fetch->rect->width, (gint) rows };

  fetch->top = rows_rect.y;
  fetch->target = host;
  gegl_parallel_distribute_area (&rows_rect, VALUES_PER_THREAD, GEGL_SPLIT_STRATEGY_HORIZONTAL, fetch_area, fetch);
}

/* A single gray channel is fetched without conversion. Other formats are converted to luminance with their own transfer
 * curve. */
static void
choose_format (Fetch *fetch, const Babl *source)
{
  const Babl *type = babl_format_get_type (source, 0);
  int flags = babl_get_model_flags (babl_format_get_model (source));
  gboolean linear = (flags & (BABL_MODEL_FLAG_NONLINEAR | BABL_MODEL_FLAG_PERCEPTUAL)) == 0;
  gboolean gray = (flags & BABL_MODEL_FLAG_GRAY) != 0;

  for (gsize i = 0; i < G_N_ELEMENTS (value_types); i++)
    if (gray && babl_format_get_n_components (source) == 1 && type == babl_type (value_types[i]))
      {
        fetch->format = source;
        fetch->values = (Values) i;
        return;
      }
  fetch->format = babl_format_with_space (linear ? "Y double" : "Y' double", babl_format_get_space (source));
  fetch->values = VALUES_DOUBLE;
  fetch->tolerance = CONVERSION_ERROR;
}

static gboolean
fetch_labels (CapraJob *job, GeglBuffer *buffer, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  CapraShape shape = CAPRA_SHAPE_2D (rect->width, rect->height, CAPRA_U32);
  g_autoptr (CapraArray) array = capra_array_new_for_upload (job->device, &shape, error);
  Fetch fetch = { buffer, rect };

  choose_format (&fetch, gegl_buffer_get_format (fetch.buffer));
  if (!array || !capra_array_write_rows (array, NULL, fetch_rows, &fetch, error))
    return FALSE;
  if (fetch.bad)
    {
      g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_LABELS,
                           _ ("the input has values that are not labels (fractions, negative numbers or NaN): "
                              "connect the output of capra:label with rendering=numbers"));
      return FALSE;
    }
  pixels->array = g_steal_pointer (&array);
  pixels->rect = capra_rect (rect);
  return TRUE;
}

gboolean
capra_label_input_get (CapraJob *job, const char *pad, const GeglRectangle *rect, CapraPixels *pixels, GError **error)
{
  GeglBuffer *buffer = capra_job_get_labels (job, pad);
  const Babl *format = gegl_buffer_get_format (buffer);
  const Babl *space = babl_format_get_space (format);

  if (format == babl_format_with_space ("Y' u32", space) || format == babl_format_with_space ("Y u32", space))
    return capra_job_get_buffer_pixels (job, buffer, rect, format, CAPRA_FIT_EXACT, pixels, error);
  return fetch_labels (job, buffer, rect, pixels, error);
}
