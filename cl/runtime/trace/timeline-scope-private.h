/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline scope: what the timeline uses. Private. */
#pragma once

#include "runtime/trace/timeline-record.h"
#include "runtime/trace/timeline-scope.h"

G_BEGIN_DECLS

/* The number of @scope (nullable), from 1 on, or 0. */
guint capra_timeline_scope_get_number (const CapraTimelineScope *scope);

/* Whether records of @scope (nullable) are only there. */
gboolean capra_timeline_scope_is_separate (const CapraTimelineScope *scope);

/* Adds a record to @scope, and copies those that it has. The lock of the timeline is held. */
void capra_timeline_scope_add (CapraTimelineScope *scope, const CapraRecord *record);
GArray *capra_timeline_scope_copy_records (CapraTimelineScope *scope);

/* Programs were built in @scope from @start to @end, in monotonic time. */
void capra_timeline_scope_add_build (CapraTimelineScope *scope, gint64 start, gint64 end);

/* This thread has built a program since @start, or has waited for one. */
void capra_timeline_scope_record_build (gint64 start);

/* The milliseconds in which programs were built. The commands of @scope have been collected. */
double capra_timeline_scope_sum_builds (CapraTimelineScope *scope);

G_END_DECLS
