/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Program: kernel source + options + device -> something that runs. Private.
 *
 * Where the driver's optimizer is slow (PoCL), a program that no cache has is built without it first, and used like
 * that until the background has built it with it (preparation.h). Both have the same source and options, and thus the
 * same results to the byte. A launch over much data takes the optimized one at once, as that pays there. */
#pragma once

#include "runtime/launch/program-cache.h"

G_BEGIN_DECLS

typedef struct _CapraProgram CapraProgram;

/* The program of kernels/@name.cl, built with @options (such as "-DIN=uchar -DCHANNELS=3"; nullable).
 * `#include "x.clh"` in a kernel file names another file of cl/kernels. Cached in memory and, as the
 * driver's binary, in the user's cache folder by source, options, device and driver. Options must
 * never hold an image's size. Owned by the context. Built at its first launch. */
CapraProgram *capra_program_get (CapraContext *context, const char *name, const char *options);

/* What a launch asks for: a kernel, the size of its work-groups, how many work-items there are in the longest
 * direction, and the bytes that it reads and writes at least. */
typedef struct {
  const char *kernel; /* interned */
  gsize local[3], widest;
  guint64 bytes;
} CapraProgramUse;

/* A kernel object for one launch, given back with capra_program_give_kernel(): kernel objects must not be shared by
 * threads, and making one for each launch is slow. */
typedef struct {
  cl_kernel object;
  struct _CapraBuild *build;
} CapraProgramKernel;

/* FALSE with @error set if the program does not build. */
gboolean capra_program_take_kernel (CapraProgram *program, const CapraProgramUse *use, CapraProgramKernel *kernel,
                                    GError **error);
void capra_program_give_kernel (CapraProgram *program, const char *name, const CapraProgramKernel *kernel);

/* Saves all optimized programs of @context, with the kernels that were launched, in @cache; adds their number to @count. */
gboolean capra_program_save_all (CapraContext *context, const CapraProgramCache *cache, guint *count, GError **error);

G_END_DECLS
