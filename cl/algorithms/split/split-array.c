/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Split array: an image or volume whose rows are split over several devices. Here: its parts, and their transfers. */
#include "algorithms/split/split-array.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "algorithms/common/crop.h"
#include "algorithms/common/parallel.h"
#include "algorithms/split/split-array-private.h"
#include "runtime/base/error.h"
#include "runtime/memory/array-rows.h"

CapraSplitArray *
split_array_new (const CapraShape *shape, guint margin, guint n)
{
  CapraSplitArray *split = g_malloc0 (sizeof *split + n * sizeof split->parts[0]);

  split->shape = *shape;
  split->margin = margin;
  return split;
}

CapraSplitArray *
split_array_end (CapraSplitArray *result, guint n, gboolean done)
{
  gsize height = result->shape.height;

  for (guint i = 0; i < n; i++)
    if (result->parts[i].array)
      result->parts[result->n++] = result->parts[i];
  if (!done)
    {
      capra_split_array_free (result);
      return NULL;
    }
  result->shape = *capra_array_get_shape (result->parts[0].array);
  result->shape.height = height;
  return result;
}

SplitRows
split_source_rows (const CapraShape *shape, SplitRows rows, guint reach, CapraBorder border)
{
  const CapraRect extent = { 0, 0, (int) shape->width, (int) shape->height };
  const CapraRect result = { 0, (int) rows.first, (int) shape->width, (int) rows.count };
  CapraRect source = capra_window_source (&extent, &result, 0, 0, (int) reach, (int) reach, border);

  return (SplitRows){ (gsize) source.y, (gsize) source.height };
}

void
capra_split_array_free (CapraSplitArray *split)
{
  for (guint i = 0; i < split->n; i++)
    capra_array_unref (split->parts[i].array);
  g_free (split);
}

const CapraShape *
capra_split_array_get_shape (const CapraSplitArray *split)
{
  return &split->shape;
}

guint
capra_split_array_get_n_parts (const CapraSplitArray *split)
{
  return split->n;
}

CapraArray *
capra_split_array_get_part (const CapraSplitArray *split, guint index, gsize own[2], gsize held[2])
{
  g_return_val_if_fail (index < split->n, NULL);

  if (own)
    own[0] = split->parts[index].own.first, own[1] = split->parts[index].own.count;
  if (held)
    held[0] = split->parts[index].held.first, held[1] = split->parts[index].held.count;
  return split->parts[index].array;
}

/* A transfer between the arrays of parts and the whole image in the host's memory. */
typedef struct {
  const CapraSplitArray *split;
  char *host;
} Transfer;

/* The same for one array, which holds @rows of each plane. */
typedef struct {
  const Transfer *transfer;
  SplitRows rows;
  gboolean upload;
} RowsTransfer;

static void
copy_rows (gpointer piece, gsize first, gsize count, gpointer data)
{
  const RowsTransfer *rows = data;
  const CapraShape *shape = &rows->transfer->split->shape;
  gsize bytes = capra_shape_bytes (shape) / (shape->height * shape->depth);
  char *part = piece;

  while (count > 0)
    {
      gsize z = first / rows->rows.count, y = first % rows->rows.count, n = MIN (count, rows->rows.count - y);
      char *host = rows->transfer->host + (z * shape->height + rows->rows.first + y) * bytes;

      memcpy (rows->upload ? part : host, rows->upload ? host : part, n * bytes);
      part += n * bytes;
      first += n;
      count -= n;
    }
}

static gboolean
upload_part (guint index, gpointer data, GError **error)
{
  const Transfer *transfer = data;
  const SplitPart *part = &transfer->split->parts[index];
  RowsTransfer rows = { transfer, part->held, TRUE };

  return capra_array_write_rows (part->array, NULL, copy_rows, &rows, error);
}

static gboolean
download_part (guint index, gpointer data, GError **error)
{
  const Transfer *transfer = data;
  const SplitPart *part = &transfer->split->parts[index];
  const CapraRect rect = { 0, (int) (part->own.first - part->held.first), (int) transfer->split->shape.width,
                           (int) part->own.count };
  RowsTransfer rows = { transfer, part->own, FALSE };
  g_autoptr (CapraArray) own = capra_crop (part->array, &rect, error);

  return own && capra_array_read_rows (own, NULL, copy_rows, &rows, error);
}

static gboolean
check_shares (const CapraSplitShare *shares, guint n, guint margin, const CapraShape *shape, GError **error)
{
  gboolean valid = n >= 1 && shape->width <= G_MAXINT32 && shape->height <= G_MAXINT32 && margin <= G_MAXINT32;

  for (guint i = 0; valid && i < n; i++)
    valid = shares[i].device && shares[i].weight > 0 && isfinite (shares[i].weight);
  if (!valid)
    g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                         _ ("cannot split the image: each part needs a device and a finite weight above 0; width, "
                            "height and margin can be at most 2147483647"));
  return valid;
}

/* The margins of a part among @n parts, in rows. */
static double
margins_of_part (guint index, guint n, guint margin)
{
  return (double) margin * ((index > 0) + (index + 1 < n));
}

/* Moves the shares that get rows to the front of @shares, and returns their number. Sets @rows to what each computes:
 * with its margins, rows are in proportion to the weights. */
static guint
balance (CapraSplitShare *shares, guint n, guint margin, gsize height, double *rows)
{
  while (TRUE)
    {
      double weights = 0, total = (double) height;
      guint lowest = 0;

      for (guint i = 0; i < n; i++)
        {
          weights += shares[i].weight;
          total += margins_of_part (i, n, margin);
        }
      for (guint i = 0; i < n; i++)
        {
          rows[i] = total * shares[i].weight / weights - margins_of_part (i, n, margin);
          lowest = rows[i] < rows[lowest] ? i : lowest;
        }
      if (n == 1 || rows[lowest] >= 1.0)
        return n;
      n--;
      memmove (&shares[lowest], &shares[lowest + 1], (n - lowest) * sizeof *shares);
    }
}

/* Gives each part its rows and an array. */
static gboolean
allocate_parts (CapraSplitArray *split, const CapraSplitShare *shares, guint n, const double *rows, GError **error)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      SplitPart *part = &split->parts[i];
      CapraShape shape = split->shape;
      gsize first = (gsize) (sum + 0.5), end = i + 1 < n ? (gsize) (sum + rows[i] + 0.5) : shape.height;

      sum += rows[i];
      part->own = (SplitRows){ first, end - first };
      part->held = split_source_rows (&shape, part->own, split->margin, CAPRA_BORDER_NONE);
      shape.height = part->held.count;
      part->array = capra_array_new_for_upload (shares[i].device, &shape, error);
      if (!part->array)
        return FALSE;
      split->n++;
    }
  return TRUE;
}

CapraSplitArray *
capra_split_array_new_from_data (const CapraSplitShare *shares, guint n, guint margin, const CapraShape *shape,
                                 gconstpointer data, GError **error)
{
  g_autoptr (CapraSplitArray) split = NULL;
  g_autofree CapraSplitShare *used = g_memdup2 (shares, n * sizeof *shares);
  g_autofree double *rows = g_new (double, n);
  Transfer transfer = { .host = (char *) data };

  if (!check_shares (shares, n, margin, shape, error))
    return NULL;
  n = balance (used, n, margin, shape->height, rows);
  transfer.split = split = split_array_new (shape, margin, n);
  if (!allocate_parts (split, used, n, rows, error) || !capra_parallel_run (split->n, upload_part, &transfer, error))
    return NULL;
  return g_steal_pointer (&split);
}

gboolean
capra_split_array_wait (const CapraSplitArray *split, GError **error)
{
  for (guint i = 0; i < split->n; i++)
    if (!capra_array_wait (split->parts[i].array, error))
      return FALSE;
  return TRUE;
}

gboolean
capra_split_array_download (const CapraSplitArray *split, gpointer data, GError **error)
{
  Transfer transfer = { split, data };

  return capra_parallel_run (split->n, download_part, &transfer, error);
}
