/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Value-sample: values of an image's own pixels: of all, or of squares of a large image. */
#include "ui/panel/preview/value-sample.h"

#include <math.h>

#define SIDE 128 /* of a square, in pixels: computing one takes little time, most of it for pixels inside */

CapraValueSample *
capra_value_sample_new (const GeglRectangle *extent, guint channels)
{
  CapraValueSample *sample = g_atomic_rc_box_new0 (CapraValueSample);
  double pixels = (double) extent->width * extent->height;
  guint total;

  sample->channels = channels;
  sample->extent = *extent;
  sample->columns = (guint) (extent->width + SIDE - 1) / SIDE;
  sample->rows = (guint) (extent->height + SIDE - 1) / SIDE;
  total = sample->columns * sample->rows;
  sample->n_squares = (guint) ceil (total * MIN (CAPRA_VALUE_SAMPLE_MAX / pixels, 1.0));
  sample->random = g_rand_new_with_seed (1);
  sample->values = g_new (float, (gsize) MIN (pixels, (double) sample->n_squares * SIDE * SIDE) * channels);
  return sample;
}

CapraValueSample *
capra_value_sample_ref (CapraValueSample *sample)
{
  return g_atomic_rc_box_acquire (sample);
}

static void
clear (gpointer data)
{
  CapraValueSample *sample = data;

  g_free (sample->values);
  g_rand_free (sample->random);
}

void
capra_value_sample_unref (CapraValueSample *sample)
{
  g_atomic_rc_box_release_full (sample, clear);
}

float *
capra_value_sample_next (CapraValueSample *sample, GeglRectangle *square)
{
  guint64 total = (guint64) sample->columns * sample->rows, n = sample->n_squares, i = sample->n_taken;
  gint32 first, end, chosen;
  float *values;

  if (i == n)
    return NULL;
  first = (gint32) (total * i / n);
  end = (gint32) (total * (i + 1) / n);
  chosen = g_rand_int_range (sample->random, first, end);
  *square = (GeglRectangle){ sample->extent.x + chosen % (gint32) sample->columns * SIDE,
                             sample->extent.y + chosen / (gint32) sample->columns * SIDE, SIDE, SIDE };
  gegl_rectangle_intersect (square, square, &sample->extent);
  values = sample->values + sample->count * sample->channels;
  sample->count += (gsize) square->width * (gsize) square->height;
  sample->n_taken++;
  return values;
}

double
capra_value_sample_get_share (const CapraValueSample *sample)
{
  return (double) sample->extent.width * sample->extent.height / (double) MAX (sample->count, 1);
}
