/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Band source: an image that an algorithm reads in bands of rows, one after the other. */
#include "algorithms/common/band-source.h"

#include "algorithms/common/parallel.h"

static CapraArray *
read_array (CapraDevice *device, gsize first, gsize rows, gpointer data, GError **error)
{
  return capra_array_ref (data);
}

CapraBandSource
capra_band_source_from_array (CapraArray *array)
{
  const CapraShape *shape = capra_array_get_shape (array);

  return (CapraBandSource){ capra_array_get_device (array), *shape, shape->height, read_array, array };
}

guint
capra_band_source_get_n_parts (const CapraBandSource *source)
{
  return MAX (source->n_parts, 1);
}

CapraBandSource
capra_band_source_get_part (const CapraBandSource *source, guint index)
{
  CapraBandSource part = *source;

  if (source->n_parts == 0)
    return part;
  for (guint i = 0; i < index; i++)
    part.first += source->parts[i].rows;
  part.device = source->parts[index].device;
  part.shape.height = source->parts[index].rows;
  part.rows = MIN (part.rows, part.shape.height);
  part.parts = NULL;
  part.n_parts = 0;
  return part;
}

typedef struct {
  const CapraBandSource *source;
  CapraBandPartFunc func;
  gpointer data;
} Run;

/* A CapraParallelFunc. */
static gboolean
run_part (guint index, gpointer data, GError **error)
{
  const Run *run = data;
  CapraBandSource part = capra_band_source_get_part (run->source, index);
  gint64 begin = g_get_monotonic_time ();
  gboolean done = run->func (&part, index, run->data, error);

  run->source->parts[index].time += g_get_monotonic_time () - begin;
  return done;
}

gboolean
capra_band_source_run (const CapraBandSource *source, CapraBandPartFunc func, gpointer data, GError **error)
{
  Run run = { source, func, data };

  return source->n_parts == 0 ? func (source, 0, data, error)
                              : capra_parallel_run (source->n_parts, run_part, &run, error);
}

gsize
capra_band_source_count (const CapraBandSource *source)
{
  return (source->shape.height + source->rows - 1) / source->rows;
}

CapraArray *
capra_band_source_read (const CapraBandSource *source, gsize i, GError **error)
{
  gsize first = i * source->rows, rows = MIN (source->rows, source->shape.height - first);

  return source->read (source->device, source->first + first, rows, source->data, error);
}
