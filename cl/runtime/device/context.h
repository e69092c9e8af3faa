/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Context: what Capra holds for a device in use: its OpenCL context, its queues, its caches. Not installed. */
#pragma once

#include <CL/cl.h>

#include "runtime/device/device.h"
#include "runtime/base/error.h"

G_BEGIN_DECLS

/* Three in-order queues, so that uploads, kernels and downloads can overlap. */
typedef enum {
  CAPRA_QUEUE_UPLOAD,
  CAPRA_QUEUE_COMPUTE,
  CAPRA_QUEUE_DOWNLOAD,
  CAPRA_N_QUEUES,
} CapraQueue;

typedef struct _CapraPool CapraPool;           /* memory/pool.c */
typedef struct _CapraPrograms CapraPrograms;   /* launch/program.c */
typedef struct _CapraConstants CapraConstants; /* memory/constants.c */

/* One per device and process, created at the first use, never freed: drivers free their state before any exit handler
 * of the library could run. */
typedef struct {
  CapraDevice *device;
  const CapraDeviceInfo *info;
  cl_device_id cl_device;
  cl_context cl;
  cl_command_queue queues[CAPRA_N_QUEUES];
  GMutex enqueue; /* held while a command is enqueued and the last uses of its buffers are set */
  CapraPool *pool;
  CapraPrograms *programs;
  CapraConstants *constants;
  /* Atomic: programs need the driver's declarations of all built-in functions; see program-build.c. */
  gint all_builtins;
  gint allocations, builds, loads, kernels, build_time; /* atomic: see trace/counters.h */
  guint64 last_end; /* of a command, in nanoseconds of the device's clock; see trace/timeline.c */
} CapraContext;

/* The context of a device; NULL with @error set if the driver refuses one (asked again next time). */
CapraContext *capra_context_get (CapraDevice *device, GError **error);

/* The context of a device if it was ever used, else NULL; NULL in a forked child. */
CapraContext *capra_context_peek (CapraDevice *device);

/* Runs @func in a thread that uses a device for the first time. The process waits for its end when it exits: a driver
 * must not be unloaded while it is being loaded. Called at most once. FALSE if that is not possible. */
gboolean capra_context_run_thread (const char *name, GThreadFunc func, gpointer data);

/* Whether the driver takes seconds to compile a program: PoCL on a CPU. It also caches compiled programs by itself, and
 * each binary that is read from it takes as long again. */
gboolean capra_context_compiles_slowly (CapraContext *context);

/* Whether the device is that of Oclgrind, which runs commands within the calls that enqueue, flush or await them, and
 * not in several threads at once. */
gboolean capra_context_is_simulated (CapraContext *context);

/* Whether the driver can compile a kernel now. PoCL, which stores each one in a file, ends the process if it cannot. */
gboolean capra_context_check_compiler (CapraContext *context, GError **error);

/* As capra_error_check(), with the context's device. */
gboolean capra_context_check (CapraContext *context, cl_int code, const char *call, const char *subject,
                              GError **error);

/* Waits for the command of @event. After a failure the command has ended, too. @subject: the kernel or transfer, for
 * the error. Takes the reference of @event. */
gboolean capra_context_wait (CapraContext *context, cl_event event, const char *subject, GError **error);

/* Callbacks into trace/, whose headers device/ must not include. trace/ sets them when the library is loaded. */
typedef struct {
  /* After the first context of the process was created, and the driver has registered its exit handlers. */
  void (*first_use) (void);
  /* After a command was enqueued; the context's enqueue lock is held. */
  void (*enqueued) (CapraContext *context, const char *name, guint64 bytes, gboolean first, cl_event event);
  /* After the calling thread has built a program since @start, or has waited for one. */
  void (*built) (gint64 start);
} CapraContextObserver;

/* @observer: static; called before any context exists. */
void capra_context_set_observer (const CapraContextObserver *observer);

/* Records a command in the timeline, which takes a reference of @event. @name: static or interned. @bytes: the bytes
 * that it moves, or must at least read and write. Call with the enqueue lock held. */
void capra_context_record (CapraContext *context, const char *name, guint64 bytes, cl_event event);

/* The same for a kernel. @first: no launch of it had work-groups of this size: drivers may compile it before it
 * starts. */
void capra_context_record_launch (CapraContext *context, const char *name, guint64 bytes, gboolean first,
                                  cl_event event);

/* Records that this thread has built a program since @start (monotonic time), or has waited for one. */
void capra_context_record_build (gint64 start);

G_END_DECLS
