/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device choice: on which device an operation finishes first, and why.
 *
 * The time of an operation on a device is the sum of what is queued there, the transfer of the images that are
 * elsewhere, and the computation. Rates are measured: those of transfers by the timeline, those of an operation when it
 * runs on the device for the first time, and again from time to time. Rates that were not measured yet are assumed. */
#pragma once

#include "runtime/device/device.h"

G_BEGIN_DECLS

#define CAPRA_DEVICE_WORK_INPUTS 2

/**
 * CapraDeviceWork:
 * @operation: its name
 * @pixels: to compute
 * @bytes: the least number of bytes that it must read and write
 * @inputs: the bytes of the images that it reads, and the device that holds them; %NULL for the host
 * @host_alternative: (nullable): the name of an operation that computes the same without OpenCL
 */
typedef struct {
  const char *operation;
  double pixels, bytes;
  struct {
    double bytes;
    CapraDevice *holder;
  } inputs[CAPRA_DEVICE_WORK_INPUTS];
  const char *host_alternative;
} CapraDeviceWork;

/**
 * capra_device_choose:
 * @devices: (element-type CapraDevice): at least one
 *
 * Remembers the estimates for capra_device_choice_describe(), together with that of the operation without OpenCL, which
 * is not a choice.
 *
 * Returns: the index of the device that is expected to finish first; of equal ones, the first
 */
CAPRA_API
guint capra_device_choose (const CapraDeviceWork *work, const GPtrArray *devices);

/**
 * CapraDeviceRun:
 *
 * A run of an operation on the chosen device. Its fields are private.
 */
typedef struct {
  CapraDevice *device;
  const char *operation;
  double pixels, kernels;
  gint64 added;
  gboolean measured;
} CapraDeviceRun;

/**
 * capra_device_run_begin:
 * @run: (out caller-allocates): for capra_device_run_end()
 *
 * The device is busy from now on for the estimated time.
 */
CAPRA_API
void capra_device_run_begin (CapraDeviceRun *run, const CapraDeviceWork *work, CapraDevice *device);

/* Ends a run. If the rate is measured, that waits for the commands. @done: whether it succeeded */
CAPRA_API
void capra_device_run_end (CapraDeviceRun *run, gboolean done);

/**
 * capra_device_set_rate:
 * @operation: (nullable): %NULL for the transfers of @device
 * @rate: pixels per millisecond; bytes per millisecond for transfers; 0 to forget the rate
 *
 * Sets a rate instead of measuring it.
 */
CAPRA_API
void capra_device_set_rate (CapraDevice *device, const char *operation, double rate);

/**
 * capra_device_choice_describe:
 * @operation: (nullable): %NULL for all operations
 *
 * Returns: (transfer full) (nullable): the last choice for @operation and its reasons, as lines of text; %NULL if there
 *   was none
 */
CAPRA_API
char *capra_device_choice_describe (const char *operation);

G_END_DECLS
