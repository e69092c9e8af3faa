/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Faults: the test before each call of OpenCL. Not installed. */
#pragma once

#include "runtime/base/fault-kinds.h"

G_BEGIN_DECLS

/* Whether calls are counted. */
extern gint capra_fault_active; /* atomic */

int capra_fault_next (gconstpointer device, CapraFault fault);

/* The status (`cl_int`) with which the call that follows, on @device, is to fail; CL_SUCCESS if it is made. */
static inline int
capra_fault_check (gconstpointer device, CapraFault fault)
{
  return G_UNLIKELY (capra_fault_active) ? capra_fault_next (device, fault) : 0;
}

G_END_DECLS
