/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline scope: what the timeline uses. Private. */
#pragma once

#include "runtime/trace/timeline-record.h"
#include "runtime/trace/timeline-scope.h"

G_BEGIN_DECLS

/* Whether records of @scope (nullable) are only there. */
gboolean capra_timeline_scope_is_separate (const CapraTimelineScope *scope);

/* Adds a record to @scope, and copies those that it has. The lock of the timeline is held. */
void capra_timeline_scope_add (CapraTimelineScope *scope, const CapraRecord *record);
GArray *capra_timeline_scope_copy_records (CapraTimelineScope *scope);

/* This thread has built a program, or has waited for one. */
void capra_timeline_scope_add_build (gint64 microseconds);

G_END_DECLS
