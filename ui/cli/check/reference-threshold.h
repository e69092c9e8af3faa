/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Automatic thresholds by their definitions. */
#pragma once

#include "ui/cli/check/reference.h"

G_BEGIN_DECLS

/* A histogram as in NumPy, where values are compared with the edges of the bins, in double precision. */
typedef struct {
  double counts[256], centers[256], mean, min, max;
  double *values; /* the finite values; free with g_free() */
  gsize count;
} ReferenceThreshold;

ReferenceThreshold reference_threshold_new (CapraType type, gconstpointer data, gsize count);

double reference_threshold_find (const ReferenceThreshold *r, CapraThresholdMethod method);

/* Whether @value is the threshold @wanted, or its criterion differs only by rounding. */
gboolean reference_threshold_accepts (const ReferenceThreshold *r, CapraThresholdMethod method, double wanted,
                                      double value);

/* The threshold of whole numbers, with a bin for each. */
double reference_threshold_whole (const double *values, gsize count, CapraThresholdMethod method);

G_END_DECLS
