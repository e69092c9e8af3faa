/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: histograms with bins of equal width. */
#include <float.h>
#include <math.h>

#include "algorithms/common/fill.h"
#include "algorithms/common/reduction.h"
#include "algorithms/threshold/threshold-histogram.h"
#include "algorithms/threshold/threshold-position.h"

#define BINS HISTOGRAM_BINS

/* The edges and centers of the bins as numpy and scikit-image compute them: edges are evenly spaced in double, and for
 * float images rounded to floats before any other use. Kernels get the edges in the type in which they compare. */
static void
histogram_edges (CapraType type, double min, double max, guint32 edges[BINS + 1], CapraHistogram *histogram)
{
  double last = 0;

  for (int i = 0; i <= BINS; i++)
    {
      double edge = i == BINS ? max : i * ((max - min) / BINS) + min;
      union {
        float real;
        gint32 integer;
        guint32 natural;
      } word;

      if (type == CAPRA_F32)
        edge = word.real = (float) edge;
      else if (type == CAPRA_I8 || type == CAPRA_I16 || type == CAPRA_I32)
        word.integer = (gint32) ceil (edge);
      else
        word.natural = (guint32) ceil (edge);
      edges[i] = word.natural;
      if (i > 0)
        histogram->centers[i - 1] = (last + edge) / 2;
      if (i > 0 && type == CAPRA_F32)
        histogram->centers[i - 1] = (float) ((last + edge) / 2);
      last = edge;
    }
}

static void
histogram_layout (CapraType type, double min, double max, histogram_layout_t *layout, CapraHistogram *histogram)
{
  CapraPositionScale scale = capra_position_scale (type, min, max, BINS);
  double near = 1e-4;

  histogram_edges (type, min, max, layout->edges, histogram);
  layout->least = layout->edges[0];
  /* Rounded edges may be off by half a unit in the last place of the largest value. */
  if (type == CAPRA_F32)
    near += MAX (fabs (min), fabs (max)) * FLT_EPSILON / 2 * BINS / (max - min);
  layout->pre = scale.pre;
  layout->scale = scale.scale;
  layout->near = (float) MIN (near, 1);
  layout->margin = near < 0.5 ? (float) near : -1; /* -1: every value may be in the wrong bin */
}

/* Adds the values of @input, divided into @bins (histogram_layout_t), to @totals. */
static gboolean
add_band (CapraArray *input, CapraArray *bins, guint64 *totals, GError **error)
{
  CapraReduction reduction = capra_reduction_divide (input, "histogram.variant", 1u << 31);
  guint64 groups_per_histogram = (1u << 31) / (reduction.chunk * reduction.vector);
  gsize histograms = (reduction.groups + groups_per_histogram - 1) / groups_per_histogram;
  g_autofree guint32 *counts = g_new (guint32, BINS * histograms);
  g_autoptr (CapraArray) array = capra_array_new (input->context->device, &CAPRA_SHAPE_2D (BINS, histograms, CAPRA_U32),
                                                  error);
  g_autofree char *options = capra_reduction_options (input, &reduction, "-DFINITE");
  CapraLaunch launch;

  if (!array)
    return FALSE;
  capra_launch_begin (&launch, input->context, reduction.single ? "histogram-vector" : "histogram-group", options,
                      "histogram");
  capra_reduction_arguments (&launch, input, &reduction);
  capra_launch_ulong (&launch, groups_per_histogram);
  capra_launch_read (&launch, bins);
  capra_launch_write (&launch, array);
  if (!capra_reduction_run (&launch, input, &reduction, error)
      || !capra_array_download_first (array, counts, BINS * histograms * sizeof *counts, error))
    return FALSE;

  for (int i = 0; i < BINS; i++)
    for (gsize j = 0; j < histograms; j++)
      totals[i] += counts[j * BINS + i];
  return TRUE;
}

typedef struct {
  histogram_layout_t layout;
  guint64 *totals; /* BINS for each part */
} Count;

/* A CapraBandPartFunc. */
static gboolean
count_part (const CapraBandSource *part, guint index, gpointer data, GError **error)
{
  const Count *count = data;
  CapraShape shape = CAPRA_SHAPE_2D (sizeof count->layout / 4, 1, CAPRA_U32);
  CapraContext *context = capra_context_get (part->device, error);
  g_autoptr (CapraArray) bins = context ? capra_array_new_uninitialized (context, &shape, error) : NULL;

  if (!bins || !capra_array_upload_first (bins, &count->layout, sizeof count->layout, error))
    return FALSE;
  for (gsize i = 0; i < capra_band_source_count (part); i++)
    {
      g_autoptr (CapraArray) band = capra_band_source_read (part, i, error);

      if (!band || !add_band (band, bins, count->totals + index * BINS, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
capra_histogram_find (const CapraBandSource *input, double min, double max, CapraHistogram *histogram, GError **error)
{
  guint n = capra_band_source_get_n_parts (input);
  g_autofree guint64 *totals = g_new0 (guint64, n * BINS);
  Count count = { .totals = totals };

  histogram_layout (input->shape.type, min, max, &count.layout, histogram);
  if (!capra_band_source_run (input, count_part, &count, error))
    return FALSE;
  for (guint i = 0; i < BINS; i++)
    {
      histogram->counts[i] = 0;
      for (guint k = 0; k < n; k++)
        histogram->counts[i] += totals[k * BINS + i];
    }
  return TRUE;
}
