/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sky-ticks: round longitudes and latitudes on the sky, with labels in hours or degrees, minutes and seconds. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  CAPRA_SKY_HOURS,     /* right ascension */
  CAPRA_SKY_LONGITUDE, /* in degrees */
  CAPRA_SKY_LATITUDE,
} CapraSkyKind;

/**
 * capra_sky_ticks_get_step:
 * @range: in degrees
 *
 * Returns: the smallest round step with at most @most steps in @range, in seconds of time or of arc
 */
double capra_sky_ticks_get_step (CapraSkyKind kind, double range, guint most);

/* The size of a second of time or of arc in degrees. */
double capra_sky_ticks_get_unit (CapraSkyKind kind);

/* The label of the coordinate @index * @step, in Pango's markup, with no finer units than @step needs. */
char *capra_sky_ticks_format (CapraSkyKind kind, gint64 index, double step);

G_END_DECLS
