/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: the kernels of a source file, built with options for a device. Not installed.
 *
 * Where the driver's optimizer is slow (PoCL), a program that is in no cache is first built without it, and used until
 * a background process has built the optimized one (preparation.h). Both have the same source and options, and so
 * exactly the same results. A launch over much data builds the optimized one at once, since it saves more time than it
 * takes. */
#pragma once

#include "runtime/launch/program-cache.h"

G_BEGIN_DECLS

typedef struct _CapraProgram CapraProgram;

/* The program of the kernel file @name.cl with @options (such as "-DIN=uchar -DCHANNELS=3"; nullable), which must not
 * contain the size of an image. Built at its first launch; cached in memory and, as the driver's binary, in the user's
 * cache folder, by source, options, device and driver. Owned by the context. */
CapraProgram *capra_program_get (CapraContext *context, const char *name, const char *options);

/* How a launch uses a program: the kernel, the size of its work-groups, the number of work-items in the longest
 * direction, and the minimum of bytes that it reads and writes. */
typedef struct {
  const char *kernel; /* interned */
  gsize local[3], widest;
  guint64 bytes;
} CapraProgramUse;

/* A kernel object for one launch, to be returned with capra_program_return_kernel(): threads must not share kernel
 * objects, and creating one for each launch is slow. */
typedef struct {
  cl_kernel object;
  struct _CapraBuild *build;
  gboolean first;      /* its first use on this driver: see capra_program_end_first() */
  gboolean first_size; /* its first launch in this process with work-groups of this size */
} CapraProgramKernel;

/* FALSE with @error set if the program does not build, or the kernel is in quarantine. */
gboolean capra_program_take_kernel (CapraProgram *program, const CapraProgramUse *use, CapraProgramKernel *kernel,
                                    GError **error);
void capra_program_return_kernel (CapraProgram *program, const char *name, const CapraProgramKernel *kernel);

/* After the launch of @kernel, which is the first use of the kernel @name, before it is returned; @done: the device has
 * completed it. */
void capra_program_end_first (CapraProgram *program, const char *name, const CapraProgramKernel *kernel, gboolean done);

/* Saves all optimized programs of @context, with the kernels that were launched, in @cache; adds their number to
 * @count. */
gboolean capra_program_save_all (CapraContext *context, const CapraProgramCache *cache, guint *count, GError **error);

G_END_DECLS
