/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Transfers of whole arrays: the rows of pieces are copied from and to the host's memory. */
#include "runtime/memory/array-transfer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "runtime/memory/array-internal.h"
#include "runtime/memory/array-map.h"
#include "runtime/memory/array-rows.h"

/* The array's rows in ordinary memory: read from @from, or written to @to. */
typedef struct {
  gsize row;
  gconstpointer from;
  gpointer to;
} Rows;

static void
copy_in (gpointer host, gsize first, gsize rows, gpointer data)
{
  const Rows *all = data;

  memcpy (host, (const char *) all->from + first * all->row, rows * all->row);
}

static void
copy_out (gpointer host, gsize first, gsize rows, gpointer data)
{
  const Rows *all = data;

  memcpy ((char *) all->to + first * all->row, host, rows * all->row);
}

static gsize
row_bytes (const CapraShape *shape)
{
  return capra_shape_bytes (shape) / (shape->height * shape->depth);
}

gboolean
capra_array_upload (CapraArray *array, gconstpointer data, GError **error)
{
  Rows rows = { row_bytes (&array->shape), data, NULL };

  return capra_array_write_rows (array, NULL, copy_in, &rows, error);
}

gboolean
capra_array_upload_doubles (CapraArray *array, const double *data, GError **error)
{
  gsize count = capra_shape_count (&array->shape);
  float *host = NULL;

  if (array->shape.type != CAPRA_F32)
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("float64 data cannot be uploaded to an array of type %s: use an f32 array"),
                   capra_type_name (array->shape.type));
      return FALSE;
    }
  host = capra_array_map_write (array, error);
  if (!host)
    return FALSE;
  for (gsize i = 0; i < count; i++)
    host[i] = (float) data[i];
  return capra_array_unmap (array, error);
}

gboolean
capra_array_download (CapraArray *array, gpointer data, GError **error)
{
  Rows rows = { row_bytes (&array->shape), NULL, data };

  return capra_array_read_rows (array, NULL, copy_out, &rows, error);
}

CapraArray *
capra_array_new_from_data (CapraDevice *device, const CapraShape *shape, gconstpointer data, GError **error)
{
  CapraContext *context = capra_context_get (device, error);
  g_autoptr (CapraArray) array = context ? capra_array_new_uninitialized (context, shape, error) : NULL;

  if (!array || !capra_array_upload (array, data, error))
    return NULL;
  return g_steal_pointer (&array);
}
