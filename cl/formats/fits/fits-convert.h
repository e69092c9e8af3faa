/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* FITS conversion: stored values to floats. Not installed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CapraFitsScaling:
 * @bits: BITPIX
 * @scale: BSCALE
 * @zero: BZERO
 * @has_blank: whether @blank is the stored integer of missing pixels
 * @blank: BLANK
 */
typedef struct {
  int bits;
  double scale, zero;
  gboolean has_blank;
  gint64 blank;
} CapraFitsScaling;

/* Converts @n stored values, big-endian at @stored without alignment, to their physical values. */
void capra_fits_convert (const CapraFitsScaling *scaling, const guint8 *stored, gsize n, float *values);

G_END_DECLS
