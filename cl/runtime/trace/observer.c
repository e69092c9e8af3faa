/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Observer: connects the timeline and the monitor with the contexts of devices, which know neither. */
#include "runtime/device/context.h"
#include "runtime/trace/monitor-publisher.h"
#include "runtime/trace/timeline-private.h"
#include "runtime/trace/timeline-scope-private.h"

static void
start_tracing (void)
{
  capra_timeline_watch_exit ();
  capra_monitor_publisher_start ();
}

static const CapraContextObserver observer = { start_tracing, capra_timeline_add, capra_timeline_scope_record_build };

static void __attribute__ ((constructor)) set_observer (void) { capra_context_set_observer (&observer); }
