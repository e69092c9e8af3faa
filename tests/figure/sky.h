/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tangential projection, written down independently of libcapra's, for tests of figures. */
#pragma once

#include "ui/figure/sky-grid.h"

G_BEGIN_DECLS

/**
 * TestSky:
 * @ra: of the reference position, in degrees; likewise @dec
 * @x: its position in pixels; likewise @y
 * @step: degrees per pixel
 * @turn: of the image against north, in radians
 * @mirrored: whether right ascension grows to the right
 */
typedef struct {
  double ra, dec, x, y, step, turn;
  gboolean mirrored;
} TestSky;

/* @sky: must live as long as the result */
CapraSky test_sky_new (TestSky *sky);

G_END_DECLS
