/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device split: how the rows of an image are split over several devices, according to measured speeds.
 *
 * Speeds are measured for each operation, as a device may be fast at one and slow at another. The first split follows
 * the devices' nominal compute rates; later ones follow the measured rates. Devices whose share would be very small are
 * left out. If the fastest device alone was faster than all devices together, it computes alone. The measurements are
 * repeated from time to time. */
#pragma once

#include <gegl.h>

#include "runtime/device/device.h"

G_BEGIN_DECLS

#define CAPRA_DEVICE_SPLIT_MAX 16

/**
 * CapraDeviceSplit:
 * @n: the number of devices that take part
 * @device: their indices in the list of devices
 * @rows: the number of rows of each, from top to bottom
 * @measured: whether the times given to capra_device_split_end() must include waiting for the results
 * @measures_rates: whether they are those of each device, not of all together
 *
 * The other fields are private.
 */
typedef struct {
  guint n;
  guint device[CAPRA_DEVICE_SPLIT_MAX];
  gint rows[CAPRA_DEVICE_SPLIT_MAX];
  gboolean measured, measures_rates;
  struct _CapraSpeeds *speeds;
  guint phase;
  double width;
} CapraDeviceSplit;

/* Splits the rows of @roi for the operation of this name. */
CapraDeviceSplit capra_device_split_begin (const char *operation, const GeglRectangle *roi, const GPtrArray *devices);

/* Ends a successful computation. @times are those of the split's devices, in microseconds. */
void capra_device_split_end (const CapraDeviceSplit *split, const gint64 *times);

G_END_DECLS
