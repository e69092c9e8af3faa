/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Devices: lists and describes the OpenCL devices of this machine. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraDevice:
 *
 * An OpenCL device. Devices are found once per process, never change and are never freed: pointers to them can be
 * stored and compared.
 */
typedef struct _CapraDevice CapraDevice;

typedef enum {
  CAPRA_DEVICE_CPU,
  CAPRA_DEVICE_GPU,
  CAPRA_DEVICE_ACCELERATOR,
} CapraDeviceType;

/**
 * CapraDeviceInfo:
 * @index: position in capra_device_list(), from 0
 * @platform: index of the platform, from 0
 * @number: index within the platform, from 0
 * @id: a stable name of this device: "uuid:…" or "pci:…" if the driver provides that, else made of platform, name and
 *   the number among equal devices
 * @name: its name, from the driver
 * @platform_name: the name of the platform
 * @vendor: maker
 * @version: OpenCL version it offers, such as "OpenCL 3.0 CUDA"
 * @driver: the driver's version
 * @type: kind of device
 * @memory: global memory in bytes
 * @max_allocation: largest single allocation in bytes
 * @local_memory: local memory of a work-group in bytes
 * @max_group: largest number of work-items in a group
 * @compute_units: number of compute units
 * @clock: highest clock in MHz; 0 if the driver reports none
 * @doubles: whether kernels can compute in double precision
 * @unified: whether host and device share memory, so that mapping moves no bytes
 */
typedef struct {
  guint index, platform, number;
  char *id, *name, *platform_name, *vendor, *version, *driver;
  CapraDeviceType type;
  guint64 memory, max_allocation, local_memory;
  gsize max_group;
  guint compute_units, clock;
  gboolean doubles, unified;
} CapraDeviceInfo;

/**
 * capra_device_list:
 *
 * Returns: (element-type CapraDevice) (transfer none): all devices in the order of platforms, at least one; %NULL with
 *   @error set if there is none
 */
CAPRA_API
const GPtrArray *capra_device_list (GError **error);

/**
 * capra_device_peek_list:
 *
 * For threads that must not wait while drivers are tried or loaded.
 *
 * Returns: (element-type CapraDevice) (transfer none) (nullable): the devices that capra_device_list() has found; %NULL
 *   if no call of it has returned devices yet
 */
CAPRA_API
const GPtrArray *capra_device_peek_list (void);

/**
 * capra_device_probe:
 *
 * Tries all drivers again, also those that have not changed since their last trial, and stores the verdicts. Drivers
 * that this process has loaded before stay loaded.
 */
CAPRA_API
void capra_device_probe (void);

/**
 * capra_device_get_info:
 * Returns: (transfer none): the description of @device
 */
CAPRA_API
const CapraDeviceInfo *capra_device_get_info (CapraDevice *device);

/**
 * capra_device_type_name:
 * Returns: "CPU", "GPU" or "accelerator"
 */
CAPRA_API
const char *capra_device_type_name (CapraDeviceType type);

G_END_DECLS
