/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command trace: the transfers and kernels of one run of a graph, along time and summed by name. */
#pragma once

#include <glib-object.h>

#include "capra.h"

G_BEGIN_DECLS

/**
 * CapraTracedCommand:
 * @name: name of the record, as in #CapraRecord
 * @device: index into the devices of the trace
 * @start: milliseconds since the first command of the trace was enqueued; likewise @end
 * @shared: whether it copied nothing, as capra_timeline_is_shared() says
 *
 * A transfer or a kernel.
 */
typedef struct {
  const char *name;
  guint device;
  guint64 bytes;
  double start, end;
  gboolean shared;
} CapraTracedCommand;

/**
 * CapraCommandTotal:
 * @time: sum of the times in milliseconds
 *
 * All commands of one name.
 */
typedef struct {
  const char *name;
  guint count;
  guint64 bytes;
  double time;
} CapraCommandTotal;

/**
 * CapraCommandTrace:
 * @commands: (element-type CapraTracedCommand): in the order of their starts
 * @totals: (element-type CapraCommandTotal): uploads, then kernels in the order of their first start, then downloads
 * @devices: (element-type utf8): titles of the devices
 * @span: the end of the last command in milliseconds
 * @wall: the wall time of the run without @building in milliseconds, or @span if it is not known
 * @building: the time in which programs were built at their first use
 * @host: the part of @wall in which no device was busy
 */
typedef struct {
  GArray *commands, *totals;
  GPtrArray *devices;
  double span, wall, building, host;
} CapraCommandTrace;

#define CAPRA_TYPE_COMMAND_TRACE (capra_command_trace_get_type ())
GType capra_command_trace_get_type (void);

/**
 * capra_command_trace_new:
 * @records: (element-type CapraRecord): records of this process
 * @wall: wall time without the building of programs in milliseconds, or 0 if it is not known
 */
CapraCommandTrace *capra_command_trace_new (const GArray *records, double wall);

/* The trace of @scope, with @wall as above. (transfer full) (nullable): %NULL if it has no records. */
CapraCommandTrace *capra_command_trace_new_of_scope (CapraTimelineScope *scope, double wall, double building);

/**
 * capra_command_trace_new_latest:
 *
 * Returns: (transfer full) (nullable): the latest run of @process: the records of its latest scope, or without one
 *   those after the last pause of more than a quarter of a second
 */
CapraCommandTrace *capra_command_trace_new_latest (const CapraMonitorProcess *process);

CapraCommandTrace *capra_command_trace_ref (CapraCommandTrace *trace);
void capra_command_trace_unref (CapraCommandTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CapraCommandTrace, capra_command_trace_unref)

G_END_DECLS
