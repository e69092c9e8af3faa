/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Threshold: the functions of the methods, each method in threshold-METHOD.c. Private. */
#pragma once

#include "algorithms/statistics/moments.h"
#include "algorithms/threshold/threshold-histogram.h"
#include "algorithms/threshold/threshold-whole-histogram.h"

G_BEGIN_DECLS

double capra_otsu_histogram (const CapraHistogram *histogram);
double capra_otsu_whole (const CapraWholeHistogram *histogram);

double capra_triangle_histogram (const CapraHistogram *histogram);
double capra_triangle_whole (const CapraWholeHistogram *histogram);

double capra_yen_histogram (const CapraHistogram *histogram);
double capra_yen_whole (const CapraWholeHistogram *histogram);

double capra_isodata_histogram (const CapraHistogram *histogram);
double capra_isodata_whole (const CapraWholeHistogram *histogram);

gboolean capra_mean_moments (const CapraBandSource *input, const CapraMoments *moments, double *value, GError **error);
double capra_mean_whole (const CapraWholeHistogram *histogram);

gboolean capra_li_moments (const CapraBandSource *input, const CapraMoments *moments, double *value, GError **error);
double capra_li_whole (const CapraWholeHistogram *histogram);

G_END_DECLS
