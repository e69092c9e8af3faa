/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Counters: reads those of a context. */
#include "runtime/trace/counters.h"

#include "runtime/device/context.h"
#include "runtime/launch/program-build.h"

void
capra_counters_query (CapraDevice *device, CapraCounters *counters)
{
  CapraContext *context = capra_context_peek (device);

  *counters = (CapraCounters){ 0 };
  if (!context)
    return;
  counters->allocations = (guint) g_atomic_int_get (&context->allocations);
  counters->builds = (guint) g_atomic_int_get (&context->builds);
  counters->loads = (guint) g_atomic_int_get (&context->loads);
  counters->kernels = (guint) g_atomic_int_get (&context->kernels);
  counters->build_time = (guint) g_atomic_int_get (&context->build_time);
}

guint
capra_counters_get_active_builds (void)
{
  return capra_program_get_building ();
}
