/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Devices: list, select and describe what OpenCL offers on this machine. */
#pragma once

#include <glib.h>

#include "runtime/device/api.h"

G_BEGIN_DECLS

/**
 * CapraDevice:
 *
 * One OpenCL device. Devices are found once per process, never change and are never freed, so
 * pointers to them can be kept and compared.
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
 * @id: stable name of this very device: "uuid:…" or "pci:…" where the driver tells, else made of
 *   platform, name and the number among equals
 * @name: the driver's name for it
 * @platform_name: the driver's name for the platform
 * @vendor: maker
 * @version: OpenCL version it offers, such as "OpenCL 3.0 CUDA"
 * @driver: the driver's version
 * @type: kind of device
 * @memory: global memory in bytes
 * @max_allocation: largest single allocation in bytes
 * @local_memory: local memory of a work-group in bytes
 * @max_group: largest number of work-items in a group
 * @compute_units: number of compute units
 * @clock: highest clock in MHz
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
 * Returns: (element-type CapraDevice) (transfer none): all devices in the order of platforms; of
 *   length 0 never: without a device it is %NULL and @error is set
 */
CAPRA_API
const GPtrArray *capra_device_list (GError **error);

/**
 * capra_device_select:
 * @name: (nullable): nothing or "" for the default; "auto" for the best one, whatever the default is; an
 *   index (`1`); platform:device (`0:1`); an id; or a part of its name in any case (`h200`). "all" asks
 *   the GEGL operations to split work over all devices; where one has to be chosen it is the best
 *
 * The default is what was chosen in this process, else `CAPRA_DEVICE`, else `device` of the user's
 * settings (see capra_settings_get()), each of which may be any of these names; else the best: GPUs
 * before accelerators before CPUs, then the larger compute rate (units times clock). A name that
 * fits none or several different devices is an error that lists the choices; of equal
 * devices (same platform, name and driver) the first is taken. A name in the settings that fits none
 * is no error: the best one is taken, with a warning (see capra_device_dup_missing_default()).
 *
 * Returns: (transfer none): the device, or %NULL with @error set
 */
CAPRA_API
CapraDevice *capra_device_select (const char *name, GError **error);

/**
 * capra_device_get_best:
 *
 * Returns: (transfer none): what capra_device_select() takes where nobody has chosen anything
 */
CAPRA_API
CapraDevice *capra_device_get_best (GError **error);

/**
 * capra_device_dup_missing_default:
 * @where: (out) (optional) (nullable) (transfer full): the file and the line that name it
 *
 * Returns: (transfer full) (nullable): the default device of the user's settings if it is the default now and no
 *   device has that name, such as a card that is in another machine; then capra_device_select() takes the best one
 *   where a device is not named. Else %NULL. The settings are read each time.
 */
CAPRA_API
char *capra_device_dup_missing_default (char **where);

/**
 * capra_device_is_default:
 * @name: (nullable): as for capra_device_select()
 *
 * Returns: whether @name leaves the choice to Capra: "auto", or nothing and no device set by
 *   `CAPRA_DEVICE` or the settings, or a missing one by the settings. Work may then move on to
 *   another device if the first one fails.
 */
CAPRA_API
gboolean capra_device_is_default (const char *name);

/**
 * capra_device_is_all:
 * @name: (nullable): as for capra_device_select()
 *
 * Returns: whether it asks for work to be split over all devices
 */
CAPRA_API
gboolean capra_device_is_all (const char *name);

CAPRA_API
const CapraDeviceInfo *capra_device_get_info (CapraDevice *device);

/**
 * capra_device_measure_copy:
 *
 * Copies 256 MiB (less on small devices) within the device's memory several times.
 *
 * Returns: bytes read and written a second at the median, or a negative number with @error set
 */
CAPRA_API
double capra_device_measure_copy (CapraDevice *device, GError **error);

/**
 * capra_device_measure_arithmetic:
 *
 * Has all compute units multiply and add floats for a few milliseconds, several times.
 *
 * Returns: multiply-adds a second at the median, or a negative number with @error set
 */
CAPRA_API
double capra_device_measure_arithmetic (CapraDevice *device, GError **error);

/**
 * capra_device_keep_busy:
 *
 * Has all compute units multiply and add floats for half a millisecond or a few, and does not wait for it; one record
 * in the timeline. The device's memory and caches stay as they are. What is enqueued next waits for it, and so follows
 * without the host's pauses.
 */
CAPRA_API
gboolean capra_device_keep_busy (CapraDevice *device, GError **error);

/**
 * capra_device_type_name:
 * Returns: "CPU", "GPU" or "accelerator"
 */
CAPRA_API
const char *capra_device_type_name (CapraDeviceType type);

G_END_DECLS
