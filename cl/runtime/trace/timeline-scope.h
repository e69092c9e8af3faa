/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline scope: the commands of one render, apart from those that other threads enqueue at the same time. */
#pragma once

#include <glib.h>

#include "runtime/base/api.h"

G_BEGIN_DECLS

/**
 * CapraTimelineScope:
 *
 * Has a record of each transfer and each kernel that was enqueued within it, the first 65536, and the time that was
 * spent on building programs for them. Any thread may call its functions.
 */
typedef struct _CapraTimelineScope CapraTimelineScope;

CAPRA_API
CapraTimelineScope *capra_timeline_scope_new (void);
/* Its records are not in the timeline and the statistics of the process, as for pictures of a user interface. */
CAPRA_API
CapraTimelineScope *capra_timeline_scope_new_separate (void);
CAPRA_API
CapraTimelineScope *capra_timeline_scope_ref (CapraTimelineScope *scope);
CAPRA_API
void capra_timeline_scope_unref (CapraTimelineScope *scope);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraTimelineScope, capra_timeline_scope_unref)

/**
 * capra_timeline_scope_enter:
 * @scope: (nullable): must exist until the thread enters another one
 *
 * What this thread enqueues from now on belongs to @scope, instead of the scope that the thread was in.
 *
 * Returns: (transfer none) (nullable): the scope that the thread was in, to enter it again
 */
CAPRA_API
CapraTimelineScope *capra_timeline_scope_enter (CapraTimelineScope *scope);

/* Returns: (transfer none) (nullable): the scope that this thread is in */
CAPRA_API
CapraTimelineScope *capra_timeline_scope_get_current (void);

/**
 * capra_timeline_scope_records:
 *
 * Waits for all enqueued commands first.
 *
 * Returns: (element-type CapraRecord) (transfer full): the records of @scope, in the order of enqueueing
 */
CAPRA_API
GArray *capra_timeline_scope_records (CapraTimelineScope *scope);

/**
 * capra_timeline_scope_get_build_time:
 *
 * Waits for all enqueued commands first.
 *
 * Returns: the milliseconds in which threads in @scope have built programs, read them from the disk cache, or waited
 *   for other threads that did so, and in which the device did nothing before the first launch of a kernel: drivers
 *   compile it then
 */
CAPRA_API
double capra_timeline_scope_get_build_time (CapraTimelineScope *scope);

/**
 * CapraTimelineParts:
 * @wall: the whole time
 * @building: for building programs at their first use
 * @transfers: for transfers between the host and devices, and copies
 * @kernels: for kernels
 * @host: the part of @wall without @building in which no device was busy
 *
 * Times in milliseconds. Commands that run at the same time count several times in @transfers and @kernels.
 */
typedef struct {
  double wall, building, transfers, kernels, host;
} CapraTimelineParts;

/* @wall: the time that was spent within @scope, in milliseconds */
CAPRA_API
void capra_timeline_scope_get_parts (CapraTimelineScope *scope, double wall, CapraTimelineParts *parts);

/* Returns: (transfer full): as capra_timeline_to_json(), of the records of @scope, and with its parts */
CAPRA_API
char *capra_timeline_scope_to_json (CapraTimelineScope *scope, double wall);

G_END_DECLS
