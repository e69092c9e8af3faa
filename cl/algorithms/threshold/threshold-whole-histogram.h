/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: histograms with a bin for each whole number. Private. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts of @least and the numbers that follow it; the first and the last count are not 0. */
typedef struct {
  guint32 *counts;
  gsize bins;
  double least;
} CapraWholeHistogram;

/* The number of values of a class, and their sum. */
typedef struct {
  double count, sum;
} CapraValueClass;

static inline CapraValueClass
capra_whole_histogram_sum (const CapraWholeHistogram *h)
{
  CapraValueClass all = { 0, 0 };

  for (gsize i = 0; i < h->bins; i++)
    {
      all.count += h->counts[i];
      all.sum += h->counts[i] * (h->least + (double) i);
    }
  return all;
}

G_END_DECLS
