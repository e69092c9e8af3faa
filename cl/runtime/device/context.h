/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Context: what one device needs to work: its OpenCL context, its queues, its caches. Private. */
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "runtime/device/device.h"
#include "runtime/device/error.h"

G_BEGIN_DECLS

/* Three in-order queues, so that copies in, kernels and copies out can overlap. */
typedef enum {
  CAPRA_QUEUE_IN,
  CAPRA_QUEUE_COMPUTE,
  CAPRA_QUEUE_OUT,
  CAPRA_N_QUEUES,
} CapraQueue;

typedef struct _CapraPool CapraPool;           /* block.c */
typedef struct _CapraPrograms CapraPrograms;   /* program.c */
typedef struct _CapraConstants CapraConstants; /* constants.c */

/* One per device and process, made at first use, never freed: drivers tear themselves down before
 * any exit handler of ours could. */
typedef struct {
  CapraDevice *device;
  const CapraDeviceInfo *info;
  cl_device_id cl_device;
  cl_context cl;
  cl_command_queue queues[CAPRA_N_QUEUES];
  GMutex enqueue; /* held while a command is put into a queue and its fences are set */
  CapraPool *pool;
  CapraPrograms *programs;
  CapraConstants *constants;
  gint reads_all; /* atomic: whether the driver is to declare all built-in functions; see program-build.c */
  gint allocations, builds, loads, kernels, build_time; /* atomic: see counters.h */
} CapraContext;

/* The context of a device; NULL with @error set if the driver refuses one (asked again next time). */
CapraContext *capra_context_get (CapraDevice *device, GError **error);

/* The context of a device if it was ever used, else NULL; NULL in a forked child. */
CapraContext *capra_context_peek (CapraDevice *device);

/* As capra_error_check(), with the context's device. */
gboolean capra_context_check (CapraContext *context, cl_int code, const char *call, const char *subject,
                              GError **error);

/* Waits for @event, and for all that it waits for: after a failure, too, its command is over. Takes the reference of
 * @event. */
gboolean capra_context_wait (CapraContext *context, cl_event event, const char *what, GError **error);

/* OpenCL's own handles of a device, for context.c. */
cl_device_id capra_device_get_cl (CapraDevice *device);
cl_platform_id capra_device_get_cl_platform (CapraDevice *device);

G_END_DECLS
