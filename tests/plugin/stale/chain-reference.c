/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chain: its result in double precision, pixel by pixel. */
#include "tests/plugin/stale/chain.h"

#include <math.h>

#include "tests/support/graph.h"

/* How far from a threshold a value may be on the other side of it. */
#define NEAR 3e-5
/* Where Gaussians are cut off, as the property truncate by default. */
#define TRUNCATE 4.0

/* A rectangle of an image. */
typedef struct {
  GeglRectangle rect;
  ChainPixel *pixels;
} Image;

static Image compute (const Chain *chain, guint n, const GeglRectangle *rect);

/* The pixel of @image, which has all that is asked for of @extent; beyond that, its border or nothing. */
static ChainPixel
get_pixel (const Image *image, const GeglRectangle *extent, gint border, gint x, gint y)
{
  gboolean inside = x >= extent->x && x < extent->x + extent->width && y >= extent->y && y < extent->y + extent->height;

  if (!inside && border == 0)
    return (ChainPixel){ 0.0, 0.0, 0.0 };
  x = CLAMP (x, extent->x, extent->x + extent->width - 1) - image->rect.x;
  y = CLAMP (y, extent->y, extent->y + extent->height - 1) - image->rect.y;
  return image->pixels[y * image->rect.width + x];
}

static void
add_pixel (ChainPixel *sum, const ChainPixel *pixel, double weight)
{
  sum->value += weight * pixel->value;
  sum->alpha += weight * pixel->alpha;
  sum->slack += weight * pixel->slack;
}

/* The weighted sums along rows, then along columns. */
static void
blur (const Chain *chain, const Image *input, const ChainStep *step, const double *weights, gint radius, Image *result)
{
  const GeglRectangle *rect = &result->rect, *extent = &chain->extent;
  gint height = rect->height + 2 * radius;
  g_autofree ChainPixel *rows = g_new0 (ChainPixel, rect->width * height);

  for (gint i = 0; i < rect->width * height; i++)
    for (gint k = -radius; k <= radius; k++)
      {
        ChainPixel pixel = get_pixel (input, extent, step->border, rect->x + i % rect->width + k,
                                      rect->y - radius + i / rect->width);

        add_pixel (&rows[i], &pixel, weights[k + radius]);
      }
  for (gint i = 0; i < rect->width * rect->height; i++)
    {
      ChainPixel *sum = &result->pixels[i];

      for (gint k = 0; k <= 2 * radius; k++)
        add_pixel (sum, &rows[i + k * rect->width], weights[k]);
      sum->slack += 1e-6;
      if (!chain->canvas->format.alpha)
        sum->alpha = 1.0;
    }
}

static double *
get_weights (const ChainStep *step, gint *radius)
{
  double *weights = NULL;

  if (step->kind == CHAIN_GAUSSIAN)
    return graph_gaussian (step->sigma, TRUNCATE, radius);
  *radius = step->radius;
  weights = g_new (double, 2 * step->radius + 1);
  for (gint i = 0; i <= 2 * step->radius; i++)
    weights[i] = 1.0 / (2 * step->radius + 1);
  return weights;
}

static Image
compute_blur (const Chain *chain, guint n, const GeglRectangle *rect)
{
  const ChainStep *step = &chain->steps[n];
  gint radius = 0;
  g_autofree double *weights = get_weights (step, &radius);
  GeglRectangle wide = { rect->x - radius, rect->y - radius, rect->width + 2 * radius, rect->height + 2 * radius };
  Image result = { *rect, g_new0 (ChainPixel, rect->width * rect->height) }, input;

  gegl_rectangle_intersect (&wide, &wide, &chain->extent);
  input = compute (chain, n, &wide);
  blur (chain, &input, step, weights, radius, &result);
  g_free (input.pixels);
  return result;
}

static Image
compute_threshold (const Chain *chain, guint n, const GeglRectangle *rect)
{
  Image result = compute (chain, n, rect);

  for (gint i = 0; i < rect->width * rect->height; i++)
    {
      ChainPixel *pixel = &result.pixels[i];
      double difference = pixel->alpha > 0.0 ? pixel->value / pixel->alpha - chain->steps[n].value : 0.0;

      if (pixel->alpha > 0.0 && fabs (difference) > (pixel->slack + NEAR) / pixel->alpha)
        *pixel = (ChainPixel){ difference > 0.0 ? pixel->alpha : 0.0, pixel->alpha, 0.0 };
      else
        pixel->slack = pixel->alpha;
    }
  return result;
}

static Image
read_canvas (const Chain *chain, const GeglRectangle *rect)
{
  Image result = { *rect, g_new (ChainPixel, rect->width * rect->height) };

  for (gint i = 0; i < rect->width * rect->height; i++)
    {
      const CanvasPixel *pixel = canvas_pixel (chain->canvas, rect->x + i % rect->width, rect->y + i / rect->width);

      result.pixels[i] = (ChainPixel){ pixel->value, pixel->alpha, 0.0 };
    }
  return result;
}

/* What the first @n steps show in @rect, which is within the extent. */
static Image
compute (const Chain *chain, guint n, const GeglRectangle *rect)
{
  if (n == 0)
    return read_canvas (chain, rect);
  switch (chain->steps[n - 1].kind)
    {
    case CHAIN_STATISTICS: return compute (chain, n - 1, rect);
    case CHAIN_THRESHOLD: return compute_threshold (chain, n - 1, rect);
    default: return compute_blur (chain, n - 1, rect);
    }
}

ChainPixel *
chain_compute (const Chain *chain, const GeglRectangle *rect)
{
  return compute (chain, chain->n, rect).pixels;
}
