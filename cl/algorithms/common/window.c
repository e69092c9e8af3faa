/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Window: computes the pixels that a filter needs, and checks windows. */
#include <glib/gi18n-lib.h>

#include "algorithms/common/border-params.h"
#include "algorithms/common/window.h"
#include "runtime/base/error.h"

G_STATIC_ASSERT (CAPRA_BORDER_NONE == BORDER_NONE && CAPRA_BORDER_CLAMP == BORDER_CLAMP
                 && CAPRA_BORDER_MIRROR == BORDER_MIRROR && CAPRA_BORDER_WRAP == BORDER_WRAP);

/* The largest length of an axis. Positions are 32-bit integers in kernels, and mirroring with folded weights uses
 * positions of up to five times the length. */
#define MAX_LENGTH (1 << 28)
/* The largest number of values in a row, over all channels. */
#define MAX_ROW_VALUES (G_MAXINT32 - (1 << 16))

/* Replaces [*begin, *end) by the smallest interval within [0, n) that contains all samples that the border rule reads
 * for it. */
static void
needed_interval (gint64 n, CapraBorder border, gint64 *begin, gint64 *end)
{
  gint64 period = border == CAPRA_BORDER_WRAP ? n : 2 * n, first = *begin, last = *end - 1;

  if (border == CAPRA_BORDER_NONE)
    {
      *begin = CLAMP (first, 0, n);
      *end = MAX (CLAMP (last + 1, 0, n), *begin);
      return;
    }
  if (border == CAPRA_BORDER_CLAMP)
    {
      *begin = CLAMP (first, 0, n - 1);
      *end = CLAMP (last, 0, n - 1) + 1;
      return;
    }

  first = (first % period + period) % period;
  last = first + (*end - 1 - *begin);
  *begin = 0;
  *end = n;
  if (border == CAPRA_BORDER_WRAP && last < n)
    *begin = first, *end = last + 1;
  else if (border == CAPRA_BORDER_MIRROR)
    {
      /* [0, n) is the image, [n, 2 n) its mirror image, [2 n, 3 n) the image again. */
      if (first < n && last < 2 * n)
        *begin = MIN (first, last < n ? first : 2 * n - 1 - last);
      else if (first >= n)
        *begin = last < 2 * n ? 2 * n - 1 - last : 0;
      if (last < n)
        *end = last + 1;
      else if (first >= n && last < 3 * n)
        *end = MAX (2 * n - first, last - 2 * n + 1);
    }
}

CapraRect
capra_window_source (const CapraRect *extent, const CapraRect *result, int left, int right, int top, int bottom,
                     CapraBorder border)
{
  gint64 x0 = (gint64) result->x - extent->x - left;
  gint64 x1 = (gint64) result->x - extent->x + result->width + right;
  gint64 y0 = (gint64) result->y - extent->y - top;
  gint64 y1 = (gint64) result->y - extent->y + result->height + bottom;

  if (extent->width < 1 || extent->height < 1 || result->width < 1 || result->height < 1)
    return (CapraRect){ extent->x, extent->y, 0, 0 };

  needed_interval (extent->width, border, &x0, &x1);
  needed_interval (extent->height, border, &y0, &y1);
  if (x0 == x1 || y0 == y1)
    return (CapraRect){ extent->x, extent->y, 0, 0 };
  return (CapraRect){ (int) (extent->x + x0), (int) (extent->y + y0), (int) (x1 - x0), (int) (y1 - y0) };
}

static gboolean
rect_contains (const CapraRect *outer, const CapraRect *inner)
{
  return inner->x >= outer->x && inner->y >= outer->y
         && (gint64) inner->x + inner->width <= (gint64) outer->x + outer->width
         && (gint64) inner->y + inner->height <= (gint64) outer->y + outer->height;
}

static gboolean
rect_is_valid (const CapraRect *rect, const CapraRect *extent)
{
  return rect->width >= 1 && rect->height >= 1 && rect->width <= MAX_LENGTH && rect->height <= MAX_LENGTH
         && ABS ((gint64) rect->x - extent->x) <= MAX_LENGTH && ABS ((gint64) rect->y - extent->y) <= MAX_LENGTH;
}

static gboolean
argument_error (GError **error, const char *message)
{
  g_set_error_literal (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT, message);
  return FALSE;
}

gboolean
capra_window_resolve (CapraArray *input, const CapraWindow *window, int left, int right, int top, int bottom,
                      CapraBorder border, CapraWindow *resolved, GError **error)
{
  const CapraShape *shape = capra_array_get_shape (input);
  CapraRect whole = { 0, 0, (int) shape->width, (int) shape->height }, needed;

  if (shape->width > MAX_LENGTH || shape->height > MAX_LENGTH || shape->depth > MAX_LENGTH
      || shape->width * shape->channels > MAX_ROW_VALUES)
    return argument_error (error,
                           _ ("an axis of the array is too long for filters (at most 2^28 samples, and 2^31 values "
                              "along x); split it into parts"));
  if (border < CAPRA_BORDER_NONE || border > CAPRA_BORDER_WRAP)
    return argument_error (error, _ ("unknown border; use none, clamp, mirror or wrap"));

  *resolved = window ? *window : (CapraWindow){ whole, whole, whole };
  if (!window)
    return TRUE;
  if (!rect_is_valid (&window->extent, &window->extent) || !rect_is_valid (&window->result, &window->extent)
      || (gint64) window->result.width * shape->channels > MAX_ROW_VALUES)
    return argument_error (error,
                           _ ("the width and height of the window's extent and result must be 1 to 2^28, and their "
                              "distance at most 2^28"));
  if ((gsize) window->source.width != shape->width || (gsize) window->source.height != shape->height
      || !rect_contains (&window->extent, &window->source))
    return argument_error (error, _ ("the window's source must have the size of the array and be within the extent"));
  needed = capra_window_source (&window->extent, &window->result, left, right, top, bottom, border);
  if (needed.width > 0 && !rect_contains (&window->source, &needed))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   _ ("the window's source must contain all pixels that the result needs: columns %d to %d and rows "
                      "%d to %d of the image"),
                   needed.x, needed.x + needed.width - 1, needed.y, needed.y + needed.height - 1);
      return FALSE;
    }
  return TRUE;
}
