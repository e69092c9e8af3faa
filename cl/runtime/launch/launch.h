/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Launch: sets the arguments of a kernel and enqueues it. Not installed; the only file that enqueues kernels.
 *
 *     CapraLaunch launch;
 *     capra_launch_begin (&launch, context, "threshold", options, "threshold_above");
 *     capra_launch_read (&launch, in);
 *     capra_launch_write (&launch, out);
 *     capra_launch_float (&launch, value);
 *     if (!capra_launch_run_1d (&launch, n_items, 64, bytes, error)) …
 *
 * Arguments are set in the kernel's order. Errors of these calls are stored, and reported by the run. */
#pragma once

#include "runtime/memory/array-buffer.h"
#include "runtime/launch/program.h"

G_BEGIN_DECLS

#define CAPRA_LAUNCH_MAX_BUFFERS 16
#define CAPRA_LAUNCH_MAX_CONSTANTS 4
#define CAPRA_LAUNCH_MAX_ARGUMENTS 32
#define CAPRA_LAUNCH_MAX_BYTES 2048 /* all arguments together */

typedef struct {
  CapraContext *context;
  CapraProgram *program;
  const char *name;
  struct {
    guint32 offset, bytes;
    gboolean local; /* local memory of @bytes, no value */
  } args[CAPRA_LAUNCH_MAX_ARGUMENTS];
  guint8 values[CAPRA_LAUNCH_MAX_BYTES];
  guint n_args, n_bytes;
  CapraBuffer *buffers[CAPRA_LAUNCH_MAX_BUFFERS];
  gboolean writes[CAPRA_LAUNCH_MAX_BUFFERS];
  guint n_buffers;
  cl_mem constants[CAPRA_LAUNCH_MAX_CONSTANTS];
  guint n_constants;
  GError *error;
} CapraLaunch;

void capra_launch_begin (CapraLaunch *launch, CapraContext *context, const char *program, const char *options,
                         const char *kernel);

void capra_launch_read (CapraLaunch *launch, CapraArray *array);
void capra_launch_write (CapraLaunch *launch, CapraArray *array); /* or read and write */
void capra_launch_int (CapraLaunch *launch, gint32 value);
void capra_launch_uint (CapraLaunch *launch, guint32 value);
void capra_launch_ulong (CapraLaunch *launch, guint64 value);
void capra_launch_float (CapraLaunch *launch, float value);
/* A few numbers for a `__constant` argument, such as the weights of a filter, at most 64 KiB: cached on the device by
 * their contents, so that the same weights are uploaded once. */
void capra_launch_constants (CapraLaunch *launch, gconstpointer data, gsize bytes);
/* A struct passed by value. */
void capra_launch_value (CapraLaunch *launch, gconstpointer data, gsize bytes);
void capra_launch_local (CapraLaunch *launch, gsize bytes); /* local memory */

/* Enqueues the kernel with @global work-items, rounded up to multiples of @local (kernels must check their range), in
 * groups of @local. @bytes: the minimum that the kernel reads and writes, for the timeline. Ends the launch, also on
 * failure. */
gboolean capra_launch_run (CapraLaunch *launch, guint dimensions, const gsize *global, const gsize *local,
                           guint64 bytes, GError **error);
gboolean capra_launch_run_1d (CapraLaunch *launch, gsize global, gsize local, guint64 bytes, GError **error);
gboolean capra_launch_run_2d (CapraLaunch *launch, gsize global_x, gsize global_y, gsize local_x, gsize local_y,
                              guint64 bytes, GError **error);

/* The name of a type in OpenCL C: "uchar", "char", "ushort", "short", "uint", "int" or "float". */
const char *capra_launch_type (CapraType type);

G_END_DECLS
