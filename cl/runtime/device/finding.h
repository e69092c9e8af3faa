/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Findings: what is known about a driver, a device or a graphics card. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraFindingState:
 * @CAPRA_FINDING_USED: devices of it are, or it is, in capra_device_list()
 * @CAPRA_FINDING_REFUSED: it failed its trial: it hangs, crashes or gives wrong results; or it is avoided because of a
 *   quirk of the driver, or set aside
 * @CAPRA_FINDING_UNSEEN: OpenCL finds no device
 */
typedef enum {
  CAPRA_FINDING_USED,
  CAPRA_FINDING_REFUSED,
  CAPRA_FINDING_UNSEEN,
} CapraFindingState;

typedef enum {
  CAPRA_FINDING_DRIVER,
  CAPRA_FINDING_DEVICE,
  CAPRA_FINDING_KERNELS,  /* of a device: a quirk, or what is set aside */
  CAPRA_FINDING_HARDWARE, /* a graphics card without OpenCL device, or its device file */
} CapraFindingKind;

/**
 * CapraFinding:
 * @name: a path, or the name of the device
 * @reason: (nullable): why it has this state
 * @remedy: (nullable): what helps
 */
typedef struct {
  CapraFindingKind kind;
  CapraFindingState state;
  char *name, *reason, *remedy;
} CapraFinding;

/**
 * capra_finding_state_name:
 *
 * Returns: "used", "refused" or "not seen", translated
 */
CAPRA_API
const char *capra_finding_state_name (CapraFindingState state);

G_END_DECLS
