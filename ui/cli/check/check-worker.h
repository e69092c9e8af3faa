/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Worker: a process that runs the jobs of a check, so that a kernel that ends or hangs it fails alone. */
#pragma once

#include "ui/cli/check/check-jobs.h"

G_BEGIN_DECLS

/* The side of the worker: runs @jobs from number @first on, and writes the protocol to the standard output. Returns the
 * exit status. */
int check_worker_serve (CapraDevice *device, const GArray *jobs, guint first, gboolean full);

/* The side of a process that only builds kernels before the worker needs them, which finds them in the cache: runs
 * @jobs from number @last on backwards, without the large ones, and has no results. Returns the exit status. */
int check_worker_serve_ahead (CapraDevice *device, const GArray *jobs, guint last, gboolean full);

/* The side of the program that wants the results. */
typedef struct _CheckWorker CheckWorker;

/* What becomes of a second for which a case has run. */
typedef enum {
  CHECK_SECOND_COUNTED, /* it counts for the time limit */
  CHECK_SECOND_IGNORED, /* the case could not use it */
  CHECK_SECOND_LAST,    /* the results are not wanted any more */
} CheckSecond;

typedef CheckSecond (*CheckSecondFunc) (void);

/* @selection: (nullable): as for check_jobs_list(); @limit: the seconds that a case may take */
CheckWorker *check_worker_new (CapraDevice *device, const char *selection, gboolean full, guint limit);

/* Makes the process of this worker one that serves ahead, from job number @last on. It runs no jobs then. */
void check_worker_start_ahead (CheckWorker *worker, guint last);

/* Calls @on_second each second in which the worker reports nothing. Without it, all of them are counted. */
void check_worker_set_second (CheckWorker *worker, CheckSecondFunc on_second);

/* Ends the process, so that the next job can have any number. */
void check_worker_stop (CheckWorker *worker);
void check_worker_free (CheckWorker *worker);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CheckWorker, check_worker_free)

/* Sets @result to that of job number @number; jobs must be run in their order. The first one of a worker may have
 * another variant than the job of that number; it is then the only one. A process that ended or hung is
 * replaced, as is one with a job that failed, since the driver may be in any state. With a
 * callback, returns FALSE, without a result, if that or another program has ended the process, if it ended before its
 * first job, as after an update of the driver, or if it could not be started. */
gboolean check_worker_run (CheckWorker *worker, const CheckJob *job, guint number, CheckResult *result);

G_END_DECLS
