/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Why a driver, a device or a graphics card is used or not. */
#pragma once

#include "runtime/device/finding.h"

G_BEGIN_DECLS

/**
 * capra_device_explain:
 *
 * Finds the devices, if that was not done before, and explains what was found.
 *
 * Returns: (element-type CapraFinding) (transfer full): the drivers, each before its devices, then graphics cards
 *   without OpenCL device
 */
CAPRA_API
GPtrArray *capra_device_explain (void);

/**
 * capra_device_explain_text:
 *
 * Returns: (transfer full): capra_device_explain() for people, as lines of text
 */
CAPRA_API
char *capra_device_explain_text (void);

G_END_DECLS
