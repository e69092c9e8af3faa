/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Filtering split arrays: each device filters its rows. Rows that a part lacks are copied from its neighbors. */
#include <glib/gi18n-lib.h>

#include "algorithms/split/split-array-private.h"
#include "runtime/base/error.h"
#include "runtime/memory/array-copy.h"

typedef struct {
  const CapraSplitArray *source;
  CapraSplitArray *result;
  guint reach;
  CapraBorder border;
  CapraSplitFunc func;
  gpointer data;
} Filter;

static gsize
get_end (SplitRows rows)
{
  return rows.first + rows.count;
}

static gboolean
contains (SplitRows outer, SplitRows inner)
{
  return inner.first >= outer.first && get_end (inner) <= get_end (outer);
}

/* The smallest range that contains both. */
static SplitRows
join (SplitRows a, SplitRows b)
{
  gsize first = MIN (a.first, b.first);

  return (SplitRows){ first, MAX (get_end (a), get_end (b)) - first };
}

/* Sets @available to the rows from @row on that @part holds, or else to those that another part owns, and returns that
 * part. */
static const SplitPart *
find_row (const CapraSplitArray *split, const SplitPart *part, gsize row, SplitRows *available)
{
  if (contains (part->held, (SplitRows){ row, 1 }))
    {
      *available = (SplitRows){ row, get_end (part->held) - row };
      return part;
    }
  for (part = split->parts; !contains (part->own, (SplitRows){ row, 1 }); part++)
    ;
  *available = (SplitRows){ row, get_end (part->own) - row };
  return part;
}

/* Returns a new array with these rows of the image on the device of @part. */
static CapraArray *
gather (const CapraSplitArray *split, const SplitPart *part, SplitRows rows, GError **error)
{
  CapraShape shape = split->shape;
  g_autoptr (CapraArray) array = NULL;
  SplitRows available;

  shape.height = rows.count;
  array = capra_array_new_for_upload (capra_array_get_device (part->array), &shape, error);
  for (gsize row = rows.first; array && row < get_end (rows); row = get_end (available))
    {
      const SplitPart *from = find_row (split, part, row, &available);

      available.count = MIN (available.count, get_end (rows) - row);
      if (!capra_array_copy_rows (array, row - rows.first, from->array, row - from->held.first, available.count, error))
        return NULL;
    }
  return g_steal_pointer (&array);
}

/* The rows of a result that @part can compute: its own ones, and as much of the margin as is exact. */
static SplitRows
get_result_rows (const Filter *filter, const SplitPart *part)
{
  gsize height = filter->source->shape.height, end = get_end (part->held);
  gsize top = part->held.first == 0 ? 0 : filter->reach, bottom = end == height ? 0 : filter->reach;
  SplitRows rows = { part->held.first + top, part->held.count - MIN (top + bottom, part->held.count) };
  SplitRows needed = split_source_rows (&filter->source->shape, rows, filter->reach, filter->border);

  return contains (rows, part->own) && contains (part->held, needed) ? rows : part->own;
}

/* Sets @input to the part, with the rows that it needs. */
static gboolean
complete_part (const Filter *filter, const SplitPart *part, SplitPart *input, GError **error)
{
  const CapraShape *shape = &filter->source->shape;
  SplitRows needed = split_source_rows (shape, part->own, filter->reach, filter->border), margin;

  *input = *part;
  if (contains (part->held, needed))
    {
      capra_array_ref (input->array);
      return TRUE;
    }
  margin = split_source_rows (shape, part->own, filter->source->margin, CAPRA_BORDER_NONE);
  input->held = needed.count > 0 ? join (margin, needed) : margin;
  input->array = gather (filter->source, part, input->held, error);
  return input->array != NULL;
}

static CapraRect
make_rect (const CapraShape *shape, SplitRows rows)
{
  return (CapraRect){ 0, (int) rows.first, (int) shape->width, (int) rows.count };
}

static gboolean
filter_part (const Filter *filter, const SplitPart *input, SplitPart *result, GError **error)
{
  const CapraShape *shape = &filter->source->shape, *made = NULL;
  CapraWindow window;

  result->own = input->own;
  result->held = get_result_rows (filter, input);
  window = (CapraWindow){ make_rect (shape, (SplitRows){ 0, shape->height }), make_rect (shape, input->held),
                          make_rect (shape, result->held) };
  result->array = filter->func (input->array, &window, filter->data, error);
  if (!result->array)
    return FALSE;
  made = capra_array_get_shape (result->array);
  if (made->width == shape->width && made->height == result->held.count)
    return TRUE;
  g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
               _ ("a filter of a split image returned %zu x %zu pixels instead of %zu x %zu"), made->width,
               made->height, shape->width, result->held.count);
  return FALSE;
}

CapraSplitArray *
capra_split_array_filter (const CapraSplitArray *split, guint reach, CapraBorder border, CapraSplitFunc func,
                          gpointer data, GError **error)
{
  CapraSplitArray *result = split_array_new (&split->shape, split->margin, split->n);
  Filter filter = { split, result, MIN (reach, G_MAXINT32), border, func, data };
  g_autofree SplitPart *inputs = g_new0 (SplitPart, split->n);
  gboolean done = TRUE;

  /* All copies first, so that no device waits for those of another one. Threads for the parts would only wait for one
   * another: drivers enqueue the commands of one process one after the other. */
  for (guint i = 0; done && i < split->n; i++)
    done = complete_part (&filter, &split->parts[i], &inputs[i], error);
  for (guint i = 0; done && i < split->n; i++)
    done = filter_part (&filter, &inputs[i], &result->parts[i], error);
  for (guint i = 0; i < split->n; i++)
    g_clear_pointer (&inputs[i].array, capra_array_unref);
  return split_array_end (result, split->n, done);
}
