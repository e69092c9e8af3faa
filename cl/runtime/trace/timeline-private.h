/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Timeline: what the rest of the runtime and the monitor use. Private. */
#pragma once

#include "runtime/device/context.h"
#include "runtime/trace/timeline.h"

G_BEGIN_DECLS

/* Adds a record of @event, to which it takes a reference, once it is finished. @name must be a static string. @first:
 * as in capra_context_record_launch(). */
void capra_timeline_add (CapraContext *context, const char *name, guint64 bytes, gboolean first, cl_event event);

/* The statistics (element-type CapraTiming) of records. */
GArray *capra_timeline_statistics_of (const GArray *records);

/* For the monitor: they do not wait for devices. The first two collect the commands that have finished.
 *
 * The number of records since the last reset. */
guint64 capra_timeline_count_finished (void);

/* The records from number *@since on, or all of them if the timeline was reset since then. *@since becomes the number
 * of the next record. */
GArray *capra_timeline_finished_records (guint64 *since);

/* The statistics of the records collected so far. */
GArray *capra_timeline_finished_statistics (void);

/* The milliseconds of the uploads and downloads of @device that have finished, and their @bytes. Does not wait. */
double capra_timeline_finished_transfers (CapraDevice *device, guint64 *bytes);

/* Writes the statistics at exit to the file that `CAPRA_TIMINGS` names. Called once, when the driver has registered its
 * exit handlers. */
void capra_timeline_watch_exit (void);

G_END_DECLS
