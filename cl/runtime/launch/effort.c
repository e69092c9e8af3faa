/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Effort: what using a device takes beside the work itself. */
#include "runtime/device/context.h"
#include "runtime/launch/effort.h"
#include "runtime/launch/program-build.h"

void
capra_effort_query (CapraDevice *device, CapraEffort *effort)
{
  CapraContext *context = capra_context_peek (device);

  *effort = (CapraEffort){ 0 };
  if (!context)
    return;
  effort->allocations = (guint) g_atomic_int_get (&context->allocations);
  effort->builds = (guint) g_atomic_int_get (&context->builds);
  effort->loads = (guint) g_atomic_int_get (&context->loads);
  effort->kernels = (guint) g_atomic_int_get (&context->kernels);
  effort->build_time = (guint) g_atomic_int_get (&context->build_time);
}

guint
capra_effort_get_building (void)
{
  return capra_program_get_building ();
}
