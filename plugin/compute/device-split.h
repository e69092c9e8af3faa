/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Plan: how an image's rows are divided among all devices, learned from how long they took before.
 *
 * Each operation is planned apart, as a device may be good at one and bad at another. The first time, the
 * devices' compute rates decide; then how fast each was. A device that would get but a few per cent is
 * left out, and where the fastest device alone turned out to be faster than all together, it works
 * alone. Both are tried again now and then. */
#pragma once

#include <gegl.h>

#include "runtime/device/device.h"

G_BEGIN_DECLS

#define CAPRA_DEVICE_SPLIT_MAX 16

/**
 * CapraDeviceSplit:
 * @n: how many devices take part
 * @device: which ones, as indices into the list of devices
 * @rows: how many rows each gets, from top to bottom
 * @measures: whether capra_device_split_end() is to hear how long it takes until the results are there
 *
 * The rest is private.
 */
typedef struct {
  guint n;
  guint device[CAPRA_DEVICE_SPLIT_MAX];
  gint rows[CAPRA_DEVICE_SPLIT_MAX];
  gboolean measures;
  struct _CapraExperience *experience;
  guint phase;
  double row;
} CapraDeviceSplit;

/* For @roi of an operation of that name; @devices always come in the same order. */
CapraDeviceSplit capra_device_split_begin (const char *operation, const GeglRectangle *roi, const GPtrArray *devices);

/* The work is done; @times are those of the plan's devices, in microseconds. */
void capra_device_split_end (const CapraDeviceSplit *plan, const gint64 *times);

G_END_DECLS
