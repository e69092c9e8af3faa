/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Driver load: PoCL's library is loaded before the OpenCL loader does it, which takes a third of the time. Not
 * installed. */
#pragma once

#include "runtime/drivers/driver.h"

G_BEGIN_DECLS

/* Loads @driver's library if that is PoCL's; it stays loaded. The library and those that it links then take their own
 * symbols, where they would else take those of the same names in the program and its modules. */
void capra_driver_load (const CapraDriver *driver);

G_END_DECLS
