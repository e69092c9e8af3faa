/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Device budget: how much memory of a device may be used. Not installed. */
#pragma once

#include "runtime/device/device.h"
#include "runtime/base/system-memory.h"

G_BEGIN_DECLS

typedef enum {
  CAPRA_BUDGET_OF_DEVICE,  /* a share of the device's memory */
  CAPRA_BUDGET_OF_SYSTEM,  /* less than that, since the host shares its memory with the device and has too little */
  CAPRA_BUDGET_OF_SETTING, /* the setting `memory-budget` */
} CapraBudgetSource;

/* The budget in bytes. @source: (nullable): what it is made from. The memory of the system is that when the first
 * budget of the process was asked for: later, the process itself has taken a part of it. */
guint64 capra_device_budget_get (const CapraDeviceInfo *info, CapraBudgetSource *source);

/* The same without the setting, for a system with @system. */
guint64 capra_device_budget_compute (const CapraDeviceInfo *info, const CapraSystemMemory *system,
                                     CapraBudgetSource *source);

G_END_DECLS
