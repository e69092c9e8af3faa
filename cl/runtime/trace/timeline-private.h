/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* How the runtime adds to the timeline. Private. */
#pragma once

#include "runtime/device/context.h"
#include "runtime/trace/timeline.h"

G_BEGIN_DECLS

/* Records @event (a reference is taken) when it is done. @name must live for ever. */
void capra_timeline_add (CapraContext *context, const char *name, guint64 bytes, cl_event event);

/* For the monitor, which must never wait for a device: how many records there are since the last
 * reset; those from number *@since on (from the first one after a reset), *@since becoming their
 * end; and the statistics of what was collected so far. The first two collect what has ended. */
guint64 capra_timeline_count_finished (void);
GArray *capra_timeline_finished_records (guint64 *since);
GArray *capra_timeline_finished_statistics (void);

/* Registers what `CAPRA_TIMINGS` asks for at exit; called once, after the driver's own set-up. */
void capra_timeline_watch_exit (void);

G_END_DECLS
