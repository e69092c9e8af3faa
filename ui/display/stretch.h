/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stretch: how values become brightness, for the panel's view and for figures.
 *
 * Values between two limits become shares from 0 to 1 along a curve. The curves are those of astropy.visualization,
 * with its default parameters. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraStretchCurve:
 * @CAPRA_STRETCH_LOG: log (1 + 1000 x) / log (1001)
 * @CAPRA_STRETCH_ASINH: asinh (10 x) / asinh (10)
 */
typedef enum {
  CAPRA_STRETCH_LINEAR,
  CAPRA_STRETCH_SQRT,
  CAPRA_STRETCH_LOG,
  CAPRA_STRETCH_ASINH,
} CapraStretchCurve;

#define CAPRA_STRETCH_N_CURVES 4

/**
 * CapraStretch:
 * @low: the value that becomes 0, as all below it
 * @high: the value that becomes 1, as all above it; greater than @low
 */
typedef struct {
  CapraStretchCurve curve;
  double low, high;
} CapraStretch;

/* "linear", "sqrt", "log" or "asinh". */
const char *capra_stretch_curve_get_name (CapraStretchCurve curve);
gboolean capra_stretch_curve_from_name (const char *name, CapraStretchCurve *curve);

/* From 0 to 1; NaN for NaN. */
double capra_stretch_apply (const CapraStretch *stretch, double value);
/* The value of a share from 0 to 1. */
double capra_stretch_invert (const CapraStretch *stretch, double share);

/* The number of levels in a table, which follows the steepest curve within one of 255 levels. */
#define CAPRA_STRETCH_TABLE_SIZE 65536

/**
 * CapraStretchTable:
 * @levels: 0 to 255, for equal steps between the limits
 *
 * The stretch for many values: much faster than capra_stretch_apply().
 */
typedef struct {
  double low, scale;
  guint8 levels[CAPRA_STRETCH_TABLE_SIZE];
} CapraStretchTable;

void capra_stretch_table_init (CapraStretchTable *table, const CapraStretch *stretch);

/* 0 for NaN. */
static inline guint8
capra_stretch_table_get (const CapraStretchTable *table, double value)
{
  double i = (value - table->low) * table->scale + 0.5;

  return i > 0.0 ? table->levels[i < CAPRA_STRETCH_TABLE_SIZE ? (guint) i : CAPRA_STRETCH_TABLE_SIZE - 1] : 0;
}

G_END_DECLS
