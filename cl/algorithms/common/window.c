/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Window: what a filter needs of an image, and checks of what it was given. */
#include "algorithms/common/border-params.h"
#include "algorithms/common/window.h"
#include "runtime/device/error.h"

G_STATIC_ASSERT (CAPRA_BORDER_NONE == BORDER_NONE && CAPRA_BORDER_CLAMP == BORDER_CLAMP
                 && CAPRA_BORDER_MIRROR == BORDER_MIRROR && CAPRA_BORDER_WRAP == BORDER_WRAP);

/* Positions are 32-bit numbers in kernels, and mirroring with folded weights takes up to five times
 * the length. */
#define LONGEST (1 << 28)
/* Values along x, all channels counted. */
#define WIDEST (G_MAXINT32 - (1 << 16))

/* The smallest span of 0 … n - 1 that holds all that a border rule reads for [*begin, *end). */
static void
span_needed (gint64 n, CapraBorder border, gint64 *begin, gint64 *end)
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
      /* Within a period the image comes upright, then mirrored, then upright again. */
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

  span_needed (extent->width, border, &x0, &x1);
  span_needed (extent->height, border, &y0, &y1);
  if (x0 == x1 || y0 == y1)
    return (CapraRect){ extent->x, extent->y, 0, 0 };
  return (CapraRect){ (int) (extent->x + x0), (int) (extent->y + y0), (int) (x1 - x0), (int) (y1 - y0) };
}

static gboolean
rect_holds (const CapraRect *outer, const CapraRect *inner)
{
  return inner->x >= outer->x && inner->y >= outer->y
         && (gint64) inner->x + inner->width <= (gint64) outer->x + outer->width
         && (gint64) inner->y + inner->height <= (gint64) outer->y + outer->height;
}

static gboolean
rect_sane (const CapraRect *rect, const CapraRect *extent)
{
  return rect->width >= 1 && rect->height >= 1 && rect->width <= LONGEST && rect->height <= LONGEST
         && ABS ((gint64) rect->x - extent->x) <= LONGEST && ABS ((gint64) rect->y - extent->y) <= LONGEST;
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

  if (shape->width > LONGEST || shape->height > LONGEST || shape->depth > LONGEST
      || shape->width * shape->channels > WIDEST)
    return argument_error (error, "an axis of the array is too long for filters (2^28 samples, and "
                                  "2^31 values along x); split it into parts");
  if (border < CAPRA_BORDER_NONE || border > CAPRA_BORDER_WRAP)
    return argument_error (error, "unknown border; use none, clamp, mirror or wrap");

  *resolved = window ? *window : (CapraWindow){ whole, whole, whole };
  if (!window)
    return TRUE;
  if (!rect_sane (&window->extent, &window->extent) || !rect_sane (&window->result, &window->extent)
      || (gint64) window->result.width * shape->channels > WIDEST)
    return argument_error (error, "the window's extent and result must have 1 to 2^28 pixels each "
                                  "way, at most 2^28 from each other");
  if ((gsize) window->source.width != shape->width || (gsize) window->source.height != shape->height
      || !rect_holds (&window->extent, &window->source))
    return argument_error (error, "the window's source must have the size of the array, and lie "
                                  "within the extent");
  needed = capra_window_source (&window->extent, &window->result, left, right, top, bottom, border);
  if (needed.width > 0 && !rect_holds (&window->source, &needed))
    {
      g_set_error (error, CAPRA_ERROR, CAPRA_ERROR_ARGUMENT,
                   "the window's source lacks pixels that the result needs: columns %d to %d and rows "
                   "%d to %d of the image",
                   needed.x, needed.x + needed.width - 1, needed.y, needed.y + needed.height - 1);
      return FALSE;
    }
  return TRUE;
}
