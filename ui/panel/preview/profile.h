/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile: the values of a pipeline's result along a line. */
#pragma once

#include "algorithms/common/table.h"
#include "ui/panel/preview/line.h"
#include "ui/panel/preview/probe.h"

G_BEGIN_DECLS

/**
 * CapraProfile:
 * @count: number of points, as capra_line_get_count()
 * @pixel: what the values are: their number per point, and whether they are labels or floating-point numbers
 * @names: of the channels
 * @values: point by point; NaN where the result has no pixels
 *
 * Values are those of single pixels as CapraProbe has them, interpolated bilinearly between the centers of pixels.
 * Labels are those of the nearest pixel.
 */
typedef struct {
  CapraLine line;
  gsize count;
  CapraProbe pixel;
  const char *names[CAPRA_PROBE_MAX];
  double *values;
} CapraProfile;

/* Returns: (transfer full) (nullable): the pixels of @rect, which is inside the bounds; %NULL to stop */
typedef GeglBuffer *(*CapraProfileRead) (const GeglRectangle *rect, gpointer data);

/**
 * capra_profile_new:
 * @bounds: of the result
 * @read: is called for parts along the line, so that a long diagonal does not need all pixels around it
 *
 * Returns: (transfer full) (nullable): %NULL if @read returned %NULL
 */
CapraProfile *capra_profile_new (const CapraLine *line, const GeglRectangle *bounds, const Babl *format,
                                 CapraProfileRead read, gpointer data);
CapraProfile *capra_profile_ref (CapraProfile *profile);
void capra_profile_unref (CapraProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraProfile, capra_profile_unref)

/* The distance of a point from the first end, in pixels. */
double capra_profile_get_distance (const CapraProfile *profile, gsize index);

/**
 * capra_profile_get_table:
 * @unit: (nullable): of @distances
 * @distances: (nullable): from the first end to each point, for a column of their own
 *
 * Returns: (transfer full): a row for each point: its distance in pixels, its position (the center of the first pixel
 *   is at 0, 0), and its values
 */
CapraTable *capra_profile_get_table (const CapraProfile *profile, const char *unit, const double *distances);

G_END_DECLS
